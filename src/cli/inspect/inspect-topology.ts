/**
 * `trobar inspect topology [FILE]`: checks a topology, or that of the crawler, and draws its graph. Modules that the file names are
 * loaded, so that their units are known; nothing is started. If anything is wrong, all mistakes are
 * printed with their places, and with `--json` they are `{"mistakes": […]}` too.
 */
import { dirname } from "node:path";
import { CRAWL_TOPOLOGY } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { nearestName, quoted } from "../../base/text/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import {
  TOPOLOGY_BYTES_MAX,
  topologyError,
  tryLoadTopology,
} from "../../topology/description/index.ts";
import {
  DRAWING_FORMATS,
  type DrawingFormat,
  drawGraph,
  graphOf,
  SVG_PARTS_MAX,
} from "../../topology/drawing/index.ts";
import { type CommandWords, readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import { readArgumentFile } from "../shell/named-files.ts";
import type { Terminal } from "../shell/terminal.ts";
import { mistakesJson } from "./mistakes-json.ts";

/** What a file may name without a module: the units of the crawler. */
const LIBRARY = CRAWL_TOPOLOGY.library();

export async function inspectTopology(
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const given = readWords("inspect topology", args, 0);
  const format = formatOf(given);
  const path = onlyFile(given.words);
  const { topology, mistakes } = await tryLoadTopology(
    readArgumentFile(path, TOPOLOGY_BYTES_MAX + 1),
    { path, library: LIBRARY, importUnits: importFrom(dirname(path)) },
  );
  if (topology === null) {
    if (format === "json") terminal.out(mistakesJson(mistakes.sorted()));
    throw topologyError(mistakes);
  }
  const graph = graphOf(topology);
  const parts = graph.nodes.length + graph.edges.length;
  if (format === "svg" && parts > SVG_PARTS_MAX) {
    const problem = `has ${parts} parts, more than the ${SVG_PARTS_MAX} that an SVG is laid out for`;
    const advice = "draw it with --format dot and Graphviz";
    throw new CrawlError("USAGE_BAD_ARGUMENT", `${quoted(path)} ${problem}; ${advice}.`);
  }
  await terminal.write(await drawGraph(graph, format));
  return EXIT.finished;
}

function onlyFile([path = CRAWL_TOPOLOGY.path, ...more]: readonly string[]): string {
  if (more.length === 0) return path;
  const problem = `takes one file; ${quoted(more[0] ?? "")} is one too many`;
  throw new CrawlError("USAGE_BAD_ARGUMENT", `\`trobar inspect topology\` ${problem}.`);
}

/** `--json` is short for `--format json`. */
function formatOf(given: CommandWords): DrawingFormat {
  const text = given.value("format") ?? (given.has("json") ? "json" : "text");
  const format = DRAWING_FORMATS.find((one) => one === text);
  if (format !== undefined && (format === "json" || !given.has("json"))) return format;
  const nearest = format === undefined ? nearestName(text, DRAWING_FORMATS) : null;
  const problem =
    format === undefined ? "is not a format" : "and --json exclude each other; give one of them";
  throw new CrawlError(
    "USAGE_BAD_ARGUMENT",
    `flag --format: ${quoted(text)} ${problem}; legal: ${DRAWING_FORMATS.join(", ")}` +
      `${nearest === null ? "." : `; did you mean ${nearest}?`}`,
  );
}
