/**
 * The directories of agents that share a crawl: folders with numbers for names, beside each other, as
 * `trobar crawl --agents` makes them; or any that agents were given.
 */
import { join, resolve } from "node:path";
import { quoted } from "../../base/text/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { foldersIn, isThere } from "../shell/named-files.ts";

/** In the order of their numbers; none for anything else. */
export function agentFolders(folder: string): readonly string[] {
  if (!isThere(folder)) return [];
  return foldersIn(folder)
    .filter((name) => /^[1-9]\d{0,2}$/.test(name) && CrawlDirectory.exists(join(folder, name)))
    .toSorted((one, other) => Number(one) - Number(other))
    .map((name) => join(folder, name));
}

/** The folder that has the directory of one agent, as it was named, and those of others; null if there is none. */
export function folderOfAll(folder: string): string | null {
  const all = join(folder, "..");
  const beside = agentFolders(resolve(all));
  return beside.length > 1 && beside.includes(resolve(folder)) ? all : null;
}

/** For one agent's directory, a sentence that says where else what is not there may be; null for any other. */
export function partNote(folder: string): string | null {
  if (!CrawlDirectory.isOfAgent(folder)) return null;
  const all = folderOfAll(folder);
  const where =
    all === null
      ? "look in the directories of the others too"
      : `name the folder that has those of all, ${quoted(all)}`;
  return `This is the directory of one of the agents that share the crawl: ${where}.`;
}
