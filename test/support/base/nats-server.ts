/** A nats-server of its own for a test, on a free port of loopback. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { watch as changesIn } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LOG = "server.log";

export class NatsServer {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, process: ChildProcess, folder: string) {
    this.url = url;
    this.#process = process;
    this.#folder = folder;
  }

  /** `configuration` is added to what every such server has; port -1 is any that is free. */
  static async start(configuration = "", port = -1): Promise<NatsServer> {
    const folder = mkdtempSync(join(tmpdir(), "trobar-nats-"));
    const file = join(folder, "server.conf");
    writeFileSync(
      file,
      `listen: "127.0.0.1:${port}"\nports_file_dir: "${folder}"\nlog_file: "${join(folder, LOG)}"\n${configuration}`,
    );
    const ports = new Promise<string>((resolve) => {
      const watcher = watch(folder, (_event, name) => {
        if (name === null || !name.endsWith(".ports")) return;
        const text = readFileSync(join(folder, name), "utf8");
        if (text === "") return;
        watcher.close();
        resolve(text);
      });
    });
    const process = spawn("nats-server", ["-c", file], { stdio: "ignore" });
    const { nats } = JSON.parse(await ports) as { readonly nats: readonly [string] };
    return new NatsServer(nats[0], process, folder);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Resolves when its log has this as often. */
  async said(words: RegExp, times: number): Promise<void> {
    const all = new RegExp(words, "g");
    const count = (): number =>
      [...readFileSync(join(this.#folder, LOG), "utf8").matchAll(all)].length;
    for await (const _ of changesIn(this.#folder)) if (count() >= times) return;
  }

  /** It keeps its connections, takes further ones, and says nothing any more. */
  suspend(): void {
    this.#process.kill("SIGSTOP");
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
