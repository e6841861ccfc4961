/** `trobar explain URL`: what became of a URL and why; for one that was not met, what the rules would say. */
import { RestingCrawl } from "../../agent/index.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import { assumedUrl } from "../../formats/url/index.ts";
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { partNote } from "../store/agent-folders.ts";
import { onlyUrl } from "../store/given-urls.ts";
import { Mistakes } from "../store/mistakes.ts";
import { withDirectory } from "../store/opened-crawl.ts";
import type { ApiClient } from "./api-client.ts";
import { findCrawl } from "./find-crawl.ts";
import { type Explanation, storyText } from "./story-text.ts";

export async function explain(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("explain", args, 0);
  const mistakes = new Mistakes();
  const text = await mistakes.tried(() => onlyUrl("explain", given.words));
  const found = await mistakes.tried(() => findCrawl(given, terminal));
  mistakes.throwIfAny();
  if (text === null || found === null) return EXIT.usage;
  const { client, folders } = found;
  const story =
    client === null
      ? await storyIn(folders, text, terminal)
      : await firstMet(text, (url) => storyFrom(client, url));
  if (story === null) {
    terminal.err(`trobar: ${quoted(text)} is not a URL that this crawl could fetch\n`);
    return EXIT.notFound;
  }
  const [folder = "", ...others] = folders;
  const note =
    client === null && others.length === 0 ? partNote(given.value("out") ?? folder) : null;
  if (note !== null && story.state === "unknown") terminal.err(`trobar: ${note}\n`);
  terminal.out(given.has("json") ? `${JSON.stringify(story)}\n` : storyText(story));
  return EXIT.finished;
}

/** A running crawl also knows what is in its memory. */
async function storyFrom(client: ApiClient, url: string): Promise<Explanation | null> {
  try {
    return (await client.ask("GET", `/explain?${new URLSearchParams({ url })}`)) as Explanation;
  } catch (error) {
    if (isCrawlError(error) && error.code === "API_BAD_REQUEST") return null;
    throw error;
  }
}

/** That of the agent that knows most of it. */
async function storyIn(
  folders: readonly string[],
  text: string,
  terminal: Terminal,
): Promise<Explanation | null> {
  const stories: (Explanation | null)[] = [];
  for (const folder of folders) stories.push(await storyAt(folder, text, terminal));
  return RestingCrawl.bestOf(stories);
}

async function storyAt(
  folder: string,
  text: string,
  terminal: Terminal,
): Promise<Explanation | null> {
  const crawl = await RestingCrawl.open(folder);
  // The story lacks what waits, and is told all the same.
  if (crawl.trouble !== null) terminal.err(`trobar: ${printable(crawl.trouble)}\n`);
  let story: Explanation | null = null;
  await withDirectory(folder, terminal, async (view) => {
    story = await firstMet(text, (url) => crawl.explain(url, view, version()));
    return EXIT.finished;
  });
  return story;
}

/** A bare domain may be https or http; the one that the crawl has met is meant. */
async function firstMet(
  text: string,
  ask: (url: string) => Promise<Explanation | null>,
): Promise<Explanation | null> {
  const assumed = assumedUrl(text);
  const first = await ask(assumed ?? text);
  if (assumed === null || first?.state !== "unknown") return first;
  const second = await ask(assumed.replace(/^https/, "http"));
  return second === null || second.state === "unknown" ? first : second;
}
