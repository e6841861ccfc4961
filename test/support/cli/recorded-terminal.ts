/** A terminal for tests: it answers from what it is given and keeps what is written to it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "../../../src/cli/shell/terminal.ts";
import type { RowSink } from "../../../src/store/export/index.ts";

export class RecordedTerminal implements Terminal {
  readonly input: AsyncIterable<Uint8Array>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly colour: boolean;
  readonly isOutLive: boolean;
  readonly isLive: boolean;
  readonly canRewrite: boolean;
  columns = 80;
  readonly canAsk: boolean;
  /** What the user answers to every question. */
  answer = "";
  written = "";
  said = "";
  /** Called as if the user interrupted the command. */
  interrupt: () => void = () => {};
  readonly #interrupted: Promise<void>;
  readonly #waiting: { readonly pattern: RegExp; readonly heard: () => void }[] = [];

  constructor(
    given: {
      readonly input?: readonly (string | Uint8Array)[] | AsyncIterable<Uint8Array>;
      readonly environment?: Readonly<Record<string, string | undefined>>;
      readonly colour?: boolean;
      readonly isOutLive?: boolean;
      readonly isLive?: boolean;
      readonly canRewrite?: boolean;
      readonly canAsk?: boolean;
    } = {},
  ) {
    const input = given.input ?? [];
    this.input = Symbol.asyncIterator in input ? input : chunks(input);
    this.environment = given.environment ?? {};
    this.colour = given.colour ?? false;
    this.isOutLive = given.isOutLive ?? false;
    this.isLive = given.isLive ?? false;
    this.canRewrite = given.canRewrite ?? this.isLive;
    this.canAsk = given.canAsk ?? this.isLive;
    this.#interrupted = new Promise((resolve) => {
      this.interrupt = resolve;
    });
  }

  async ask(question: string): Promise<string> {
    this.said += question;
    return this.answer;
  }

  untilInterrupted(): Promise<void> {
    return this.#interrupted;
  }

  out(text: string): void {
    this.written += text;
  }

  async write(text: string | Uint8Array): Promise<boolean> {
    this.written += typeof text === "string" ? text : Buffer.from(text).toString();
    return true;
  }

  async rowSink(): Promise<RowSink> {
    return {
      write: (bytes, done) => {
        this.written += Buffer.from(bytes).toString();
        setImmediate(() => done(null, bytes.length));
      },
      cutTo: (_lengthBytes, done) => done(),
      close: (done) => done(null),
      abandon: () => {},
    };
  }

  err(text: string): void {
    this.said += text;
    for (const waiting of this.#waiting) if (waiting.pattern.test(this.said)) waiting.heard();
  }

  /** Resolves when something like this was said. */
  heard(pattern: RegExp): Promise<void> {
    return new Promise((heard) => {
      this.#waiting.push({ pattern, heard });
      if (pattern.test(this.said)) heard();
    });
  }

  /** What was written, one JSON value a line. */
  rows(): Record<string, unknown>[] {
    return this.written
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }
}

async function* chunks(pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece;
}

/** Runs something with the path of a file that holds these bytes. */
export async function withFile<Result>(
  bytes: string | Uint8Array,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-"));
  try {
    const path = join(folder, "file");
    writeFileSync(path, bytes);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
