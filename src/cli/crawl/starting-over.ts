/** `--fresh`: what happens before the crawl of an existing directory is removed. */
import { CrawlError } from "../../base/errors/index.ts";
import { printable } from "../../base/text/index.ts";
import type { Terminal } from "../shell/terminal.ts";

/**
 * Null without `--fresh`. Otherwise what is called before anything is removed: it asks the user,
 * and throws unless the answer is yes. Without a user to ask, only `--yes` is an answer.
 */
export function startingOver(
  folder: string,
  given: { has(long: string): boolean },
  terminal: Terminal,
): (() => Promise<void>) | null {
  if (!given.has("fresh")) return null;
  return async () => {
    if (given.has("yes")) return;
    if (!terminal.canAsk) throw cannotAsk(folder);
    const answer = await terminal.ask(`Remove the crawl in ${printable(folder)}? [y/N] `);
    if (/^y(?:es)?$/i.test(answer.trim())) return;
    throw new CrawlError("USAGE_DECLINED", "Nothing was removed and nothing was crawled.");
  };
}

function cannotAsk(folder: string): CrawlError {
  return new CrawlError(
    "USAGE_DECLINED",
    `--fresh would remove the crawl in ${printable(folder)}, and there is no terminal to ask on. ` +
      "Add --yes if it is to be removed. Nothing was removed and nothing was crawled.",
  );
}
