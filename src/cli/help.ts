/** Help, written from the table of commands. */
import { CrawlError } from "../errors/index.ts";
import { COMMANDS, type Command } from "./command-table.ts";
import { EXIT, EXIT_MEANINGS } from "./exit-code.ts";
import { findCommand } from "./find-command.ts";
import { COMMON_FLAGS, type Flag } from "./flag-table.ts";
import { bold, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** `trobar help [COMMAND]`. */
export async function help(args: readonly string[], terminal: Terminal): Promise<number> {
  // Loaded here: what reads flags reads YAML too, which the help itself must not wait for.
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
  const built = COMMANDS.filter((command) => command.built);
  const planned = COMMANDS.filter((command) => !command.built);
  return sections([
    `Trobar ${version()}: a scalable, fully distributed web crawler.`,
    `${bold("Usage:", colour)} trobar COMMAND [ARGUMENTS] [FLAGS]`,
    `${bold("What works today", colour)}\n${columns(built.map(row))}`,
    `${bold("To come, not part of this version", colour)}\n${columns(planned.map(row))}`,
    `${bold("Flags", colour)}\n${columns([
      ["-h, --help", "show help; after a command, its own"],
      ["--version", "show the version"],
    ])}`,
    `${bold("Exit codes", colour)}\n${columns(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]))}`,
    `${bold("Example", colour)}\n  ${built[0]?.example ?? ""}`,
  ]);
}

export function commandHelp(command: Command, colour: boolean): string {
  const later = command.built ? "" : ` (not part of version ${version()} yet)`;
  return sections([
    `trobar ${command.name}: ${command.summary}${later}.`,
    `${bold("Usage:", colour)} ${`trobar ${command.name} ${command.usage}`.trimEnd()}`,
    `${bold("Flags", colour)}\n${columns([...command.flags, ...COMMON_FLAGS].map(flagRow))}`,
    `${bold("Example", colour)}\n  ${command.example}`,
  ]);
}

export function groupHelp(group: string, colour: boolean): string {
  const members = COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
  return sections([
    `${bold("Usage:", colour)} trobar ${group} COMMAND`,
    columns(
      members.map(({ name, summary, built }) => [name, built ? summary : `${summary} (to come)`]),
    ),
    `${bold("Example", colour)}\n  ${members.find(({ built }) => built)?.example ?? members[0]?.example ?? ""}`,
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
  const width = Math.min(28, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(([left, right]) =>
      left.length > width
        ? `  ${left}\n${" ".repeat(width + 4)}${right}`
        : `  ${left.padEnd(width)}  ${right}`,
    )
    .join("\n");
}

function sections(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}
