/** For commands that take flags only. */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";

/** Throws `USAGE_BAD_ARGUMENT` for the first word. */
export function noWords(name: string, words: readonly string[]): void {
  const [first] = words;
  if (first === undefined) return;
  throw new CrawlError(
    "USAGE_BAD_ARGUMENT",
    `\`trobar ${name}\` takes no ${quoted(first)}; name a crawl directory with -o DIR.`,
  );
}
