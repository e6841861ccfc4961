/**
 * The command line as a process of its own. It runs the program as `npm test` has built it, which starts
 * in half the time, or else the sources, which also can be made to fail.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { main } from "../../../src/cli/main.ts";

const PROGRAM = fileURLToPath(import.meta.url);
/** What to run where nothing has to fail. */
export const BUILT_PROGRAM: string = process.env["BUILT_PROGRAM_FOR_TEST"] ?? PROGRAM;

/** Makes the store fail as only a bug of ours could, outside the work on any page. */
export const BROKEN_STORE = "BREAK_STORE_FOR_TEST";

/** Makes the disk so slow that what is read from the queues comes only after they are closed. */
export const SLOW_QUEUES = "SLOW_QUEUES_FOR_TEST";
export const READS_HELD = "reads of the queues are held back";

interface Watcher {
  readonly text: string;
  readonly from: number;
  readonly seen: () => void;
}

export class TrobarProcess {
  stdout = "";
  stderr = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #watchers: Watcher[] = [];

  /** `command` is what runs the program; given one, the process has a group of its own. */
  constructor(
    argv: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    command: readonly string[] | null = null,
  ) {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(?:TROBAR_|NODE_(?!COMPILE_CACHE$))/.test(name),
    );
    const env = { ...Object.fromEntries(inherited), ...environment };
    const isToFail = BROKEN_STORE in environment || SLOW_QUEUES in environment;
    const [program = "", ...args] = command ?? [
      process.execPath,
      isToFail ? PROGRAM : BUILT_PROGRAM,
    ];
    this.#child = spawn(program, [...args, ...argv], {
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: command !== null,
    });
    if (command === null) this.#child.stdin?.end();
    this.#child.stdout?.on("data", (chunk) => {
      this.stdout += chunk;
    });
    this.#child.stderr?.on("data", (chunk) => {
      this.stderr += chunk;
      this.#look();
    });
    this.#ended = once(this.#child, "close");
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal to the process and to those that it has started, as a terminal does. */
  killGroup(signal: NodeJS.Signals): void {
    try {
      process.kill(-(this.#child.pid ?? 0), signal);
    } catch {
      // All of them have ended.
    }
  }

  /** Writes a line to standard input and resolves when there is an answer on standard output. */
  async ask(line: string): Promise<void> {
    this.#child.stdin?.write(`${line}\n`);
    if (this.#child.stdout !== null) await once(this.#child.stdout, "data");
  }

  /**
   * Resolves when standard error holds this text, behind the first `from` characters; rejects when the
   * process ends without it.
   */
  async said(text: string, from = 0): Promise<void> {
    const seen = new Promise<boolean>((resolve) => {
      this.#watchers.push({ text, from, seen: () => resolve(true) });
    });
    this.#look();
    const isSeen = await Promise.race([seen, this.#ended.then(() => false)]);
    if (!isSeen) throw new Error(`It ended without saying ${text}, but said:\n${this.stderr}`);
  }

  /** Resolves when it has written more to standard output; rejects when it ends instead. */
  async wrote(): Promise<void> {
    const written = this.#child.stdout === null ? [] : [once(this.#child.stdout, "data")];
    const isMore = await Promise.race([...written, this.#ended.then(() => null)]);
    if (isMore === null) throw new Error(`It ended, and said:\n${this.stderr}`);
  }

  /** The exit code; null when a signal ended it. All writers to its output have ended by then. */
  async end(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  /** The number of the process. */
  get id(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The signal that ended it. */
  get signal(): NodeJS.Signals | null {
    return this.#child.signalCode;
  }

  #look(): void {
    for (const { text, from, seen } of this.#watchers) if (this.stderr.includes(text, from)) seen();
  }
}

async function holdQueueReads(): Promise<void> {
  const { Bundle } = await import("../../../src/frontier/queues/bundles/bundle.ts");
  const { DiskHostQueues } = await import("../../../src/frontier/queues/disk-host-queues.ts");
  const held: (() => void)[] = [];
  let isClosed = false;
  const { readSome } = Bundle.prototype;
  Bundle.prototype.readSome = function (offset, lengthBytes, done) {
    const read = (): void => readSome.call(this, offset, lengthBytes, done);
    if (isClosed) read();
    else if (held.push(read) === 1) process.stderr.write(`${READS_HELD}\n`);
  };
  const { close } = DiskHostQueues.prototype;
  DiskHostQueues.prototype.close = function (done) {
    isClosed = true;
    close.call(this, done);
    for (const read of held) read();
  };
}

async function breakStore(): Promise<void> {
  const { PageStore } = await import("../../../src/store/archive/page-store.ts");
  PageStore.prototype.commit = () => {
    throw new Error("a promise was broken");
  };
}

if (process.argv[1] === PROGRAM) {
  if (process.env[SLOW_QUEUES] === "1") await holdQueueReads();
  if (process.env[BROKEN_STORE] === "1") await breakStore();
  await main(process.argv.slice(2));
}
