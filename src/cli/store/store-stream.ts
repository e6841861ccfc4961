/**
 * `trobar store stream`: pages for a program that goes on where it stopped. Every page has a cursor;
 * `--after` begins behind it, and `--follow` waits for more. With a list, the pages of its URLs.
 */
import { quoted } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import type { CommandWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { DamageNote } from "./damage-note.ts";
import { checkUrls, givenUrls, pagesMeant } from "./given-urls.ts";
import { Mistakes } from "./mistakes.ts";
import { withStore } from "./opened-crawl.ts";
import { type PageFilter, pageFilter } from "./page-filter.ts";
import { lineWishes, PageLines } from "./page-lines.ts";
import type { StoreView } from "./store-view.ts";
import { readStoreWords } from "./store-words.ts";

interface Streaming {
  readonly given: CommandWords;
  readonly terminal: Terminal;
  readonly view: StoreView;
  readonly lines: PageLines;
  readonly filter: PageFilter | null;
}

export async function storeStream(args: readonly string[], terminal: Terminal): Promise<number> {
  const mistakes = new Mistakes();
  const given = readStoreWords("store stream", args, mistakes);
  const isList = given.value("urls") !== null || given.words.length > 0;
  if (isList) await checkUrls("store stream", given, mistakes);
  for (const flag of ["follow", "after"]) {
    if (isList && given.has(flag)) {
      mistakes.add(`--${flag} is for all pages of a crawl, not for a list of URLs: leave it out.`);
    }
  }
  if (given.archives.length > 0 && given.has("follow")) {
    mistakes.add("--follow is for a crawl: nothing is added to archives.");
  }
  const wishes = lineWishes(given, mistakes);
  const filter = await mistakes.tried(() => pageFilter(given.value("filter")));
  mistakes.throwIfAny();
  const { colour } = terminal;
  return await withStore(given, terminal, async (view) => {
    const lines = new PageLines(view, { ...wishes, cursors: true, colour });
    const streaming = { given, terminal, view, lines, filter };
    const after = isList ? null : given.value("after");
    if (after === null && !(await terminal.write(lines.head))) return EXIT.finished;
    return isList ? await streamList(streaming) : await streamAll(streaming, after);
  });
}

async function streamAll(streaming: Streaming, after: string | null): Promise<number> {
  const { given, terminal, view, lines, filter } = streaming;
  const isFollowing = given.has("follow");
  const interrupted = new AbortController();
  const { signal } = interrupted;
  void terminal.untilInterrupted().then(() => interrupted.abort());
  const note = new DamageNote(terminal);
  const batches = isFollowing
    ? view.follow(after, { clock: new SystemClock(), signal })
    : view.pages(after);
  for await (const { pages, cursors, damagedBytes } of batches) {
    note.add(damagedBytes);
    let text = "";
    for (const [index, page] of pages.entries()) {
      if (filter !== null && !filter.accepts(page)) continue;
      text += await lines.line(page, cursors[index] ?? null);
    }
    if (text !== "" && !(await terminal.write(text))) return EXIT.finished;
    if (signal.aborted) break;
  }
  return signal.aborted ? EXIT.interrupted : EXIT.finished;
}

async function streamList({ given, terminal, view, lines, filter }: Streaming): Promise<number> {
  let code: number = EXIT.finished;
  for await (const { text: url, page } of pagesMeant(view, givenUrls(given, terminal))) {
    if (page === null) {
      terminal.err(`trobar: ${quoted(url)} is not in this crawl\n`);
      code = EXIT.notFound;
    } else if (filter === null || filter.accepts(page)) {
      if (!(await terminal.write(await lines.line(page, null)))) break;
    }
  }
  return code;
}
