/** Prints `docs/configuration.md` from the schema of the configuration. */
import { unbuiltRemark } from "../../src/agent/crawl/unbuilt.ts";
import {
  BUBING_REMARKS,
  BUBING_WITHOUT_KEY,
  CONFIGURATION_SCHEMA,
  OTHER_VARIABLES,
  variableName,
} from "../../src/rules/config/index.ts";
import { describeShape, type SchemaKey } from "../../src/rules/settings/index.ts";
import { shapeName } from "../../src/rules/settings/shape.ts";

const HEAD = `# Configuration

This page is printed from the schema in \`src/rules/config\` by \`npm run docs\`; a test compares the two.
\`trobar inspect config\` shows the effective configuration of any command line: every key, its exact
value, and where it comes from. With \`--json\` it prints one object, dotted key ->
\`{value, unit, text, source, default, reach, fixed}\`, \`value\` as the program uses it and \`text\` as
it is written here; or \`{"mistakes": [...]}\` with exit code 2. Passwords in URLs are not shown.

## Where values come from

A flag overrides the environment, the environment overrides files, and a file overrides the default,
key by key. Every key can be set in every source:

| source | example |
|---|---|
| flag | \`--delay 2s\`, or for any key \`--set politeness.hostDelay=2s\` (VALUE in YAML; the last one wins) |
| group by flag | \`--set 'limits={pages: 500, depth: 3}'\` |
| environment | \`TROBAR_POLITENESS_HOST_DELAY=2s\` |
| YAML file, by \`--config FILE\` | \`politeness: { hostDelay: 2s }\`, or \`politeness.hostDelay: 2s\` |
| \`key=value\` file, by \`--config FILE\` | \`politeness.hostDelay=2s\`, or BUbiNG's \`schemeAuthorityDelay=2s\` |

- \`--config\` may be given several times; a later file overrides an earlier one.
- A file is YAML if its name ends in \`.yaml\`, \`.yml\` or \`.json\`, and \`key=value\` if it ends in
  \`.properties\` or \`.conf\`; otherwise its first line that is not a comment decides.
- Files are UTF-8 and at most 1 MiB. YAML anchors, aliases, merge keys, tags and further
  documents are refused.
- In \`key=value\` files and in the environment the items of a list are separated by commas; a comma
  inside an item is written \`\\,\`. In such a file a list may also be given by repeating its key.
- An empty variable counts as not set. An unknown variable that begins with \`TROBAR_\` is a mistake,
  except ${[...OTHER_VARIABLES].map(([name, meaning]) => `\`${name}\` (${meaning})`).join(", ")}, and what
  Kubernetes sets for a service of that name.
- Every mistake is reported at once, with file, line and column, the value, what is legal, and the
  nearest right name; the exit code is 2.

## Units

| kind | written | in code |
|---|---|---|
| count | \`50\`, \`100k\`, \`2M\`, \`64Ki\` (k M G, Ki Mi Gi) | a whole number |
| bytes | \`500\`, \`64Ki\`, \`10Mi\`, \`1Gi\` (k M G T, Ki Mi Gi Ti, \`B\` may follow) | bytes |
| duration | \`250ms\`, \`1s\`, \`10m\`, \`1h\`, \`1d\` (only 0 without a unit) | milliseconds |
| no value | \`~\` | null |

Numbers are decimal, and whole after their unit is applied: \`1.5s\` is 1500 milliseconds; \`1e3\`,
\`0x10\` and \`1_000\` are refused.

## Continuing and joining

Keys say how they behave when a crawl is continued, and when an agent joins one:

- **fixed**: the value cannot change during the life of a crawl, because the key says which crawl it
  is, or because the files on disk depend on it. Other keys may change from one run to the next. A key
  that is not given keeps its value from the \`config.yaml\` of the crawl directory, except for those
  marked **given again**, which lead to secrets and are not stored there.
- **shared**: all agents have the same value, that of the first one. **local**: each agent has its own.
`;

export function configurationPage(): string {
  const groups = new Map<string, SchemaKey[]>();
  for (const one of CONFIGURATION_SCHEMA.keys) {
    const group = one.path.includes(".") ? one.path.slice(0, one.path.indexOf(".")) : "";
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  const sections = [...groups].map(([group, keys]) => section(group, keys));
  return [HEAD, "## Keys\n", ...sections, bubingSection()].join("\n");
}

function section(group: string, keys: readonly SchemaKey[]): string {
  return [
    `### ${group === "" ? "At the top" : group}\n`,
    "| key | type | default | legal | reach | on continuing | meaning | variable | BUbiNG |",
    "|---|---|---|---|---|---|---|---|---|",
    ...keys.map(row),
    "",
  ].join("\n");
}

function row({ path, key }: SchemaKey): string {
  const cells = [
    `\`${path}\``,
    shapeName(key.type.shape),
    `\`${key.type.write(key.default)}\``,
    describeShape(key.type.shape),
    key.reach,
    key.fixed ? "fixed" : key.kept ? "may change" : "given again",
    meaning(path, key.meaning),
    `\`${variableName(path)}\``,
    key.bubing.map((name) => `\`${name}\``).join(", "),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** What a crawl refuses today is said where the key is looked up. */
function meaning(path: string, text: string): string {
  const limit = unbuiltRemark(path);
  return limit === null ? text : `${text} **${limit}**`;
}

function bubingSection(): string {
  const mapped = CONFIGURATION_SCHEMA.keys.flatMap(({ path, key }) =>
    key.bubing.map((name) => `| \`${name}\` | \`${path}\` | ${BUBING_REMARKS.get(name) ?? ""} |`),
  );
  const others = [...BUBING_WITHOUT_KEY].map(([name, reason]) => `| \`${name}\` | ${reason} |`);
  return [
    "## Files written for BUbiNG\n",
    "A `key=value` file may use BUbiNG's names, its units (`K`, `Ki`, …) and its durations, which are in",
    "milliseconds when they have no unit. Our own names come first: `name` is the crawl's name, not the",
    "agent's (that is `cluster.id`). An empty value counts as not given.\n",
    "| BUbiNG | key | remark |",
    "|---|---|---|",
    ...mapped,
    "",
    "These have no counterpart. They are left out with a note:\n",
    "| BUbiNG | why, and what there is instead |",
    "|---|---|",
    ...others,
    "",
  ].join("\n");
}
