/**
 * The program's edge: arguments, streams and exit code of the process. The exit code is set and
 * the process left to end by itself, so that everything written is seen; a reader that goes away
 * (`trobar --help | head -1`) is not a failure.
 */
import { isNoRoom, systemCodeOf } from "../base/errors/index.ts";
import { thrownReason } from "../base/text/index.ts";
import { EXIT } from "./shell/exit-code.ts";
import { ProcessSignals } from "./shell/process-signals.ts";
import { run } from "./shell/run.ts";
import { mayColour, type Terminal } from "./shell/terminal.ts";

const STDOUT = 1;

export async function main(argv: readonly string[]): Promise<void> {
  let lostCode: number | null = null;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // Every further write fails in the same way; once is enough to know it.
    if (error.code === "EPIPE" || lostCode !== null) return;
    lostCode = EXIT.disk;
    process.exitCode = lostCode;
    process.stderr.write(`trobar: ${lostOutput(error)}\n`);
  });
  // A failure to write here cannot be reported; trying to would go on for ever.
  process.stderr.on("error", () => {});
  process.on("uncaughtException", (error) => {
    tellFailure(error, () => process.exit(EXIT.unexpected));
  });
  try {
    const code = await run(argv, terminal());
    process.exitCode = lostCode ?? code;
  } catch (error) {
    process.exitCode = EXIT.unexpected;
    tellFailure(error, () => {});
  }
}

const DEFAULT_COLUMNS = 80;

function terminal(): Terminal {
  const signals = new ProcessSignals(() => process.exit(EXIT.interrupted));
  return {
    input: process.stdin,
    out: (text) => process.stdout.write(text),
    write: (text) =>
      new Promise((resolve) => process.stdout.write(text, (error) => resolve(error == null))),
    rowSink: async () => (await import("../store/export/index.ts")).openDescriptor(STDOUT, "-"),
    isOutLive: process.stdout.isTTY === true,
    err: (text) => process.stderr.write(text),
    isLive: process.stderr.isTTY === true,
    canRewrite: process.stderr.isTTY === true && process.env["TERM"] !== "dumb",
    get columns() {
      // 0 where the terminal does not know.
      return process.stderr.columns || DEFAULT_COLUMNS;
    },
    canAsk: process.stderr.isTTY === true && process.stdin.isTTY === true,
    ask,
    colour: mayColour(process.stdout.isTTY === true, process.env),
    environment: process.env,
    untilInterrupted: () => signals.untilInterrupted(),
  };
}

/** The end of the input counts as an empty answer. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin });
  return await new Promise((resolve) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("close", () => resolve(""));
  });
}

/** Why nothing more can be written to standard output. */
function lostOutput(error: NodeJS.ErrnoException): string {
  const code = systemCodeOf(error);
  const why = isNoRoom(code) || code === "EFBIG" ? "its disk is full" : error.message;
  return (
    `The results could not be written to standard output: ${why}. ` +
    "What is there is not complete. Free some space, or write them elsewhere."
  );
}

/** One line; the stack only if it is asked for. */
function tellFailure(error: unknown, then: () => void): void {
  const stack = error instanceof Error ? error.stack : undefined;
  const text =
    process.env["TROBAR_DEBUG"] === "1"
      ? `trobar: unexpected failure: ${stack ?? thrownReason(error)}\n`
      : `trobar: unexpected failure: ${thrownReason(error)} (TROBAR_DEBUG=1 shows where)\n`;
  process.stderr.write(text, () => then());
}
