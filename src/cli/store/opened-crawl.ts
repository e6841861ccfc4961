/** The crawl, or the archives, that a command is about, opened for reading. */
import { RestingCrawl } from "../../agent/index.ts";
import { printable } from "../../base/text/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import {
  type CrawlReader,
  type CrawlView,
  openArchiveView,
  openCrawlView,
} from "../../store/query/index.ts";
import type { ApiClient } from "../control/api-client.ts";
import { findCrawl } from "../control/find-crawl.ts";
import { removeFolder, temporaryFolder } from "../shell/named-files.ts";
import type { Terminal } from "../shell/terminal.ts";
import { ClusterView } from "./cluster-view.ts";
import { crawlFolder, noteOn } from "./crawl-folder.ts";
import { DirectoryView } from "./directory-view.ts";
import type { StoreView } from "./store-view.ts";
import type { StoreWords } from "./store-words.ts";

const REMEDY = " `trobar store verify` says more.";

/** Opens it, lets it be used, and closes it. The directories of several agents are one crawl. */
export async function withCrawl(
  given: Pick<StoreWords, "archives" | "value">,
  terminal: Terminal,
  use: (view: CrawlReader) => Promise<number>,
): Promise<number> {
  const { archives } = given;
  if (archives.length === 0) {
    const { path, agents, name } = crawlFolder(given.value("out"));
    const view =
      agents.length > 1 ? await RestingCrawl.viewTogether(agents, name) : await openCrawlView(path);
    return await used(view, terminal, use, REMEDY);
  }
  const scratch = await temporaryFolder("trobar-warc-");
  try {
    const tell = (path: string, note: string): void =>
      terminal.err(`trobar: ${printable(`${path} ${note}`)}\n`);
    const view = await openArchiveView({ paths: archives, scratch, tell });
    return await used(view, terminal, use, REMEDY);
  } finally {
    await removeFolder(scratch);
  }
}

/** The same of a crawl that several agents share: while that runs, all of them are asked. */
export async function withStore(
  given: StoreWords,
  terminal: Terminal,
  use: (view: StoreView) => Promise<number>,
): Promise<number> {
  const client = given.archives.length > 0 ? null : await clusterAt(given, terminal);
  if (client === null) {
    return await withCrawl(given, terminal, (view) => use(new DirectoryView(view, noteOn(given))));
  }
  const wishes = { text: given.has("text"), links: given.has("links") };
  return await used(new ClusterView(client, wishes), terminal, use);
}

/** One directory alone, whoever else has a part of the crawl. */
export async function withDirectory(
  path: string,
  terminal: Terminal,
  use: (view: CrawlView) => Promise<number>,
): Promise<number> {
  return await used(await openCrawlView(path), terminal, use, REMEDY);
}

/** The agent in this directory, if it is one that runs. */
async function clusterAt(given: StoreWords, terminal: Terminal): Promise<ApiClient | null> {
  const { path } = crawlFolder(given.value("out"));
  if (!CrawlDirectory.isOfAgent(path)) return null;
  return (await findCrawl({ value: (long) => (long === "out" ? path : null) }, terminal)).client;
}

/** What is seen of it is told before and after. */
async function used<View extends Pick<StoreView, "faults" | "close">>(
  view: View,
  terminal: Terminal,
  use: (view: View) => Promise<number>,
  remedy = "",
): Promise<number> {
  const told = new Set<string>();
  const tellFaults = (): void => {
    for (const fault of view.faults) {
      if (told.has(fault)) continue;
      told.add(fault);
      terminal.err(`trobar: ${printable(fault)}${remedy}\n`);
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
