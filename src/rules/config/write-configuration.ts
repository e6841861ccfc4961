/**
 * Writes a whole configuration as YAML, every key with its value, unit and meaning: the
 * `config.yaml` of a crawl directory. Reading it back gives an equal configuration, whatever the
 * defaults of the version that reads it. The exceptions are keys for secrets, which are not
 * recorded.
 */
import { describeShape, type SchemaKey } from "../settings/index.ts";
import type { Configuration } from "./configuration.ts";
import { CONFIGURATION_SCHEMA } from "./configuration-schema.ts";

const HEAD = `# The effective configuration of this crawl: every key, defaults included.
# Numbers take k M G and Ki Mi Gi, durations ms s m h d; ~ is no value.
# Keys marked "fixed" cannot change while the crawl is continued; those marked "not kept" are not
# recorded here and must be given again.`;

export function writeConfiguration(configuration: Configuration): string {
  const values = CONFIGURATION_SCHEMA.values(configuration);
  const lines: string[] = [HEAD];
  let group = "";
  for (const one of CONFIGURATION_SCHEMA.keys) {
    const [name, groupOfKey] = splitPath(one.path);
    if (groupOfKey !== group && groupOfKey !== "") lines.push("", `${groupOfKey}:`);
    else if (groupOfKey === "") lines.push("");
    group = groupOfKey;
    const indent = group === "" ? "" : "  ";
    lines.push(`${indent}# ${comment(one)}`);
    const value = one.key.kept ? values.get(one.path) : one.key.default;
    lines.push(`${indent}${name}: ${one.key.type.write(value)}`);
  }
  return `${lines.join("\n")}\n`;
}

function comment({ key }: SchemaKey): string {
  const marks = [
    ...(key.reach === "local" ? ["local"] : []),
    ...(key.fixed ? ["fixed"] : []),
    ...(key.kept ? [] : ["not kept"]),
  ];
  const legal = `Legal: ${describeShape(key.type.shape)}.`;
  return [key.meaning, legal, ...(marks.length === 0 ? [] : [`(${marks.join(", ")})`])].join(" ");
}

function splitPath(path: string): readonly [name: string, group: string] {
  const dot = path.lastIndexOf(".");
  return [path.slice(dot + 1), dot === -1 ? "" : path.slice(0, dot)];
}
