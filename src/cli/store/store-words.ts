/**
 * The words and flags of a command of `trobar store`. With `--warc`, words that name files are further
 * archives, since a shell turns `--warc *.warc.gz` into a flag and words.
 */
import { fileProblem } from "../../base/folder/index.ts";
import { quoted } from "../../base/text/index.ts";
import { type CommandWords, readWords } from "../shell/command-words.ts";
import { isFile } from "../shell/named-files.ts";
import type { Mistakes } from "./mistakes.ts";

/** A pipe or a device: it may never end, and cannot be read twice. */
const NOT_A_FILE = "is not a regular file";

export interface StoreWords extends CommandWords {
  /** Paths of archives; none for a crawl directory. */
  readonly archives: readonly string[];
}

/** Adds what is wrong with the archives. */
export function readStoreWords(
  name: string,
  args: readonly string[],
  mistakes: Mistakes,
): StoreWords {
  const given = readWords(name, args, 0);
  const named = given.values("warc");
  if (named.length === 0) return { ...given, archives: [] };
  for (const path of named) {
    const problem = fileProblem(path) ?? (isFile(path) ? null : NOT_A_FILE);
    if (problem !== null) mistakes.add(`--warc ${quoted(path)} ${problem}; name an archive file.`);
  }
  for (const word of given.words.filter(isOddFile)) {
    mistakes.add(`${quoted(word)} ${NOT_A_FILE}; name an archive file.`, "USAGE_BAD_ARGUMENT");
  }
  if (given.has("out")) mistakes.add("-o names a crawl and --warc archives: give one of them.");
  const archives = [...named, ...given.words.filter(isFile)];
  return {
    ...given,
    archives,
    words: given.words.filter((word) => !isFile(word) && !isOddFile(word)),
  };
}

/** A folder is not: it may have the name of a host or a format. */
function isOddFile(word: string): boolean {
  return fileProblem(word) === null && !isFile(word);
}
