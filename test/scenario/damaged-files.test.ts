/**
 * Bits that flip and files that are cut, in every kind of file of a crawl directory, of crawls that rest and
 * of some that were killed. `verify` names the damage, or it is of no consequence. Going on ends with
 * every page, or is refused with words that say what to do; then `--rebuild` helps. The web's own log says
 * which pages were fetched, and another program reads the archive: each page is there once, as the web has it.
 */
import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { RetriedPages } from "../../src/agent/control/retried-pages.ts";
import { writeRebuildState } from "../../src/agent/verify/rebuild-state.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { EXIT } from "../../src/cli/shell/exit-code.ts";
import { run } from "../../src/cli/shell/run.ts";
import { OWN_FORMS } from "../../src/store/directory/own-files.ts";
import { type CrawledWeb, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { checkArchive } from "./damaged-archive.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const TRIALS = isFull ? 400 : 40;
const PAGES = 16;
/** URLs that wait and are refused when their turn comes: enough for files beside the journals. */
const NEVER = 3200;
/** Pages with so many of them that what was seen no longer fits into memory. */
const LISTS = 7;
const LIST_URLS = 9000;

const SITE: Hosts = (port) => {
  const page = (number: number): { body: string } => {
    const links = [2 * number + 1, 2 * number + 2].filter((next) => next < PAGES);
    const anchors = links.map((next) => `<a href="/${next}">to ${next}</a>`).join(" ");
    const text = number % 5 === 4 ? "the same leaf of the tree" : `the page of number ${number}`;
    return { body: `<html lang=en><title>${text}</title><p>${text} ${anchors}</p>` };
  };
  const pages = Array.from({ length: PAGES }, (_, number) => [`/${number}`, page(number)] as const);
  const never = Array.from({ length: NEVER }, (_, number) => `/never/${number}`);
  const lists = Array.from({ length: LISTS }, (_, list) => {
    const urls = Array.from({ length: LIST_URLS }, (__, at) => `/never/${list}/${at}`);
    return [`/lists/${list}`, linking(...urls)] as const;
  });
  const away = `http://b.test:${port}/`;
  return {
    "a.test": {
      pages: {
        "/": linking("/0", away, "/list"),
        "/list": linking(...never),
        "/lists": linking(...lists.map(([path]) => path), "/"),
        ...Object.fromEntries([...pages, ...lists]),
      },
    },
    "b.test": { pages: { "/": linking("/x", `http://a.test:${port}/3`), "/x": { body: "<p>x" } } },
  };
};

const DUE = PAGES + 4;

interface Answer {
  readonly code: number;
  readonly said: string;
  readonly found: Record<string, unknown>;
}

async function ask(args: readonly string[]): Promise<Answer> {
  const terminal = new RecordedTerminal();
  const code = await run(args, terminal);
  let found: Record<string, unknown> = {};
  try {
    [found = {}] = terminal.rows() as Record<string, unknown>[];
  } catch {
    // Nothing was printed.
  }
  return { code, said: terminal.said, found };
}

/** A directory to be damaged, and how its crawl goes on. */
interface Sample {
  readonly name: string;
  readonly folder: string;
  /** How many pages it has in the end. */
  readonly due: number;
  /** Those that it has. */
  readonly fetched: ReadonlySet<string>;
  readonly files: readonly string[];
  readonly goOn: (folder: string) => string[];
}

const COMMON = ["--scope", "any", "--set", "frontier.memory=1Mi", "--delay", "1ms"];
const REFUSED = ["--set", "filters.fetch=not PathStartsWith(/never)"];

function flagsOf(web: CrawledWeb, more: readonly string[]): string[] {
  return ["crawl", ...web.flags, ...COMMON, ...REFUSED, ...more];
}

function filesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** One that rests, with a depth limit and texts. */
async function resting(web: CrawledWeb): Promise<Sample> {
  const folder = join(web.folder, "resting");
  const from = web.asked.length;
  const args = flagsOf(web, ["-d", "9", "--set", "store.text=true", "--set", "store.refused=true"]);
  const seed = web.url("a.test/");
  const stopped = await ask([...args, "-q", "--json", "-n", "9", "-o", folder, seed]);
  assert.equal(stopped.code, 0, stopped.said);
  const asked = await ask(["seed", "-o", folder, web.url("b.test/x")]);
  assert.equal(asked.code, 0, asked.said);
  new RetriedPages(folder).add([{ url: seed, fetchedAt: new Date(0).toISOString() }]);
  for (const name of ["control", "faults"]) {
    writeFileSync(join(folder, "logs", `${name}.log`), `${JSON.stringify({ at: name })}\n`);
  }
  return {
    ...{
      name: "resting",
      due: DUE,
      folder,
      fetched: new Set(web.asked.slice(from)),
      files: filesOf(folder),
    },
    goOn: (copy) => [...args, "-q", "--json", "-n", "1000", "-o", copy, seed],
  };
}

/** One whose rebuild has begun. Nothing of it is done yet, so the file that says so is the only other one. */
function rebuilding(web: CrawledWeb, resting: Sample): Sample {
  const folder = join(web.folder, "rebuilding");
  cpSync(resting.folder, folder, { recursive: true });
  writeRebuildState(folder, { phase: "salvage", id: "20261118000000", salvaged: null });
  return { ...resting, name: "rebuilding", folder, files: ["rebuild.json"] };
}

/** One of several lanes, with another compression. */
async function lanes(web: CrawledWeb): Promise<Sample> {
  const folder = join(web.folder, "lanes");
  const from = web.asked.length;
  const seed = web.url("a.test/");
  const args = (copy: string, pages: number): string[] => [
    ...flagsOf(web, ["--lanes", "2", "-d", "9", "--set", "store.compression=zstd"]),
    ...["-q", "--json", "-n", String(pages), "-o", copy, seed],
  ];
  const stopped = await ask(args(folder, 9));
  assert.equal(stopped.code, 0, stopped.said);
  const files = filesOf(folder).filter((name) => /^(?:frontier|links)\/\d|\.zst$/.test(name));
  return {
    ...{ name: "lanes", due: DUE, folder, files, fetched: new Set(web.asked.slice(from)) },
    goOn: (copy) => args(copy, 1000),
  };
}

/**
 * One whose process was killed, with an archive file that is still open. Queues are on disk only for some
 * moments, which a busy machine may miss: then another one is killed.
 */
async function killed(web: CrawledWeb): Promise<Sample> {
  let sample = await killedWith(web, "killed", []);
  for (let again = 1; again < 8 && !sample.files.some(isBundle); again += 1) {
    sample = { ...(await killedWith(web, `killed-${again}`, [])), name: "killed" };
  }
  return sample;
}

function isBundle(file: string): boolean {
  return file.includes("queues/bundle-");
}

/** One that was killed, and writes lines of JSON. */
async function lines(web: CrawledWeb): Promise<Sample> {
  const sample = await killedWith(web, "lines", ["--set", "store.kind=jsonl"]);
  return { ...sample, files: sample.files.filter((name) => /^(?:pages|spool)\//.test(name)) };
}

async function killedWith(
  web: CrawledWeb,
  name: string,
  flags: readonly string[],
): Promise<Sample> {
  const folder = join(web.folder, name);
  const from = web.asked.length;
  const args = flagsOf(web, ["--delay", "60ms", "--set", "store.checkpoint=100ms", ...flags]);
  const seed = web.url("a.test/");
  const crawl = new TrobarProcess([...args, "-o", folder, seed]);
  await Promise.race([web.requests(from + 14), crawl.end()]);
  crawl.kill("SIGKILL");
  await crawl.end();
  // What a body that did not fit into memory leaves.
  mkdirSync(join(folder, "spool", "bodies"), { recursive: true });
  writeFileSync(join(folder, "spool", "bodies", "0"), "left over");
  return {
    ...{ name, due: DUE, folder, fetched: new Set(web.asked.slice(from)) },
    files: filesOf(folder),
    goOn: (copy) => [...flagsOf(web, flags), "-q", "--json", "-n", "1000", "-o", copy, seed],
  };
}

/** One that has seen more than fits into memory. */
async function large(web: CrawledWeb): Promise<Sample> {
  const folder = join(web.folder, "large");
  const from = web.asked.length;
  const seed = web.url("a.test/lists");
  const args = (copy: string, pages: number): string[] => [
    ...[...flagsOf(web, []), "-q", "--json", "-n", String(pages), "-o", copy, seed],
  ];
  const stopped = await ask(args(folder, 12));
  assert.equal(stopped.code, 0, stopped.said);
  const files = filesOf(folder).filter((name) => /sieve|bundle|takes/.test(name));
  assert.ok(
    files.some((name) => name.includes("sieve/runs/")),
    files.join(" "),
  );
  return {
    ...{ name: "large", due: DUE + 1 + LISTS, folder, fetched: new Set(web.asked.slice(from)) },
    ...{ files, goOn: (copy: string) => args(copy, 1000) },
  };
}

type Damage = { readonly what: string; readonly apply: (path: string) => void };

function damageFor(random: Random, path: string): Damage {
  const { size } = statSync(path);
  if (size === 0) return { what: "not empty", apply: (file) => appendFileSync(file, "x") };
  if (random.below(3) === 0) {
    const length = random.below(size);
    return { what: `cut to ${length} of ${size}`, apply: (file) => truncateSync(file, length) };
  }
  const at = random.below(size);
  const bit = random.below(8);
  return {
    what: `bit ${bit} of byte ${at} of ${size}`,
    apply: (file) => {
      const bytes = readFileSync(file);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      writeFileSync(file, bytes);
    },
  };
}

/** All pages that are due have been fetched by the sample or since. */
function missing(web: CrawledWeb, sample: Sample, from: number): number {
  const all = new Set([...sample.fetched, ...web.asked.slice(from)]);
  return sample.due - all.size;
}

async function tryDamage(web: CrawledWeb, sample: Sample, folder: string): Promise<string> {
  const verified = await ask(["store", "verify", "--json", "-q", "-o", folder]);
  assert.ok([EXIT.finished, EXIT.disk].includes(verified.code as never), verified.said);
  const isNamed = verified.code === EXIT.disk;
  const from = web.asked.length;
  const on = await ask(sample.goOn(folder));
  assert.notEqual(on.code, EXIT.unexpected, on.said);
  if (on.code === EXIT.finished) {
    assert.equal(missing(web, sample, from), 0, `pages are missing: ${on.said}`);
    if (isNamed) {
      await rebuildAndGoOn(web, sample, folder);
      return "named, went on, and rebuilt";
    }
    const again = await ask(["store", "verify", "--json", "-q", "-o", folder]);
    assert.deepEqual(again.found["problems"], [], "what was harmless is found later");
    await checkStored(web, sample, folder);
    return "harmless";
  }
  assert.match(on.said, /--rebuild|rebuild again|emove it|estore it|Put it back/, on.said);
  assert.ok(isNamed, `verify found nothing, and the crawl refuses: ${on.said}`);
  assert.equal(on.code, EXIT.disk, on.said);
  if (!/--rebuild|rebuild again/.test(on.said)) return "refused, to be restored";
  if (/remove rebuild\.json/.test(on.said)) rmSync(join(folder, "rebuild.json"));
  await rebuildAndGoOn(web, sample, folder);
  assert.equal(missing(web, sample, from), 0, "pages are missing after the rebuild");
  return "rebuilt";
}

async function rebuildAndGoOn(web: CrawledWeb, sample: Sample, folder: string): Promise<void> {
  const rebuilt = await ask(["store", "verify", "--rebuild", "--json", "-q", "-o", folder]);
  assert.equal(rebuilt.code, EXIT.finished, rebuilt.said);
  const clean = await ask(["store", "verify", "--json", "-q", "-o", folder]);
  assert.deepEqual(clean.found["problems"], [], clean.said);
  const ended = await ask(sample.goOn(folder));
  assert.equal(ended.code, EXIT.finished, ended.said);
  await checkStored(web, sample, folder);
}

/** What is stored is what the web has, each page once. */
async function checkStored(web: CrawledWeb, sample: Sample, folder: string): Promise<void> {
  if (sample.name === "lines") checkLines(sample, folder);
  else await checkArchive(folder, SITE(Number(new URL(web.url("a.test/")).port)), sample.due);
}

/** In a store of lines every page is there once, as another program reads them. */
function checkLines(sample: Sample, folder: string): void {
  const files = filesOf(folder).filter((name) => name.startsWith("pages/"));
  const texts = files.map((name) => gunzipSync(readFileSync(join(folder, name))).toString());
  const urls = texts
    .flatMap((text) => text.trimEnd().split("\n"))
    .map((line) => (JSON.parse(line) as { url: string }).url)
    .filter((url) => !url.includes("/never/"));
  assert.equal(new Set(urls).size, urls.length, "a page has two lines");
  assert.equal(urls.length, sample.due, "a page has no line");
}

/** Files of one kind have one turn: those of lanes, segments and runs, and all manifests. */
function kindOf(name: string): string {
  if (name.endsWith(".manifest")) return "manifest";
  return name.replace(/[^/]*(\.warc.*)$/, "x$1").replace(/\d+/g, "N");
}

/** Lanes have the same files as a crawl of one: in ordinary runs one of each folder is enough. */
function turnOf(sample: Sample, name: string): string {
  if (sample.name !== "lanes" || isFull) return kindOf(name);
  return name.replace(/\/.*?(\.zst)?$/, "$1");
}

/** Files that no sample has, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "crawl.lock-journal": "SQLite makes it while it locks the file, and empties it",
  "spool/connectors/x/in.log": "of units in other processes: remote-disk-faults.test.ts",
  "spool/connectors/x/out.log": "of units in other processes: remote-disk-faults.test.ts",
  "spool/connectors/x/stream": "of units in other processes: remote-disk-faults.test.ts",
  ...Object.fromEntries(
    [
      ...["cluster/members", "cluster/limits", "cluster/seeds.log", "frontier/foreign/text.log"],
      ...["inbox/in.log", "outbox/x/out.log", "outbox/x/stream", "claims/run-1"],
    ].map((name) => [name, "of an agent among others: damaged-agents.test.ts"]),
  ),
};

/** Every form that a file of a crawl may have is that of a file which is damaged here. */
function checkKinds(samples: readonly Sample[]): void {
  const files = samples.flatMap((sample) => sample.files);
  const names = [...files, ...Object.keys(ELSEWHERE)].map((name) =>
    name.replace(/^(frontier|links)\/\d+\/\d+\//, "$1/"),
  );
  const missing = OWN_FORMS.filter((form) => !names.some((name) => form.test(name)));
  assert.deepEqual(missing, [], "files of these forms are not damaged by any test");
  for (const ending of [/\.warc\.gz$/, /\.warc\.gz\.open$/, /\.warc\.zst$/, /\.jsonl\.gz/]) {
    assert.ok(
      files.some((name) => ending.test(name)),
      String(ending),
    );
  }
}

/** Of a crawl that was killed, files that are in another state than those of one that rests. */
const OF_KILLED = /^(?:crawl\.db|warc|logs\/crawl\.log|frontier\/(?:sieve|queues)|index|api)/;

test("no damage to any file is silent, fails unexpectedly, or costs a page", async (t) => {
  const seed = process.env["TROBAR_SEED"] ?? "files";
  const again = `TROBAR_SEED=${seed}`;
  t.diagnostic(again);
  await withWeb(SITE, async (web) => {
    const rests = await resting(web);
    const samples = [
      ...[rests, await killed(web), await lines(web), await lanes(web), rebuilding(web, rests)],
      ...(isFull ? [await large(web)] : []),
    ];
    checkKinds(samples);
    const turns = samples.flatMap((sample) => {
      const own = (name: string): boolean => sample.name !== "killed" || OF_KILLED.test(name);
      const kinds = Map.groupBy(sample.files.filter(own), (name) => turnOf(sample, name));
      return [...kinds].map(([kind, names]) => ({ sample, kind, names }));
    });
    const outcomes = new Map<string, number>();
    const failures: string[] = [];
    for (let trial = 0; trial < Math.max(TRIALS, turns.length); trial += 1) {
      const random = new SeededRandom(`${seed} ${trial}`);
      const turn = turns[trial % turns.length] ?? assert.fail();
      const { sample, names } = turn;
      const name = names[random.below(names.length)] ?? "";
      const damage = damageFor(random, join(sample.folder, name));
      const folder = join(web.folder, `trial-${trial}`);
      cpSync(sample.folder, folder, { recursive: true });
      damage.apply(join(folder, name));
      const what = `${again}, trial ${trial}, ${sample.name}, ${name}, ${damage.what}`;
      try {
        const outcome = await tryDamage(web, sample, folder);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      } catch (error) {
        failures.push(`${what}: ${String(error)}`);
      }
      rmSync(folder, { recursive: true });
    }
    t.diagnostic(JSON.stringify(Object.fromEntries(outcomes)));
    assert.deepEqual(failures, []);
  });
});
