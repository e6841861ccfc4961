/** What a command may touch of the world: two streams of text, and the environment. */
export interface Terminal {
  /** Results. With `--json`, JSON and nothing else. */
  out(text: string): void;
  /** Everything said about the work: mistakes, notes, progress. */
  err(text: string): void;
  /** Whether results may be coloured. */
  readonly colour: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
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
