/**
 * `trobar inspect filter EXPR URL…`: how a filter or a glob is understood, and what it decides for
 * each URL. Nothing is fetched, so only atoms on URLs can be tried. URLs are read from standard
 * input for `-`, one per line, and answered as they come.
 */
import { dirname } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import { parseUrl, URL_REFUSALS } from "../../formats/url/index.ts";
import {
  FetchableView,
  type Filter,
  type FilterPlace,
  type ImportModule,
  importFrom,
  loadFilter,
  type UrlView,
  understand,
} from "../../rules/filter/index.ts";
import { type ConfiguredWords, readConfigured } from "../crawl/crawl-arguments.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { type TextLine, textsGiven, urlLines } from "./text-lines.ts";

const PLACE: FilterPlace<"url"> = { name: "the filter given to `inspect filter`", sees: "url" };

interface Row {
  readonly url: string;
  readonly accepts: boolean;
  /** Why a URL could not be given to the filter, or how a user's atom failed. */
  readonly error?: string;
}

/** The exit code is 0 for every answer; a filter with mistakes is thrown with all of them. */
export async function inspectFilter(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readConfigured("inspect filter", args, { wordsMin: 2, terminal });
  const { use, importModule } = lentModules(given);
  const [expression = "", ...urls] = given.words;
  const understood = understand(expression);
  if (understood.problem !== null) {
    throw new CrawlError("FILTER_INVALID", `${quoted(expression)} ${understood.problem}.`);
  }
  let failure: string | null = null;
  const filter = await loadFilter(understood.expression, PLACE, {
    importModule,
    use,
    onFailure: (error) => {
      failure = error.message;
    },
  });
  const json = given.has("json");
  if (!json) terminal.out(`${understood.as}: ${printable(filter.text)}\n`);
  for await (const batch of textsGiven(urls, urlLines(terminal.input))) {
    let text = "";
    for (const line of batch) {
      failure = null;
      const row = rowOf(line, filter);
      text += printed(failure === null ? row : { ...row, error: failure }, json);
    }
    if (!(await terminal.write(text))) break;
  }
  return EXIT.finished;
}

/** The modules that the configuration lists, and how they and others are found. */
function lentModules({ configuration, locations }: ConfiguredWords): {
  readonly use: readonly string[];
  readonly importModule: ImportModule;
} {
  const use = configuration.filters.modules;
  const location = locations.get("filters.modules");
  const importLent = importFrom(location?.kind === "file" ? dirname(location.path) : ".");
  const importNamed = importFrom(".");
  const importModule: ImportModule = (name) =>
    use.includes(name) ? importLent(name) : importNamed(name);
  return { use, importModule };
}

function rowOf({ text: url, isCut }: TextLine, filter: Filter<UrlView>): Row {
  // What is left of a line that was cut is another URL: nothing can be said about it.
  if (isCut) return { url, accepts: false, error: URL_REFUSALS["url-too-long"] };
  const outcome = parseUrl(url);
  if (outcome.kind === "refused")
    return { url, accepts: false, error: URL_REFUSALS[outcome.reason] };
  return { url, accepts: filter.accepts(new FetchableView(outcome.url)) };
}

function printed(row: Row, json: boolean): string {
  if (json) return `${JSON.stringify(row)}\n`;
  const reason = row.error === undefined ? "" : `  (${row.error})`;
  return `${printable(`${row.accepts ? "accepts" : "refuses"}  ${row.url}${reason}`)}\n`;
}
