/** `trobar store verify`: sound crawls have no problem, and every kind of damage is found. */
import assert from "node:assert/strict";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Row } from "../../src/base/seams/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import { rowOf, valuesIn } from "../../src/store/index/page-table.ts";
import { type EndedCrawl, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const SITE: Hosts = () => {
  const names = Array.from({ length: 30 }, (_, index) => `/${index}`);
  const pages = Object.fromEntries(
    names.map((name, index) => [name, { body: `<title>t</title>${index % 9} <a href="/">up</a>` }]),
  );
  const secret = { body: '<meta name="robots" content="noarchive"><p>x' };
  return {
    "a.test": {
      pages: {
        "/robots.txt": { body: "User-agent: *\n" },
        "/": linking(...names, "/secret", "/gone", "http://nowhere.test/"),
        ...pages,
        "/secret": secret,
      },
    },
  };
};

interface Verdict {
  readonly code: number;
  readonly ok: boolean;
  readonly more: number;
  readonly records: number;
  readonly lines: number;
  readonly rows: number;
  readonly links: number;
  readonly problems: readonly {
    readonly file: string;
    readonly at: number | null;
    readonly url: string | null;
    readonly problem: string;
    readonly remedy: string;
  }[];
}

async function verify(args: readonly string[]): Promise<Verdict> {
  const terminal = new RecordedTerminal();
  const code = await run(["store", "verify", "--json", ...args], terminal);
  const [found] = terminal.rows();
  assert.ok(found, terminal.said);
  return { code, ...found } as unknown as Verdict;
}

test("a sound crawl has no problem, whatever it keeps", async () => {
  await withWeb(SITE, async (web) => {
    const settings = [
      [],
      ["--set", "store.compression=zstd"],
      ["--set", "store.compression=none", "--set", "store.warcSize=1Mi"],
      ["--set", "store.index=false", "--set", "store.links=false"],
      ["--exclude", "*never*", "-d", "1"],
    ];
    for (const args of settings) {
      const crawl = await web.crawl(["a.test/"], ["--scope", "any", ...args]);
      const verdict = await verify(["-o", crawl.folder]);
      assert.deepEqual(verdict.problems, [], args.join(" "));
      assert.deepEqual([verdict.code, verdict.ok, verdict.more], [0, true, 0]);
      const { length } = crawl.lines;
      assert.ok(verdict.lines >= length && verdict.records > length);
      assert.equal(verdict.rows > 0, !args.includes("store.index=false"));
      assert.equal(verdict.links > 0, !args.includes("store.index=false"));
      const folder = join(crawl.folder, "warc");
      const archives = readdirSync(folder).map((name) => join(folder, name));
      const alone = await verify(["--warc", ...archives]);
      assert.deepEqual([alone.code, alone.records], [0, verdict.records]);
    }
    const shown = new RecordedTerminal();
    await run(["store", "verify", "-o", join(web.folder, "1")], shown);
    assert.match(shown.written, /^no problem found: checked 1 file, \d+ records, /);
    const rebuilt = new RecordedTerminal();
    const [archive = ""] = readdirSync(join(web.folder, "1/warc"));
    const argv = ["store", "verify", "--rebuild", "--warc", join(web.folder, "1/warc", archive)];
    assert.equal(await run(argv, rebuilt), 2);
    assert.match(rebuilt.said, /--rebuild/);
  });
});

const NOWHERE = "http://nowhere.test/";

/** Each kind of damage, and what is found: the file, and the problem. */
type Harm = readonly [
  name: string,
  damage: (folder: string, crawl: EndedCrawl, other: EndedCrawl) => void,
  file: RegExp,
  problem: RegExp,
];

const HARM: readonly Harm[] = [
  ["a cut archive", (folder) => cut(only(folder, "warc"), 100), /^warc\//, /ends inside|no record/],
  ["a flipped byte", (folder) => flip(only(folder, "warc"), 0.5), /^warc\//, /cannot be read/],
  ["a missing archive", (folder) => rmSync(only(folder, "warc")), /^warc\//, /file is missing/],
  [
    "an archive of another crawl under its name",
    (folder, _crawl, other) => copyFileSync(only(other.folder, "warc"), only(folder, "warc")),
    /^warc\//,
    /no record begins|unlike the crawl log|no line/,
  ],
  [
    "an archive too many",
    (folder) => copyFileSync(only(folder, "warc"), join(folder, "warc/z-1-00000-a.warc.gz")),
    /^warc\/z-/,
    /no line of the crawl log/,
  ],
  [
    "a missing log",
    (folder) => rmSync(join(folder, "logs"), { recursive: true }),
    /^logs\//,
    /missing/,
  ],
  ["a flipped byte of the log", (folder) => flip(logOf(folder), 0.5), /^logs\//, /not lines/],
  ["a cut log", (folder) => cut(logOf(folder), 900), /^warc\/|^crawl\.db/, /no line|does not have/],
  [
    "an index of another crawl",
    (folder, _crawl, other) =>
      copyFileSync(join(other.folder, "crawl.db"), join(folder, "crawl.db")),
    /^crawl\.db/,
    /belongs to another crawl/,
  ],
  [
    "an index that is not one",
    (folder) => writeFileSync(join(folder, "crawl.db"), "x".repeat(9999)),
    /^crawl\.db/,
    /./,
  ],
  ["a missing index", (folder) => rmSync(join(folder, "crawl.db")), /^crawl\.db/, /./],
  [
    "a missing row",
    (folder) => sql(folder, "DELETE FROM pages WHERE url LIKE '%/7'"),
    /^crawl\.db/,
    /has no row/,
  ],
  [
    "a changed row",
    (folder) => sql(folder, "UPDATE pages SET offset = 1 WHERE url LIKE '%/7'"),
    /^crawl\.db/,
    /damaged: a row behind/,
  ],
  [
    "a row too few for the tally",
    (folder) => sql(folder, "DELETE FROM pages WHERE url LIKE '%/7'"),
    /^crawl\.db/,
    /numbers of pages/,
  ],
  [
    "a row of another fetch",
    (folder) => changedRow(folder, "%/7", { offset: 1 }),
    /^crawl\.db/,
    /not of a fetch/,
  ],
  [
    "a row of a page that was never fetched",
    (folder) => changedRow(folder, "%/7", { url: NOWHERE, key: NOWHERE }),
    /^crawl\.db/,
    /does not have/,
  ],
  [
    "a key that leads to the row of another page",
    (folder) => changedRow(folder, "%/7", { url: NOWHERE, key: NOWHERE }),
    /^index$/,
    /found by the key of another page/,
  ],
  [
    "a row that no key leads to",
    (folder) => changedRow(folder, "%/7", { url: NOWHERE, key: NOWHERE }),
    /^index$/,
    /not found by the key/,
  ],
  [
    "a flipped byte of the keys",
    (folder) => flip(join(folder, "index/run-1"), 0.3),
    /^index\/run-1/,
    /not as written/,
  ],
  ["cut keys", (folder) => cut(join(folder, "index/run-1"), 40), /^index\/run-1/, /footer|short/],
  ["missing keys", (folder) => rmSync(join(folder, "index/run-1")), /^index\/run-1/, /missing/],
  [
    "a flipped byte of the link graph",
    (folder) => flip(join(folder, "links/graph/log.log"), 0.5),
    /^links\/graph/,
    /cannot be read/,
  ],
  [
    "missing runs of the link graph",
    (folder) => rmSync(join(folder, "links/graph/pages"), { recursive: true }),
    /^links\/graph/,
    /./,
  ],
  [
    "a flipped byte of the texts",
    (folder) => flip(textsOf(folder), 0.5),
    /^texts/,
    /texts? of the crawl|no block|damaged/,
  ],
  ...["near/high", "near/low", "texts"].map(
    (table): Harm => [
      `a missing run of ${table.replace("/", " ")}`,
      (folder) => rmSync(join(folder, "frontier", table, "run-1")),
      new RegExp(`^frontier/${table}/run-1`),
      /missing/,
    ],
  ),
  ["no configuration", (folder) => rmSync(join(folder, "config.yaml")), /^config\.yaml/, /missing/],
  [
    "a broken identity",
    (folder) => writeFileSync(join(folder, "crawl.json"), "{}"),
    /^crawl\.json/,
    /./,
  ],
];

test("every kind of damage is found, with its place and a remedy", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"], ["--set", "store.text=true"]);
    const other = await web.crawl(["a.test/3"]);
    for (const [name, damage, file, problem] of HARM) {
      const folder = join(web.folder, name.replaceAll(" ", "-"));
      cpSync(crawl.folder, folder, { recursive: true });
      damage(folder, crawl, other);
      const verdict = await verify(["-o", folder]);
      assert.equal(verdict.code, 4, name);
      const found = verdict.problems.filter((one) => file.test(one.file));
      assert.ok(
        found.some((one) => problem.test(one.problem)),
        `${name}: ${JSON.stringify(verdict.problems.slice(0, 3))}`,
      );
      assert.ok(verdict.problems.every(({ remedy }) => remedy.length > 20));
    }
    const [[damaged = ""] = []] = HARM;
    const shown = new RecordedTerminal();
    const argv = ["store", "verify", "-o", join(web.folder, damaged.replaceAll(" ", "-"))];
    assert.equal(await run(argv, shown), 4);
    assert.match(shown.written, /\d+ problems? \(.+\): checked /);
  });
});

test("a crawl log is compared with the checkpoint, of which either may be an older copy", async () => {
  await withWeb(SITE, async (web) => {
    const part = await web.crawl(["a.test/"], ["-n", "9"]);
    const older = join(web.folder, "older");
    cpSync(part.folder, older, { recursive: true });
    const argv = ["crawl", ...web.flags, "-q", "--json", "-n", "20", "-o", part.folder];
    assert.equal(await run(argv, new RecordedTerminal()), 0);
    assert.deepEqual((await verify(["-o", part.folder])).problems, []);
    const mixed = async (name: string): Promise<Verdict> => {
      const folder = join(web.folder, name.replaceAll("/", "-"));
      cpSync(part.folder, folder, { recursive: true });
      for (const ending of ["-wal", "-shm"]) rmSync(join(folder, name + ending), { force: true });
      copyFileSync(join(older, name), join(folder, name));
      return await verify(["-o", folder]);
    };
    const ofDatabase = await mixed("crawl.db");
    assert.equal(ofDatabase.code, 4);
    assert.match(ofDatabase.problems.map(({ problem }) => problem).join(), /does not know/);
    const ofLog = await mixed("logs/crawl.log");
    assert.equal(ofLog.code, 4);
    assert.match(
      ofLog.problems.map(({ problem }) => problem).join(),
      /knows \d+ bytes of the crawl log/,
    );
  });
});

test("files that nothing names are no problem", async () => {
  await withWeb(SITE, async (web) => {
    const { folder } = await web.crawl(["a.test/"]);
    for (const name of ["index", "links/graph/arcs", "links/graph/pages", "links/graph/places"]) {
      writeFileSync(join(folder, name, "run-99"), "a run that no mark names");
    }
    mkdirSync(join(folder, "spool/answers"), { recursive: true });
    writeFileSync(join(folder, "spool/answers/0-a.log"), "a journal that nobody needs");
    const verdict = await verify(["-o", folder]);
    assert.deepEqual(verdict.problems, []);
  });
});

function only(folder: string, inner: string): string {
  const [name = ""] = readdirSync(join(folder, inner));
  return join(folder, inner, name);
}

function logOf(folder: string): string {
  const logs = join(folder, "logs");
  return join(logs, readdirSync(logs).find((name) => /^crawl.*\.log$/.test(name)) ?? "");
}

function textsOf(folder: string): string {
  const [name = ""] = readdirSync(join(folder, "texts")).filter((one) => one.endsWith(".log"));
  return join(folder, "texts", name);
}

function cut(path: string, bytes: number): void {
  truncateSync(path, readFileSync(path).length - bytes);
}

/** Changes a few bytes at a share of the file. */
function flip(path: string, share: number): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length * share);
  for (let index = at; index < at + 8; index += 1) bytes[index] = (bytes[index] ?? 0) ^ 0x5a;
  writeFileSync(path, bytes);
}

function sql(folder: string, statement: string): void {
  const database = new DatabaseSync(join(folder, "crawl.db"));
  database.exec(statement);
  database.close();
}

/** A row that is as its writer would have written it, and says something else. */
function changedRow(folder: string, url: string, change: Row): void {
  const database = new DatabaseSync(join(folder, "crawl.db"));
  const found = database.prepare("SELECT * FROM pages WHERE url LIKE ?").get(url) as Row;
  const row = rowOf(valuesIn({ ...found, ...change }));
  const columns = Object.keys(row);
  const text = `INSERT OR REPLACE INTO pages (${columns.join()}) VALUES (${columns.map(() => "?")})`;
  database.prepare(text).run(...columns.map((column) => row[column] ?? null));
  database.close();
}
