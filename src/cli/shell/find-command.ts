/** Which command the first words of a command line name, or what somebody may have meant. */
import { nearestName, quoted } from "../../base/text/index.ts";
import { COMMANDS, type Command } from "./command-table.ts";

export type Found =
  | { readonly kind: "command"; readonly command: Command; readonly rest: readonly string[] }
  /** A first word of several commands, such as `inspect`, without a second one. */
  | { readonly kind: "group"; readonly group: string }
  | { readonly kind: "unknown"; readonly problem: string };

export function findCommand(words: readonly string[]): Found {
  const [first = "", second] = words;
  const both = COMMANDS.find(({ name }) => name === `${first} ${second}`);
  if (both !== undefined) return { kind: "command", command: both, rest: words.slice(2) };
  const one = COMMANDS.find(({ name }) => name === first);
  if (one !== undefined) return { kind: "command", command: one, rest: words.slice(1) };
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) return unknown(first, second);
  if (second === undefined || second.startsWith("-")) return { kind: "group", group: first };
  const built = group.filter((member) => member.built);
  const members = (built.length === 0 ? group : built).map(({ name }) => name);
  const nearest = nearestName(
    second,
    members.map((name) => name.slice(first.length + 1)),
  );
  const hint =
    nearest === null
      ? `there are ${members.map((name) => `\`trobar ${name}\``).join(", ")}`
      : `did you mean \`trobar ${first} ${nearest}\`?`;
  return { kind: "unknown", problem: `${first} has no command ${quoted(second)}; ${hint}` };
}

function unknown(first: string, second: string | undefined): Found {
  const names = COMMANDS.filter(({ built }) => built).map(({ name }) => name);
  const groups = new Set(names.map((name) => name.split(" ", 1)[0] ?? ""));
  // The last word of a command alone, such as `config`, leads to it too.
  const lastWords = new Map(names.map((name) => [name.slice(name.lastIndexOf(" ") + 1), name]));
  const nearest =
    nearestName(`${first} ${second ?? ""}`.trimEnd(), names) ??
    nearestName(first, groups) ??
    lastWords.get(nearestName(first, lastWords.keys()) ?? "") ??
    null;
  const hint =
    nearest === null ? "`trobar --help` lists them" : `did you mean \`trobar ${nearest}\`?`;
  return { kind: "unknown", problem: `there is no command ${quoted(first)}; ${hint}` };
}
