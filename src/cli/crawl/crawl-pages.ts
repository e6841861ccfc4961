/** The flags `--pages`, `--text` and `--links`: pages as rows of data while a crawl runs. */
import type { PagesOutput } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { checkRowFile, openRowFile, rowTarget } from "../../store/export/index.ts";
import type { Terminal } from "../shell/terminal.ts";
import type { CrawlArguments } from "./crawl-arguments.ts";

/** Null when no rows are asked for. Nothing is touched before the crawl directory is there. */
export function pagesOutput(
  given: CrawlArguments,
  { crawlFolder, terminal }: { readonly crawlFolder: string; readonly terminal: Terminal },
): PagesOutput | null {
  const name = given.text("pages");
  const text = given.has("text");
  const links = given.has("links");
  if (name === null) {
    if (text || links) throw misused(`--${text ? "text" : "links"} needs --pages`);
    return null;
  }
  const target = rowTarget(name);
  if (target === null) {
    throw misused(
      `--pages ${quoted(name)} has no ending that says its format: ` +
        "give one of .jsonl, .csv, .jsonl.gz, .csv.gz, or - for standard output",
    );
  }
  const { path } = target;
  if (path === null) {
    if (given.has("json")) throw misused("--pages - and --json both want standard output");
    return { target, text, links, openSink: () => terminal.rowSink() };
  }
  checkRowFile(path, { crawlFolder, mayReplace: given.has("fresh") });
  return { target, text, links, openSink: async () => openRowFile(path) };
}

function misused(problem: string): CrawlError {
  return new CrawlError("USAGE_BAD_FLAG_VALUE", `${problem}.`);
}
