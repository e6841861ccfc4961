/**
 * The crawl with its parser in another process: its pages, links, texts and digests are those of a crawl
 * in one process, also if the parser is killed and started again, and if it never comes back.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DemoWeb } from "../../src/cli/demo/demo-web.ts";
import { changedProfile, PROFILES } from "../../src/lab/simweb/index.ts";
import { crawlInto, loopbackFlags } from "../support/agent/crawl-rig.ts";
import { freeAddress } from "../support/topology/free-address.ts";

const SOURCES = import.meta.resolve("./source-units.ts");

/** A unit behind the parser of the example, which tells the test of every page. */
const TOLD = `import { documentParser, filter } from "trobar/units";
const Page = documentParser.outputs.output;
export const told = filter({
  name: "told", input: Page, output: Page,
  create: () => (page, emit) => { process.stdout.write("page\\n"); emit(page); },
});
`;

const SMALL = changedProfile(PROFILES.realistic, {
  hosts: { count: 12, pages: 150, pagesMax: 24, slowDelay: 5, slowRate: 1_000_000 },
  pages: { medianBytes: 1500, bytesMax: 20_000 },
  robots: { delay: 0 },
  dns: { slowDelay: 5 },
  oddities: { stallMidBody: 0, endlessBody: 0 },
  traps: { floodLinks: 20, length: 4 },
});

/** What two crawls of the same web have in common; keyed digests and places in files differ. */
const COMPARED = [
  ...["url", "status", "mime", "charset", "bytes", "title", "language", "digest"],
  ...["redirectTo", "truncated", "error", "text", "links"],
];

type Rows = readonly (readonly unknown[])[];

class ParserProcess {
  readonly #child: ChildProcess;
  #pages = 0;
  #watch: { readonly count: number; readonly seen: () => void } | null = null;

  constructor(examples: string) {
    const topology = join(examples, "15-parser-process/parser.yaml");
    const args = ["--import", SOURCES, join(examples, "06-run-topology.js"), topology];
    this.#child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.#child.stdout?.on("data", (piece) => {
      this.#pages += String(piece).split("\n").length - 1;
      if (this.#watch !== null && this.#pages >= this.#watch.count) this.#watch.seen();
    });
  }

  get pages(): number {
    return this.#pages;
  }

  /** Resolves when it has parsed this many pages, or has ended. */
  parsed(count: number): Promise<void> {
    return new Promise((seen) => {
      this.#watch = { count, seen };
      this.#child.on("close", seen);
    });
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "close");
    this.#child.kill("SIGKILL");
    await ended;
  }
}

/** A copy of the examples, at addresses that nobody else uses. */
class Trial {
  readonly folder: string = mkdtempSync(join(tmpdir(), "trobar-parser-"));
  readonly examples: string = join(this.folder, "examples");
  readonly #web: DemoWeb;
  #crawls = 0;

  constructor(web: DemoWeb) {
    this.#web = web;
    cpSync("examples", this.examples, { recursive: true });
    this.#write("told.js", TOLD);
    const made = "  made: { type: parsed-page }\n\ncomponents:\n";
    this.change("parser.yaml", "\ncomponents:\n", made);
    this.change("parser.yaml", "output: pages }\n", "output: made }\n  told: { TOLD }\n");
    this.change("parser.yaml", "TOLD", "unit: ./told.js#told, input: made, output: pages");
  }

  async move(): Promise<void> {
    for (const before of ["127.0.0.1:7311", "127.0.0.1:7312"]) {
      const after = await freeAddress();
      for (const file of ["crawl.yaml", "parser.yaml"]) this.change(file, before, after);
    }
  }

  change(file: string, before: string, after: string): void {
    const path = join(this.examples, "15-parser-process", file);
    const text = readFileSync(path, "utf8");
    assert.ok(text.includes(before), `${file} has ${before}`);
    this.#write(file, text.replace(before, after));
  }

  /** Crawls the web, by the default topology or by that of the example, and gives its pages. */
  async crawl(isApart: boolean): Promise<Rows> {
    this.#crawls += 1;
    const { dnsPort, seed } = this.#web.facts;
    const folder = join(this.folder, `crawl-${this.#crawls}`);
    const pages = join(this.folder, `pages-${this.#crawls}.jsonl`);
    const topology = join(this.examples, "15-parser-process/crawl.yaml");
    const { code, terminal } = await crawlInto(folder, [
      ...["crawl", ...loopbackFlags(dnsPort), "-q", "-o", folder, "--scope", "any"],
      ...["--set", "parse.language=true", "--pages", pages, "--text", "--links"],
      ...(isApart ? ["--set", `topology=${topology}`] : []),
      seed,
    ]);
    assert.equal(code, 0, terminal.said);
    const rows = readFileSync(pages, "utf8").trim().split("\n");
    return rows
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map((row) => COMPARED.map((field) => row[field]))
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(file: string, text: string): void {
    writeFileSync(join(this.examples, "15-parser-process", file), text);
  }
}

export async function tryParserProcess(): Promise<void> {
  const web = await DemoWeb.open({ profile: SMALL, seed: "parser" });
  const trial = new Trial(web);
  let parser: ParserProcess | null = null;
  try {
    await trial.move();
    const expected = await trial.crawl(false);
    assert.ok(expected.length > 50, `the web has only ${expected.length} pages`);

    // So patient that every page has to come back from the other process, from either life of it.
    trial.change("crawl.yaml", "patience: 10s", "patience: 1m");
    parser = new ParserProcess(trial.examples);
    const killed = parser.parsed(20).then(async () => {
      const pages = parser?.pages ?? 0;
      await parser?.kill();
      parser = new ParserProcess(trial.examples);
      return pages;
    });
    assert.deepEqual(await trial.crawl(true), expected);
    assert.ok((await killed) >= 20, "the first life has parsed something");
    assert.ok(parser.pages > 0, "the second life has parsed something");
    await parser.kill();

    trial.change("crawl.yaml", "patience: 1m", "patience: 20ms");
    assert.deepEqual(await trial.crawl(true), expected);
  } finally {
    await parser?.kill();
    await web.close();
    trial.close();
  }
}
