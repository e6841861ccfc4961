/** The flags `--pages`, `--text`, `--links`, `--markdown` and `--extract`: pages as rows of data while a crawl runs. */
import type { openCrawl } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { type Extraction, readExtraction } from "../../formats/selector/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { checkRowFile, OWN_FIELDS, openRowFile, rowTarget } from "../../store/export/index.ts";
import type { Terminal } from "../shell/terminal.ts";
import type { CrawlArguments } from "./crawl-arguments.ts";

type PagesOutput = NonNullable<Parameters<typeof openCrawl>[0]["output"]>;

/** Null when no rows are asked for. Nothing is touched before the crawl directory is there. */
export function pagesOutput(
  given: CrawlArguments,
  { crawlFolder, terminal }: { readonly crawlFolder: string; readonly terminal: Terminal },
): PagesOutput | null {
  const name = given.text("pages");
  const text = given.has("text");
  const links = given.has("links");
  const markdown = given.has("markdown");
  const fields = extractionOf(given)?.names ?? [];
  if (name === null) {
    const lonely = ["text", "links", "markdown", "extract"].find((flag) => given.has(flag));
    if (lonely !== undefined) throw misused(`--${lonely} needs --pages`);
    return null;
  }
  const target = rowTarget(name);
  if (target === null) {
    throw misused(
      `--pages ${quoted(name)} has no ending that says its format: ` +
        "give one of .jsonl, .csv, .jsonl.gz, .csv.gz, or - for standard output",
    );
  }
  const wanted = { text, links, markdown, fields };
  const { path } = target;
  if (path === null) {
    if (given.has("json")) throw misused("--pages - and --json both want standard output");
    return { ...wanted, target, openSink: () => terminal.rowSink() };
  }
  const mayReplace = given.has("fresh");
  const mayAppend = !mayReplace && CrawlDirectory.exists(crawlFolder);
  checkRowFile(path, { crawlFolder, mayReplace, mayAppend });
  return {
    ...{ ...wanted, target },
    openSink: async (fits, cutTo) =>
      openRowFile(path, { mayReplace, fits, cutTo, isCompressed: target.isCompressed }),
  };
}

/** Throws if the store and something else are to be written to standard output. */
export function checkStdout(
  { store }: Configuration,
  given: CrawlArguments,
  output: PagesOutput | null,
): void {
  if (store.output !== "stdout") return;
  const other = given.has("json") ? "--json" : output?.target.path === null ? "--pages -" : null;
  if (other !== null) throw misused(`store.output stdout and ${other} both want standard output`);
}

/** What `--extract` asks for; null without it. Throws if it is given wrongly. */
export function extractionOf(given: CrawlArguments): Extraction | null {
  const texts = given.texts("extract");
  if (texts.length === 0) return null;
  const pairs = texts.map((text): [string, string] => {
    const equals = text.indexOf("=");
    if (equals < 1) throw misused(`--extract ${quoted(text)} is not of the form NAME=SELECTOR`);
    return [text.slice(0, equals), text.slice(equals + 1)];
  });
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) < at);
  if (twice !== undefined) throw misused(`--extract names ${quoted(twice[0])} twice`);
  return readExtraction(Object.fromEntries(pairs), OWN_FIELDS);
}

function misused(problem: string): CrawlError {
  return new CrawlError("USAGE_BAD_FLAG_VALUE", `${problem}.`);
}
