/** The crawl, or the archives, that a command is about, opened for reading. */
import { printable } from "../../base/text/index.ts";
import { type CrawlView, openArchiveView, openCrawlView } from "../../store/query/index.ts";
import { removeFolder, temporaryFolder } from "../shell/named-files.ts";
import type { Terminal } from "../shell/terminal.ts";
import { crawlFolder } from "./crawl-folder.ts";
import type { StoreWords } from "./store-words.ts";

/** Opens it, lets it be used, and closes it. */
export async function withCrawl(
  given: Pick<StoreWords, "archives" | "value">,
  terminal: Terminal,
  use: (view: CrawlView) => Promise<number>,
): Promise<number> {
  const { archives } = given;
  if (archives.length === 0) {
    return await used(await openCrawlView(crawlFolder(given.value("out")).path), terminal, use);
  }
  const scratch = await temporaryFolder("trobar-warc-");
  try {
    const tell = (path: string, note: string): void =>
      terminal.err(`trobar: ${printable(`${path} ${note}`)}\n`);
    const view = await openArchiveView({ paths: archives, scratch, tell });
    return await used(view, terminal, use);
  } finally {
    await removeFolder(scratch);
  }
}

async function used(
  view: CrawlView,
  terminal: Terminal,
  use: (view: CrawlView) => Promise<number>,
): Promise<number> {
  const told = new Set<string>();
  const tellFaults = (): void => {
    for (const fault of view.faults) {
      if (told.has(fault)) continue;
      told.add(fault);
      terminal.err(`trobar: ${printable(fault)} \`trobar store verify\` says more.\n`);
    }
  };
  tellFaults();
  try {
    return await use(view);
  } finally {
    tellFaults();
    await view.close();
  }
}
