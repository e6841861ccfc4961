import type { RowSink } from "../../store/export/index.ts";

/**
 * What a command may use of the world: three streams, the environment, interruptions by the user.
 */
export interface Terminal {
  /** Standard input, for commands that take `-`. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Results. With `--json`, JSON and nothing else. */
  out(text: string): void;
  /**
   * As `out`, for results without end: resolves when there is room for more. False when nobody
   * reads the results any longer; a command then ends, however much input is left.
   */
  write(text: string | Uint8Array): Promise<boolean>;
  /** Whether results go to a terminal, which obeys what it is sent. */
  readonly isOutLive: boolean;
  /**
   * Takes rows for as long as a command runs, as fast as the reader does; nothing is out of order.
   */
  rowSink(): Promise<RowSink>;
  /** Everything said about the work: mistakes, notes, progress. */
  err(text: string): void;
  /** Whether somebody watches: standard error is a terminal. */
  readonly isLive: boolean;
  /** Whether lines on that terminal can be overwritten; not on a dumb one. */
  readonly canRewrite: boolean;
  /** The width of that terminal now; it may change at any time. */
  readonly columns: number;
  /** Whether somebody can answer: input and standard error are a terminal. */
  readonly canAsk: boolean;
  /** Asks the user and waits for a line; "" when the input ends first. */
  ask(question: string): Promise<string>;
  /** Whether results may be coloured. */
  readonly colour: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolves when the user asks the command to end; a second request ends the process at once. */
  untilInterrupted(): Promise<void>;
}

/** Whether a stream may be coloured: only a terminal, and not where the user asks for none. */
export function mayColour(
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTerminal && (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
}

export function bold(text: string, colour: boolean): string {
  return colour ? `\u001b[1m${text}\u001b[0m` : text;
}

export function dim(text: string, colour: boolean): string {
  return colour ? `\u001b[2m${text}\u001b[0m` : text;
}
