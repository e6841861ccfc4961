/** The URLs that a command of `trobar store` is asked about: words, and the lines of a list. */

import { CrawlError } from "../../base/errors/index.ts";
import { fileProblem } from "../../base/folder/index.ts";
import { quoted } from "../../base/text/index.ts";
import { assumedUrl, parseUrl, URL_REFUSALS } from "../../formats/url/index.ts";
import type { PageRow } from "../../store/export/index.ts";
import { urlLines } from "../inspect/text-lines.ts";
import { type CommandWords, needWords } from "../shell/command-words.ts";
import { openNamedFile } from "../shell/named-files.ts";
import type { Terminal } from "../shell/terminal.ts";
import type { Mistakes } from "./mistakes.ts";
import type { StoreView } from "./store-view.ts";

/** Adds what is wrong with the words and with the list. Without a list a word is needed. */
export async function checkUrls(
  name: string,
  given: CommandWords,
  mistakes: Mistakes,
): Promise<void> {
  const list = given.value("urls");
  if (list === null) await mistakes.tried(() => needWords(name, given.words, 1));
  else if (list !== "-") {
    const problem = fileProblem(list);
    if (problem !== null) mistakes.add(`-i ${quoted(list)} ${problem}; name a file with URLs.`);
  }
  for (const word of given.words) {
    const problem = urlProblem(word);
    if (problem !== null) mistakes.add(`${quoted(word)}: ${problem}`, "USAGE_BAD_ARGUMENT");
  }
}

/** Null for what can be looked for. */
export function urlProblem(text: string): string | null {
  // Schemes of protocol modules are known only to the crawl.
  if (/^[a-z][a-z0-9+.-]*:\/\/./i.test(text)) return null;
  const outcome = parseUrl(assumedUrl(text) ?? text, { files: true });
  if (outcome.kind === "accepted") return null;
  if (outcome.reason !== "base-missing") return URL_REFUSALS[outcome.reason];
  return "This is neither a URL nor a domain; write it as in `https://example.org/page`, or as in `example.org`.";
}

/** Blank lines and comments of a list are skipped. */
export async function* givenUrls(given: CommandWords, terminal: Terminal): AsyncGenerator<string> {
  yield* given.words;
  const list = given.value("urls");
  if (list === null) return;
  for await (const lines of urlLines(list === "-" ? terminal.input : openNamedFile(list))) {
    for (const { text } of lines) if (!text.startsWith("#")) yield text;
  }
}

export interface MeantPage {
  /** As it was given. */
  readonly text: string;
  /** Null when the crawl does not have it. */
  readonly page: PageRow | null;
}

/** A look-up is mostly waiting, so several are under way at a time. */
const LOOK_UPS_MAX = 16;

/** The pages of texts, in their order. */
export async function* pagesMeant(
  view: Pick<StoreView, "find">,
  texts: AsyncIterable<string>,
): AsyncGenerator<MeantPage> {
  const waiting: Promise<MeantPage>[] = [];
  for await (const text of texts) {
    const looked = pageMeant(view, text).then((page) => ({ text, page }));
    // A failure is told when its turn comes.
    looked.catch(() => undefined);
    waiting.push(looked);
    if (waiting.length >= LOOK_UPS_MAX) yield (await waiting.shift()) as MeantPage;
  }
  for (const looked of waiting) yield await looked;
}

/** The page that a text means: a URL, or a bare domain, which may be https or http. */
export async function pageMeant(
  view: Pick<StoreView, "find">,
  text: string,
): Promise<PageRow | null> {
  const assumed = assumedUrl(text);
  if (assumed === null) return await view.find(text);
  return (await view.find(assumed)) ?? (await view.find(assumed.replace(/^https/, "http")));
}

/** For a command about one URL. */
export function onlyUrl(name: string, words: readonly string[]): string {
  needWords(name, words, 1);
  const [url = "", ...more] = words;
  const problem = more.length > 0 ? "One URL at a time." : urlProblem(url);
  if (problem === null) return url;
  const [shown = url] = more;
  throw new CrawlError("USAGE_BAD_ARGUMENT", `${quoted(shown)}: ${problem}`);
}
