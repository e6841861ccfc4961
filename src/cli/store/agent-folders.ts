/** The directories of agents that `trobar crawl --agents` has started: folders with numbers for names. */
import { join } from "node:path";
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
