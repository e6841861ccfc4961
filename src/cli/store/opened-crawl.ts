/** The crawl that a command is about, opened for reading. */
import { printable } from "../../base/text/index.ts";
import { type CrawlView, openCrawlView } from "../../store/query/index.ts";
import type { CommandWords } from "../shell/command-words.ts";
import type { Terminal } from "../shell/terminal.ts";
import { crawlFolder } from "./crawl-folder.ts";

/** Says which parts of the directory are not used. */
export function tellFaults({ faults }: CrawlView, terminal: Terminal): void {
  for (const fault of faults) {
    terminal.err(`trobar: ${printable(fault)} \`trobar store verify\` says more.\n`);
  }
}

/** Opens it, lets it be used, and closes it. */
export async function withCrawl(
  given: CommandWords,
  terminal: Terminal,
  use: (view: CrawlView) => Promise<number>,
): Promise<number> {
  const view = await openCrawlView(crawlFolder(given.value("out")).path);
  tellFaults(view, terminal);
  try {
    return await use(view);
  } finally {
    await view.close();
  }
}
