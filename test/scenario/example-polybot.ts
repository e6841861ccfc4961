/**
 * The crawl that is split as PolyBot was: three processes, started by the script of the example, fetch
 * the same pages as a crawl in one process, each once and politely. If a fetching process is killed and
 * started again, still no page is missing.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DemoWeb } from "../../src/cli/demo/demo-web.ts";
import { type FetchableUrl, keyOf } from "../../src/formats/url/index.ts";
import { changedProfile, PROFILES } from "../../src/lab/simweb/index.ts";
import { loopbackFlags } from "../support/agent/crawl-rig.ts";
import { BUILT_PROGRAM } from "../support/cli/trobar-process.ts";

const SMALL = changedProfile(PROFILES.realistic, {
  hosts: { count: 16, pages: 200, pagesMax: 24, slowDelay: 5, slowRate: 1_000_000 },
  pages: { medianBytes: 1500, bytesMax: 20_000 },
  robots: { delay: 0 },
  dns: { slowDelay: 5 },
  oddities: { stallMidBody: 0, endlessBody: 0 },
  traps: { floodLinks: 20, length: 4 },
});

const HOST_DELAY_MS = 20;

/** What two crawls of webs that differ in their ports have in common. */
const COMPARED = ["url", "status", "mime", "charset", "title", "redirectTo", "truncated", "error"];

/** A process of the program, with all that it said. */
class Life {
  said = "";
  noted = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [BUILT_PROGRAM, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#ended = once(this.#child, "close");
    this.#child.stdout?.on("data", (piece) => {
      this.said += piece;
    });
    this.#child.stderr?.on("data", (piece) => {
      this.noted += piece;
    });
  }

  /** Resolves when it has said this many lines, or has ended. */
  async lines(count: number): Promise<void> {
    const said = new Promise<void>((seen) => {
      this.#child.stdout?.on("data", () => {
        if (this.said.split("\n").length > count) seen();
      });
    });
    await Promise.race([said, this.#ended]);
  }

  /** Its exit code; null after a kill. */
  async end(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}

/** A web, a copy of the example at addresses that nobody else uses, and crawls of it. */
class Trial {
  readonly folder: string = mkdtempSync(join(tmpdir(), "trobar-polybot-"));
  readonly #example: string = join(this.folder, "16-polybot");
  readonly #web: DemoWeb;

  private constructor(web: DemoWeb) {
    this.#web = web;
    cpSync("examples/16-polybot", this.#example, { recursive: true });
  }

  static async open(): Promise<Trial> {
    const trial = new Trial(await DemoWeb.open({ profile: SMALL, seed: "polybot" }));
    for (const port of ["7321", "7322", "7323"]) {
      const free = await freePort();
      for (const file of ["crawl", "fetch-1", "fetch-2"]) {
        const path = join(trial.#example, `${file}.yaml`);
        writeFileSync(path, readFileSync(path, "utf8").replaceAll(port, free));
      }
    }
    return trial;
  }

  get seed(): string {
    return this.#web.facts.seed;
  }

  get flags(): readonly string[] {
    return [
      ...[...loopbackFlags(this.#web.facts.dnsPort), "--scope", "any"],
      ...["--delay", `${HOST_DELAY_MS}ms`, "--ip-delay", "0", "-q"],
    ];
  }

  /** Starts one of its three processes, or with null a crawl by one process. */
  start(name: string | null, args: readonly string[] = []): Life {
    const folder = join(this.folder, name ?? "whole");
    const topology = join(this.#example, `${name}.yaml`);
    return new Life([
      ...["crawl", ...this.flags, "--fresh", "-o", folder],
      ...[...(name === null ? [] : ["--set", `topology=${topology}`]), ...args],
    ]);
  }

  /** Runs the script of the example, where `npx trobar` is the program of this checkout. */
  async script(): Promise<void> {
    const npx = join(this.folder, "npx");
    writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${BUILT_PROGRAM}" "$@"\n`);
    chmodSync(npx, 0o755);
    const env = { ...process.env, PATH: `${this.folder}:${process.env["PATH"]}` };
    const script = join(this.#example, "run.sh");
    const child = spawn("sh", [script, this.seed, ...this.flags], {
      ...{ cwd: this.folder, env, stdio: ["ignore", "ignore", "pipe"] },
    });
    let noted = "";
    child.stderr?.on("data", (piece) => {
      noted += piece;
    });
    assert.equal((await once(child, "close"))[0], 0, noted);
  }

  /** The pages of a crawl, but for what depends on the port of the web. */
  pagesOf({ said }: Life): unknown[][] {
    const port = new RegExp(`:${new URL(this.seed).port}\\b`, "g");
    return (
      said
        .replaceAll(port, "")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        // Of several forms of a URL with one key the first that is found is fetched.
        .map(
          (row) => ({ ...row, url: keyOf(row["url"] as FetchableUrl) }) as Record<string, unknown>,
        )
        .map((row) => COMPARED.map((field) => row[field]))
        .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
    );
  }

  async judge(folder: string) {
    const judgement = await this.#web.judge({
      crawl: { seeds: [this.seed], scope: "any", retries: 2 },
      rules: { hostDelayMs: HOST_DELAY_MS, addressDelayMs: 0, retryAfterMsMax: 20 },
      folder: join(this.folder, folder),
    });
    return judgement;
  }

  async close(): Promise<void> {
    await this.#web.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return String(port);
}

async function withTrial(use: (trial: Trial) => Promise<void>): Promise<void> {
  const trial = await Trial.open();
  try {
    await use(trial);
  } finally {
    await trial.close();
  }
}

const SEEDED = ["--pages", "-"];

/** The pages of a crawl by one process. */
async function expectedPages(): Promise<unknown[][]> {
  let pages: unknown[][] = [];
  await withTrial(async (trial) => {
    const crawl = trial.start(null, [...SEEDED, trial.seed]);
    assert.equal(await crawl.end(), 0, crawl.noted);
    pages = trial.pagesOf(crawl);
  });
  assert.ok(pages.length > 100, `the web has only ${pages.length} pages`);
  return pages;
}

/** Crawls by three processes; when there are some pages, one of the fetching ones is killed. */
async function tryKill(trial: Trial, expected: unknown[][]): Promise<void> {
  const lives = [trial.start("fetch-1"), trial.start("fetch-2")];
  try {
    const crawl = trial.start("crawl", [...SEEDED, trial.seed]);
    lives.push(crawl);
    await crawl.lines(40);
    await lives.shift()?.kill();
    lives.push(trial.start("fetch-1"));
    for (const life of lives) assert.equal(await life.end(), 0, life.noted);
    assert.deepEqual(trial.pagesOf(crawl), expected);
    assert.equal((await trial.judge("crawl")).verdict.coverage, 1);
  } finally {
    for (const life of lives) await life.kill();
  }
}

export async function tryPolybot(): Promise<void> {
  await withTrial(async (trial) => {
    await trial.script();
    const { verdict, archive } = await trial.judge("crawl-polybot");
    assert.deepEqual(verdict.sins, []);
    assert.deepEqual(archive.sins, []);
    assert.equal(verdict.coverage, 1);
    assert.equal(verdict.overlap, 0);
  });
  const expected = await expectedPages();
  await withTrial((trial) => tryKill(trial, expected));
}
