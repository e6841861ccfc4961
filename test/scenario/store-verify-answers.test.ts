/**
 * `trobar store verify` reads the journals of answers that a killed crawl goes on from, and compares them
 * with the lines that need them. Whatever is done to them, it is found; the crawl goes on, if need be after
 * `--rebuild`, and ends with every page. The web's own log says which pages were fetched.
 */
import assert from "node:assert/strict";
import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXIT } from "../../src/cli/shell/exit-code.ts";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const PAGES = 40;

/** Each page leads to the next two; every second one asks not to be archived. */
const SITE: Hosts = () => {
  const page = (number: number) => {
    const links = [2 * number + 1, 2 * number + 2].filter((next) => next < PAGES);
    const anchors = links.map((next) => `<a href="/${next}">${next}</a>`).join(" ");
    const head = number % 2 === 0 ? '<meta name="robots" content="noarchive">' : "";
    return {
      body: `<html lang=en>${head}<title>${number}</title><p>page ${number} ${anchors}</p>`,
    };
  };
  const pages = Array.from({ length: PAGES }, (_, number) => [`/${number}`, page(number)] as const);
  return { "a.test": { pages: Object.fromEntries(pages) } };
};

interface Answer {
  readonly code: number;
  readonly said: string;
  readonly problems: readonly { file: string; url: string | null; problem: string }[];
}

async function ask(args: readonly string[]): Promise<Answer> {
  const terminal = new RecordedTerminal();
  const code = await run(args, terminal);
  const [found = {}] = code === EXIT.finished || code === EXIT.disk ? terminal.rows() : [];
  const { problems = [] } = found as unknown as Partial<Answer>;
  return { code, said: terminal.said, problems };
}

function verified(folder: string): Promise<Answer> {
  return ask(["store", "verify", "--json", "-q", "-o", folder]);
}

/** Crawls without checkpoints until it has fetched some pages, and kills it. */
async function killed(web: CrawledWeb, name: string, args: readonly string[]): Promise<string> {
  const folder = join(web.folder, name);
  const from = web.entries.length;
  const flags = [...web.flags, "--delay", "20ms", "--set", "store.checkpoint=1h", ...args];
  const crawl = new TrobarProcess(["crawl", ...flags, "-o", folder, web.url("a.test/0")]);
  await Promise.race([web.requests(from + 16), crawl.end()]);
  crawl.kill("SIGKILL");
  await crawl.end();
  return folder;
}

/** What is done to the journals of a crawl, and what is found; null if it is of no consequence. */
const HARM: readonly (readonly [
  name: string,
  damage: (folder: string, files: readonly string[]) => void,
  file: RegExp | null,
])[] = [
  ["nothing", () => undefined, null],
  ["a flipped bit", (folder, files) => flip(join(folder, logIn(files))), /^spool\/answers\/0-[ab]/],
  [
    "a cut journal",
    (folder, files) => truncateSync(join(folder, logIn(files)), sizeOf(folder, logIn(files)) >> 1),
    /^spool\/answers/,
  ],
  ["an empty journal", (folder, files) => truncateSync(join(folder, logIn(files)), 0), /^spool/],
  ["a missing journal", (folder, files) => rmSync(join(folder, logIn(files))), /^spool\/answers/],
  [
    "a missing manifest",
    (folder, files) => rmSync(join(folder, manifestIn(files))),
    /^spool\/answers/,
  ],
  [
    "a damaged manifest",
    (folder, files) => writeFileSync(join(folder, manifestIn(files)), "x"),
    /^spool\/answers/,
  ],
  ["no journals", (folder) => rmSync(folder, { recursive: true }), /^spool\/answers/],
  ["a file too many", (folder) => writeFileSync(join(folder, "0-c"), "what is this"), null],
];

function logIn(files: readonly string[]): string {
  return files.find((name) => name.endsWith(".log")) ?? assert.fail(files.join());
}

function manifestIn(files: readonly string[]): string {
  return files.find((name) => name.endsWith(".manifest")) ?? assert.fail(files.join());
}

function sizeOf(folder: string, name: string): number {
  return statSync(join(folder, name)).size;
}

function flip(path: string): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(path, bytes);
}

const KINDS: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["noarchive", []],
  ["jsonl", ["--set", "store.kind=jsonl"]],
];

for (const [kind, args] of KINDS) {
  test(`what is done to the answers of a killed crawl is found: ${kind}`, async () => {
    await withWeb(SITE, async (web) => {
      const sample = await killed(web, kind, args);
      const before = new Set(web.asked);
      for (const [name, damage, file] of HARM) {
        const folder = join(web.folder, `${kind}-${name.replaceAll(" ", "-")}`);
        cpSync(sample, folder, { recursive: true });
        const answers = join(folder, "spool/answers");
        damage(answers, readdirSync(answers));
        const { code, problems } = await verified(folder);
        assert.equal(code, file === null ? EXIT.finished : EXIT.disk, name);
        for (const problem of problems) assert.match(problem.file, file ?? /^$/, name);
        await goOn(web, folder, { args, before, name });
      }
    });
  });
}

/** Goes on, after a rebuild if that is asked for. */
async function goOn(
  web: CrawledWeb,
  folder: string,
  { args, before, name }: { args: readonly string[]; before: ReadonlySet<string>; name: string },
): Promise<void> {
  const from = web.asked.length;
  const crawl = ["crawl", ...web.flags, ...args, "-q", "--json", "-o", folder];
  const first = await ask([...crawl, web.url("a.test/0")]);
  if (first.code !== EXIT.finished) {
    assert.match(first.said, /--rebuild/, name);
    const rebuilt = await ask(["store", "verify", "--rebuild", "--json", "-q", "-o", folder]);
    assert.equal(rebuilt.code, EXIT.finished, `${name}: ${rebuilt.said}`);
    const again = await ask([...crawl, web.url("a.test/0")]);
    assert.equal(again.code, EXIT.finished, `${name}: ${again.said}`);
  }
  const pages = new Set([...before, ...web.asked.slice(from)]);
  assert.equal(pages.size, PAGES, name);
  const { problems } = await verified(folder);
  assert.deepEqual(problems, [], name);
}
