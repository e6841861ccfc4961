/**
 * Finds the command that a command line asks for and runs it. Everything outside the program is
 * reached through the terminal that is passed in, so this runs in a test as in a process.
 */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { COMMANDS, type Command } from "./command-table.ts";
import { EXIT, exitCodeOf } from "./exit-code.ts";
import { findCommand } from "./find-command.ts";
import { asTyped, programName } from "./program-name.ts";
import type { Terminal } from "./terminal.ts";

/** Runs with the arguments after the name of the command and returns the exit code. */
export type CommandCode = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** A command's code is loaded when it runs and not before: `--help` must be quick. */
const CODE: ReadonlyMap<string, () => Promise<CommandCode>> = new Map([
  ["crawl", async () => (await import("../crawl/crawl.ts")).crawl],
  ["agent", async () => (await import("../agent/agent.ts")).agent],
  ["demo", async () => (await import("../demo/demo.ts")).demo],
  ["pause", async () => (await import("../control/steer.ts")).pause],
  ["resume", async () => (await import("../control/steer.ts")).resume],
  ["stop", async () => (await import("../control/steer.ts")).stop],
  ["retry", async () => (await import("../control/retry.ts")).retry],
  ["set", async () => (await import("../control/set.ts")).set],
  ["hosts", async () => (await import("../control/hosts.ts")).hosts],
  ["hosts block", async () => (await import("../control/hosts.ts")).blockHost],
  ["hosts unblock", async () => (await import("../control/hosts.ts")).unblockHost],
  ["hosts purge", async () => (await import("../control/hosts.ts")).purgeHost],
  ["leave", async () => (await import("../control/peers.ts")).leave],
  ["peers", async () => (await import("../control/peers.ts")).peers],
  ["peers forget", async () => (await import("../control/peers.ts")).forgetPeer],
  ["peers token", async () => (await import("../control/peers-token.ts")).peersToken],
  ["seed", async () => (await import("../control/seed.ts")).seed],
  ["status", async () => (await import("../control/status.ts")).status],
  ["explain", async () => (await import("../control/explain.ts")).explain],
  ["doctor", async () => (await import("../doctor/doctor.ts")).doctor],
  ["help", async () => (await import("./help.ts")).help],
  ["simweb", async () => (await import("../demo/simweb.ts")).simweb],
  ["simulate", async () => (await import("../simulate/simulate.ts")).simulate],
  ["inspect config", async () => (await import("../inspect/inspect-config.ts")).inspectConfig],
  ["inspect filter", async () => (await import("../inspect/inspect-filter.ts")).inspectFilter],
  ["inspect links", async () => (await import("../inspect/inspect-links.ts")).inspectLinks],
  ["inspect url", async () => (await import("../inspect/inspect-url.ts")).inspectUrl],
  [
    "inspect topology",
    async () => (await import("../inspect/inspect-topology.ts")).inspectTopology,
  ],
  ["store export", async () => (await import("../store/store-export.ts")).storeExport],
  ["store get", async () => (await import("../store/store-get.ts")).storeGet],
  ["store links", async () => (await import("../store/store-links.ts")).storeLinks],
  ["store list", async () => (await import("../store/store-list.ts")).storeList],
  ["store stats", async () => (await import("../store/store-stats.ts")).storeStats],
  ["store verify", async () => (await import("../store/store-verify.ts")).storeVerify],
  ["store stream", async () => (await import("../store/store-stream.ts")).storeStream],
  ["inspect robots", async () => (await import("../inspect/inspect-robots.ts")).inspectRobots],
]);

/** Returns the exit code. Throws only unexpected errors. */
export async function run(
  argv: readonly string[],
  terminal: Terminal,
  code: ReadonlyMap<string, () => Promise<CommandCode>> = CODE,
): Promise<number> {
  try {
    return await dispatch(argv, terminal, code);
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    const message = asTyped(error.message, programName(terminal.environment));
    terminal.err(`trobar: ${message}\n`);
    return exitCodeOf(error.code);
  }
}

async function dispatch(
  argv: readonly string[],
  terminal: Terminal,
  code: ReadonlyMap<string, () => Promise<CommandCode>>,
): Promise<number> {
  const [first] = argv;
  if (first === undefined || first === "--help" || first === "-h") return showHelp(terminal);
  if (first === "--version" || first === "-V") {
    const { version } = await import("../../base/package/index.ts");
    terminal.out(`${version()}\n`);
    return EXIT.finished;
  }
  if (first.startsWith("-")) return refuseFlags(argv);
  const found = findCommand(argv);
  if (found.kind === "unknown") throw new CrawlError("USAGE_UNKNOWN_COMMAND", found.problem);
  if (found.kind === "group") return showGroup(found.group, argv.slice(1), terminal);
  if (asksForHelp(found.rest)) return showHelp(terminal, found.command);
  const load = code.get(found.command.name);
  if (load === undefined) return refuseUnbuilt(found.command);
  const command = await load();
  return await command(found.rest, terminal);
}

async function showHelp(terminal: Terminal, command?: Command): Promise<number> {
  const { commandHelp, generalHelp } = await import("./help.ts");
  const { colour } = terminal;
  terminal.out(command === undefined ? generalHelp(colour) : commandHelp(command, colour));
  return EXIT.finished;
}

/** A group alone is a question if it asks for help, and a mistake otherwise. */
async function showGroup(
  group: string,
  rest: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { groupHelp } = await import("./help.ts");
  if (!asksForHelp(rest)) {
    const text = groupHelp(group, false).trimEnd();
    throw new CrawlError("USAGE_BAD_ARGUMENT", `${group} needs a command after it.\n\n${text}`);
  }
  terminal.out(groupHelp(group, terminal.colour));
  return EXIT.finished;
}

async function refuseFlags(argv: readonly string[]): Promise<never> {
  const { parseCommandLine } = await import("./arguments.ts");
  const { renderMistakes } = await import("../../rules/settings/index.ts");
  const flags = [
    { long: "help", short: "h", meaning: "" },
    { long: "version", short: "V", meaning: "" },
  ];
  const { mistakes } = parseCommandLine(argv, flags);
  const list = mistakes.length === 0 ? "" : `${renderMistakes(mistakes, 0)}\n`;
  const remedy = "A command comes first; `trobar --help` lists them.";
  throw new CrawlError("USAGE_UNKNOWN_FLAG", `${list}${remedy}`);
}

async function refuseUnbuilt({ name }: Command): Promise<never> {
  const { version } = await import("../../base/package/index.ts");
  const works = COMMANDS.filter(({ built }) => built).map((one) => `trobar ${one.name}`);
  throw new CrawlError(
    "USAGE_NOT_BUILT",
    `\`trobar ${name}\` is not part of this version (${version()}) yet.\n` +
      `What works today: ${[...works, "trobar --version"].join(", ")}.`,
  );
}

/** Anywhere before `--`, as people add it to the end of what they have typed. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const flags = end === -1 ? args : args.slice(0, end);
  return flags.includes("--help") || flags.includes("-h");
}
