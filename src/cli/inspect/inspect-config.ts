/**
 * `trobar inspect config`: the effective configuration, key by key, with its exact number and unit
 * and where it came from. It takes every flag of `crawl` and `agent` and fetches nothing.
 *
 * With `--json` it prints one object, dotted key -> `{value, unit, text, source, default, reach,
 * fixed}`: `value` as the code holds it, `text` as a configuration would say it. If anything is
 * wrong it prints `{"mistakes": […]}` instead.
 */

import { printable, withoutCredentials } from "../../base/text/index.ts";
import { CONFIGURATION_SCHEMA, type Configuration } from "../../rules/config/index.ts";
import {
  configError,
  describeLocation,
  type SchemaKey,
  shapeUnit,
} from "../../rules/settings/index.ts";
import { type CrawlArguments, readCrawlArguments } from "../crawl/crawl-arguments.ts";
import { EXIT } from "../shell/exit-code.ts";
import { AGENT_FLAGS, CRAWL_FLAGS } from "../shell/flag-table.ts";
import { bold, dim, type Terminal } from "../shell/terminal.ts";
import { mistakesJson, shown } from "./mistakes-json.ts";

export async function inspectConfig(args: readonly string[], terminal: Terminal): Promise<number> {
  const flags = [...CRAWL_FLAGS, ...AGENT_FLAGS];
  const given = readCrawlArguments(args, flags, terminal);
  const json = given.has("json");
  for (const { location, text } of given.notes)
    terminal.err(`note: ${describeLocation(location)}: ${text}\n`);
  if (given.configuration === null) {
    if (json) terminal.out(mistakesJson(given.mistakes));
    throw configError(given.mistakes, given.omitted);
  }
  const entries = entriesOf(given.configuration, given);
  terminal.out(json ? entriesJson(entries, given.seedFiles) : table(entries, terminal.colour));
  if (!json && given.seedFiles.length > 0) {
    terminal.out(`\nMore seeds, not read here: ${given.seedFiles.map(printable).join(", ")}\n`);
  }
  return EXIT.finished;
}

interface Entry {
  readonly key: SchemaKey;
  readonly value: unknown;
  /** As a configuration would say it, safe to print. */
  readonly text: string;
  readonly source: string;
}

function entriesOf(configuration: Configuration, { locations }: CrawlArguments): Entry[] {
  const values = CONFIGURATION_SCHEMA.values(configuration);
  return CONFIGURATION_SCHEMA.keys.map((key) => {
    const value = values.get(key.path);
    const location = locations.get(key.path) ?? { kind: "default" };
    const text = printable(withoutCredentials(key.key.type.write(value)));
    return { key, value, text, source: describeLocation(location) };
  });
}

function table(entries: readonly Entry[], colour: boolean): string {
  const rows = entries.map((entry) => [entry.key.path, entry.text, exact(entry), entry.source]);
  const widths = [0, 1, 2].map((column) =>
    Math.min(32, Math.max(...rows.map((cells) => cells[column]?.length ?? 0))),
  );
  const lines = rows.map((cells) => {
    const line = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
    return cells[3] === "default" ? dim(line, colour) : bold(line, colour);
  });
  return `${lines.join("\n")}\n`;
}

/** The number that the code will see, with its unit; nothing for what has none. */
function exact({ key, value }: Entry): string {
  const unit = shapeUnit(key.key.type.shape);
  return unit === null || typeof value !== "number" ? "" : `${value} ${unit}`;
}

function entriesJson(entries: readonly Entry[], seedFiles: readonly string[]): string {
  const object = Object.fromEntries(
    entries.map(({ key: { path, key }, value, text, source }) => [
      path,
      {
        value: shown(value),
        unit: shapeUnit(key.type.shape),
        text,
        source,
        default: key.default,
        reach: key.reach,
        fixed: key.fixed,
        ...(path === "seeds" ? { files: seedFiles } : {}),
      },
    ]),
  );
  return `${JSON.stringify(object, null, 2)}\n`;
}
