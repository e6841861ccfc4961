/**
 * A crawl directory of which one byte of one file was altered, or one file cut or replaced: every
 * command answers as before, or says what is wrong. It never fails unexpectedly, and never gives
 * another answer in silence.
 */
import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { EXIT } from "../../src/cli/shell/exit-code.ts";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

/** Of each file. */
const FLIPS = process.env["TROBAR_FULL"] === "1" ? 300 : 4;
const FILES: readonly string[] = [
  ...["crawl.db", "index/run-1", "logs/crawl.log", "logs/crawl.manifest"],
  ...["texts/pages.log", "texts/pages.manifest", "links/graph/log.log", "links/graph/runs"],
  ...["links/graph/arcs/run-1", "links/graph/pages/run-1", "links/graph/places/run-1"],
];

const SITE: Hosts = () => {
  const names = Array.from({ length: 20 }, (_, index) => `/${index}`);
  const pages = names.map((name, index) => {
    const body = `<html lang=en><title>t ${index}</title>${index % 5} <a href="/">up</a>`;
    return [name, { body }] as const;
  });
  return { "a.test": { pages: { "/": linking(...names), ...Object.fromEntries(pages) } } };
};

interface Answer {
  readonly code: number;
  readonly written: string;
  readonly said: string;
}

async function ask(folder: string, args: readonly string[]): Promise<Answer> {
  const terminal = new RecordedTerminal();
  const code = await run(["store", ...args, "-o", folder], terminal);
  return { code, written: terminal.written, said: terminal.said };
}

function questions(web: CrawledWeb): readonly (readonly string[])[] {
  return [
    ["list", "--json", "--text"],
    ["get", "--json", web.url("a.test/7")],
    ["links", "--in", "--json", web.url("a.test/")],
    ["stats", "--json"],
  ];
}

/** Asks everything of a damaged copy, and compares with what the sound crawl said. */
async function compare(
  folder: string,
  asked: readonly (readonly string[])[],
  right: readonly Answer[],
  damage: string,
): Promise<number> {
  let told = 0;
  for (const [at, args] of asked.entries()) {
    const { code, written, said } = await ask(folder, args);
    const place = `${damage}: ${args[0]}: ${said}`;
    assert.notEqual(code, EXIT.unexpected, place);
    const isSame = code === right[at]?.code && written === right[at]?.written;
    assert.ok(
      isSame || said !== "",
      `${place}another answer in silence:\n${written.slice(0, 500)}`,
    );
    if (said !== "") told += 1;
  }
  return told;
}

test("no altered byte makes a command fail unexpectedly or answer wrongly in silence", async (t) => {
  const seed = process.env["TROBAR_SEED"] ?? "damage";
  t.diagnostic(`seed ${seed}`);
  const random = new SeededRandom(seed);
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"], ["--set", "store.text=true"]);
    const asked = questions(web);
    const right: Answer[] = [];
    for (const args of asked) right.push(await ask(crawl.folder, args));
    assert.deepEqual(
      right.map(({ code, said }) => [code, said]),
      asked.map(() => [0, ""]),
    );
    let told = 0;
    for (const file of FILES) {
      const path = join(crawl.folder, file);
      const bytes = readFileSync(path);
      for (let flip = 0; flip < FLIPS; flip += 1) {
        const at = random.below(bytes.length);
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << random.below(8));
        writeFileSync(path, damaged);
        told += await compare(crawl.folder, asked, right, `${file} altered at ${at}`);
      }
      for (const length of [0, random.below(bytes.length)]) {
        writeFileSync(path, bytes.subarray(0, length));
        told += await compare(crawl.folder, asked, right, `${file} cut to ${length}`);
      }
      rmSync(path);
      told += await compare(crawl.folder, asked, right, `${file} missing`);
      writeFileSync(path, bytes);
    }
    assert.ok(told > FILES.length, "most damage is noticed");
    assert.equal(await compare(crawl.folder, asked, right, "repaired"), 0);
  });
});

test("a page index of others, of another version, locked or read-only is no obstacle", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const path = join(crawl.folder, "crawl.db");
    const asked = questions(web);
    const right: Answer[] = [];
    for (const args of asked) right.push(await ask(crawl.folder, args));
    const damages: Record<string, () => void> = {
      random: () =>
        writeFileSync(path, Buffer.from(Array.from({ length: 9000 }, (_, at) => at * 7))),
      folder: () => mkdirSync(path),
      foreign: () =>
        withDatabase(path, (database) => database.exec("CREATE TABLE cats (name TEXT)")),
      version: () => {
        cpSync(join(crawl.folder, "saved.db"), path);
        withDatabase(path, (database) => database.exec("ALTER TABLE pages DROP COLUMN checksum"));
      },
    };
    cpSync(path, join(crawl.folder, "saved.db"));
    for (const [name, damage] of Object.entries(damages)) {
      rmSync(path, { recursive: true, force: true });
      damage();
      assert.ok((await compare(crawl.folder, asked, right, name)) > 0, name);
    }
    rmSync(path, { recursive: true, force: true });
    cpSync(join(crawl.folder, "saved.db"), path);
    chmodSync(path, 0o444);
    assert.equal(await compare(crawl.folder, asked, right, "read-only"), 0);
    chmodSync(path, 0o644);
    const other = new DatabaseSync(path);
    other.exec("BEGIN EXCLUSIVE");
    try {
      assert.equal(await compare(crawl.folder, asked, right, "locked by a writer"), 0);
    } finally {
      other.close();
    }
  });
});

function withDatabase(path: string, use: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path);
  try {
    use(database);
  } finally {
    database.close();
  }
}

test("a crawl does not begin beside a crawl.db that is not its own, and leaves it alone", async () => {
  await withWeb(SITE, async (web) => {
    const folder = join(web.folder, "foreign");
    mkdirSync(folder);
    writeFileSync(join(folder, "crawl.db"), "not a database");
    const terminal = new RecordedTerminal();
    const argv = ["crawl", ...web.flags, "-q", "-o", folder, web.url("a.test/")];
    assert.equal(await run(argv, terminal), EXIT.usage);
    assert.match(terminal.said, /cannot become a crawl directory: it holds crawl\.db/);
    assert.equal(readFileSync(join(folder, "crawl.db"), "utf8"), "not a database");
    assert.equal(existsSync(join(folder, "logs")), false);
  });
});

test("a damaged page decides the exit code, also when others were never there", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const url = web.url("a.test/7");
    const place = crawl.lines.find((line) => line.url === url)?.place ?? assert.fail();
    const path = join(crawl.folder, place.file);
    const bytes = readFileSync(path);
    bytes.fill(0, place.offset + 30, place.offset + 40);
    writeFileSync(path, bytes);
    const { code, said } = await ask(crawl.folder, ["get", url, web.url("a.test/never")]);
    assert.equal(code, EXIT.disk, said);
  });
});
