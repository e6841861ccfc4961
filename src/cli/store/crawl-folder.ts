/** Which crawl a command of `trobar store` is about: the directory named, or the only one here. */
import { basename, join, resolve } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { foldersIn } from "../shell/named-files.ts";
import { agentFolders, partNote } from "./agent-folders.ts";
import type { StoreWords } from "./store-words.ts";

export interface CrawlFolder {
  /** Absolute. */
  readonly path: string;
  /** The last part of the path that was named. */
  readonly name: string;
  /** Of a crawl that `--agents` has started, the directories of all agents; else that one. */
  readonly agents: readonly string[];
}

/** Throws when there is none, or when several could be meant. `here` is the current folder. */
export function crawlFolder(named: string | null, here = "."): CrawlFolder {
  if (named !== null) return folderAt(named);
  if (CrawlDirectory.exists(here)) return folderAt(here);
  const isCrawl = (path: string): boolean =>
    CrawlDirectory.exists(path) || agentFolders(path).length > 0;
  const found = foldersIn(here).filter((name) => isCrawl(join(here, name)));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return folderAt(join(here, only));
  const problem =
    only === undefined
      ? "there is no crawl in this folder"
      : `there are several crawls in this folder (${found.slice(0, 5).join(", ")})`;
  throw new CrawlError("DIRECTORY_MISSING", `${problem}; name its directory with -o DIR.`);
}

/** Of the directory that is read, that it has the part of one agent; null if it has the whole crawl. */
export function noteOn({ archives, value }: Pick<StoreWords, "archives" | "value">): string | null {
  if (archives.length > 0) return null;
  const named = value("out");
  const { agents } = crawlFolder(named);
  return agents.length > 1 ? null : partNote(named ?? agents[0] ?? "");
}

function folderAt(named: string): CrawlFolder {
  const path = resolve(named);
  if (CrawlDirectory.exists(path)) return { path, name: basename(path), agents: [path] };
  const agents = agentFolders(path);
  const [first] = agents;
  if (first !== undefined) return { path: first, name: basename(path), agents };
  throw new CrawlError(
    "DIRECTORY_MISSING",
    `There is no crawl in ${quoted(named)}. Name the directory of a crawl with -o DIR.`,
  );
}
