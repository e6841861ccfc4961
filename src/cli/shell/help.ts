/** Help, written from the table of commands. */

import { CrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import { COMMANDS, type Command } from "./command-table.ts";
import { EXIT, EXIT_MEANINGS } from "./exit-code.ts";
import { findCommand } from "./find-command.ts";
import { COMMON_FLAGS, type Flag } from "./flag-table.ts";
import { bold, type Terminal } from "./terminal.ts";

/** `trobar help [COMMAND]`. */
export async function help(args: readonly string[], terminal: Terminal): Promise<number> {
  // Imported here: the code that reads flags also loads YAML, for which help should not wait.
  const { readWords } = await import("./command-words.ts");
  const { words } = readWords("help", args, 0);
  terminal.out(words.length === 0 ? generalHelp(terminal.colour) : helpOn(words, terminal.colour));
  return EXIT.finished;
}

function helpOn(words: readonly string[], colour: boolean): string {
  const found = findCommand(words);
  if (found.kind === "unknown") throw new CrawlError("USAGE_UNKNOWN_COMMAND", found.problem);
  return found.kind === "command"
    ? commandHelp(found.command, colour)
    : groupHelp(found.group, colour);
}

export function generalHelp(colour: boolean): string {
  return sections([
    `Trobar ${version()}: a web crawler that is polite, exact, and keeps what it fetches.`,
    `${bold("Usage:", colour)} trobar COMMAND [ARGUMENTS] [FLAGS]`,
    `${bold("Begin with", colour)}\n${columns([
      ["trobar demo", "a crawl of a web on this machine"],
      ["trobar crawl -n 9 URL", "nine pages of a site"],
      ["trobar crawl --help", "how far, how fast, where to, what else"],
    ])}`,
    `${bold("Commands", colour)}\n${columns(COMMANDS.filter(({ built }) => built).map(row))}`,
    `${bold("Flags", colour)}\n${columns([
      ["-h, --help", "show help; after a command, its own"],
      ["-V, --version", "show the version"],
    ])}`,
    `${bold("Exit codes", colour)}\n${columns(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]))}`,
  ]);
}

export function commandHelp(command: Command, colour: boolean): string {
  const later = command.built ? "" : ` (not part of version ${version()} yet)`;
  const flags = [...command.flags, ...COMMON_FLAGS].filter(({ unbuilt }) => unbuilt !== true);
  return sections([
    wrapped(`trobar ${command.name}: ${command.summary}${later}.`, 0),
    `${bold("Usage:", colour)} ${`trobar ${command.name} ${command.usage}`.trimEnd()}`,
    ...(command.choices === undefined ? [] : [wrapped(command.choices, 0)]),
    `${bold("Flags", colour)}\n${columns(flags.map(flagRow))}`,
    `${bold("Example", colour)}\n  ${command.example}`,
  ]);
}

/** For a group of which nothing is built, all the commands to come. */
export function groupHelp(group: string, colour: boolean): string {
  const members = COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
  const built = members.filter((member) => member.built);
  const shown = built.length === 0 ? members : built;
  const later = built.length === 0 ? `\nNot part of version ${version()} yet.` : "";
  return sections([
    `${bold("Usage:", colour)} trobar ${group} COMMAND${later}`,
    columns(shown.map(row)),
    `${bold("Example", colour)}\n  ${shown[0]?.example ?? ""}`,
  ]);
}

function row({ name, summary }: Command): readonly [string, string] {
  return [name, summary];
}

function flagRow(flag: Flag): readonly [string, string] {
  const names = flag.short === undefined ? `--${flag.long}` : `-${flag.short}, --${flag.long}`;
  const value = flag.valueOptional === true ? `[${flag.value}]` : (flag.value ?? "");
  const keys = (flag.sets ?? []).map(({ key }) => key).join(", ");
  return [`${names} ${value}`.trimEnd(), keys === "" ? flag.meaning : `${flag.meaning} (${keys})`];
}

/** Two columns; a left side that is too wide has its right side on the next line. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(LEFT_COLUMNS_MAX, Math.max(...rows.map(([left]) => left.length)));
  const indent = width + 4;
  return rows
    .map(([left, right]) => {
      const text = wrapped(right, indent);
      return left.length > width
        ? `  ${left}\n${" ".repeat(indent)}${text}`
        : `  ${left.padEnd(width)}  ${text}`;
    })
    .join("\n");
}

const LEFT_COLUMNS_MAX = 28;
const COLUMNS_MAX = 80;

/** Breaks a text that begins at a column, so that it stays within eighty and in its column. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + 1 + word.length <= COLUMNS_MAX) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}

function sections(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}
