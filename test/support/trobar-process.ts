/** The command line as a process of its own, run from the sources. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { main } from "../../src/cli/main.ts";
import { PageStore } from "../../src/store/page-store.ts";

const PROGRAM = fileURLToPath(import.meta.url);

/** Makes the store of the process fail as only a mistake of ours could make it fail. */
export const BROKEN_STORE = "BREAK_STORE_FOR_TEST";

export class TrobarProcess {
  stdout = "";
  stderr = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #watchers: { readonly text: string; readonly seen: () => void }[] = [];

  constructor(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(?:TROBAR|NODE)_/.test(name),
    );
    const env = { ...Object.fromEntries(inherited), ...environment };
    this.#child = spawn(process.execPath, [PROGRAM, ...argv], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
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

  /** Kept when standard error holds this text; rejected when the process ends without it. */
  async said(text: string): Promise<void> {
    const seen = new Promise<boolean>((resolve) => {
      this.#watchers.push({ text, seen: () => resolve(true) });
    });
    this.#look();
    const isSeen = await Promise.race([seen, this.#ended.then(() => false)]);
    if (!isSeen) throw new Error(`It ended without saying ${text}, but said:\n${this.stderr}`);
  }

  /** The exit code; null when a signal ended it. */
  async end(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  #look(): void {
    for (const { text, seen } of this.#watchers) if (this.stderr.includes(text)) seen();
  }
}

if (process.argv[1] === PROGRAM) {
  if (process.env[BROKEN_STORE] === "1") {
    PageStore.prototype.tryStore = () => {
      throw new Error("a promise was broken");
    };
  }
  await main(process.argv.slice(2));
}
