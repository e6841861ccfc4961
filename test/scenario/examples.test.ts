import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, crawlLines, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { BUILT_PROGRAM } from "../support/cli/trobar-process.ts";
import { needsProgram } from "../support/requirement.ts";
import { crawlFtp } from "./crawl-ftp.ts";
import { crawlIntoStores } from "./crawl-into-stores.ts";
import { crawlIntoPostgresql } from "./crawl-postgresql.ts";
import { LIBRARY_PROGRAMS, tryLibrary, tryPdf } from "./example-library.ts";
import { TOPOLOGY_TRIALS } from "./example-topologies.ts";

/** What each example does when it is tried as its head says. */
const TRIALS: Readonly<Record<string, () => Promise<void>>> = {
  ...TOPOLOGY_TRIALS,
  "18-postgresql-store": crawlIntoPostgresql,
  "19-several-stores": crawlIntoStores,
  "14-ftp": crawlFtp,
  "20-library": tryLibrary,
  "21-pdf-text": tryPdf,
  "01-configuration.yaml": async () => {
    const terminal = await trobar("inspect config --json --config examples/01-configuration.yaml");
    const keys = JSON.parse(terminal.written);
    assert.equal(keys["limits.pages"].value, 10_000);
    assert.equal(keys["politeness.hostDelay"].value, 2000);
    assert.match(keys["filters.schedule"].value, /DuplicateSegmentsLessThan\(3\)/);
  },
  "05-behind-a-login.yaml": async () => {
    const line = "inspect config --json --config examples/05-behind-a-login.yaml";
    const terminal = await trobar(line, { INTRANET_LOGIN: "me:hidden" });
    const keys = JSON.parse(terminal.written);
    assert.deepEqual(keys["fetch.headers"].value, [["Accept-Language", "de, en;q=0.5"]]);
    assert.equal(keys["fetch.credentials"].value[0].env, "INTRANET_LOGIN");
    assert.doesNotMatch(terminal.written + terminal.said, /hidden/);
  },
  "02-filter-atom.js": async () => {
    const filter = "./examples/02-filter-atom.js#YearBetween(2020,2026)";
    const urls = "https://example.org/2024/05/news.html https://example.org/1999/old.html";
    const terminal = await trobar(`inspect filter --json ${filter} ${urls}`);
    assert.deepEqual(
      terminal.rows().map((row) => row["accepts"]),
      [true, false],
    );
  },
  "03-score.js": async () => {
    const { pages, reports } = await crawlVirtually({
      graph: { "a/": ["a/x/y/z", "a/x?q=1", "a/x/y", "a/x"], "a/x": ["a/w"] },
      seeds: ["a/"],
      settings: ["frontier.traversal=priority", "frontier.score=./examples/03-score.js"],
    });
    assert.deepEqual(pages, ["a/", "a/x", "a/w", "a/x/y", "a/x/y/z", "a/x?q=1"]);
    assert.deepEqual(reports, []);
  },
  "04-pages-to-csv.sh": async () => {
    const hosts = () => ({ "a.test": { pages: { "/": linking("/x", "/y"), "/x": linking() } } });
    await withWeb(hosts, async (web) => {
      const said = await shell(web.folder, "examples/04-pages-to-csv.sh", [
        ...[...web.flags, "-q", web.url("a.test/")],
      ]);
      assert.match(said, /^url,status,mime,charset,bytes,depth$/m);
      const rows = readFileSync(join(web.folder, "pages.csv"), "utf8").trim().split("\r\n");
      assert.deepEqual(
        rows.slice(1).map((row) => row.split(",")[1]),
        ["200", "200", "404"],
      );
      assert.equal((await crawlLines(join(web.folder, "crawl-pages"))).length, 3);
    });
  },
  "13-words-of-pages": async () => {
    const hosts = () => ({ "a.test": { pages: { "/": linking("/x"), "/x": linking() } } });
    await withWeb(hosts, async (web) => {
      const { code, said } = await crawlBy(web, "13-words-of-pages");
      assert.equal(code, 0, said);
      const lines = readFileSync(join(web.folder, "words.txt"), "utf8").trim().split("\n");
      assert.deepEqual(lines.map((line) => line.replace(/:\d+/, "")).sort(), [
        ...["0 http://a.test/x", "1 http://a.test/"],
      ]);
    });
  },
  "17-json-lines-store": async () => {
    const same = { body: "<p>the same" };
    const large = { body: `<p>${"large ".repeat(200_000)}` };
    const links = linking("/x", "/y", "/large", "/gone");
    const hosts = () => ({
      "a.test": { pages: { "/": links, "/x": same, "/y": same, "/large": large } },
    });
    await withWeb(hosts, async (web) => {
      const first = await crawlBy(web, "17-json-lines-store");
      assert.equal(first.code, 0, first.said);
      const file = join(web.folder, "pages.jsonl");
      const text = readFileSync(file, "utf8");
      const kept = new Map(text.trim().split("\n").map(keptPage));
      assert.deepEqual(Object.fromEntries([...kept].map(([path, { result }]) => [path, result])), {
        ...{ "/robots.txt": 404, "/": 200, "/x": 200, "/y": 200, "/large": 200, "/gone": 404 },
      });
      assert.equal(kept.get("/large")?.body?.length, large.body.length);
      assert.deepEqual(["/x", "/y"].map((path) => kept.get(path)?.body).sort(), [
        same.body,
        undefined,
      ]);
      // Nothing is known about what this store has kept, so the crawl is gone on with, not replaced.
      const second = await crawlBy(web, "17-json-lines-store");
      assert.equal(second.code, 0, second.said);
      assert.equal(readFileSync(file, "utf8"), text);
    });
  },
};

function keptPage(line: string): [path: string, page: { result: number; body?: string }] {
  const { url, result, body } = JSON.parse(line);
  const decoded = body === undefined ? {} : { body: Buffer.from(body, "base64").toString() };
  return [new URL(url).pathname, { result, ...decoded }];
}

/** Crawls with the topology of an example, in the folder of the web. */
async function crawlBy(
  web: CrawledWeb,
  example: string,
): Promise<{ readonly code: number; readonly said: string }> {
  const topology = resolve("examples", example, "topology.yaml");
  const args = [
    ...["--import", import.meta.resolve("./source-units.ts"), BUILT_PROGRAM, "crawl", "-q"],
    ...[...web.flags, web.url("a.test/"), "--set", `topology=${topology}`],
  ];
  const child = spawn(process.execPath, args, {
    ...{ cwd: web.folder, stdio: ["ignore", "ignore", "pipe"] },
  });
  let said = "";
  child.stderr?.on("data", (piece) => {
    said += piece;
  });
  const [code] = await once(child, "close");
  return { code, said };
}

/** Runs a script in a folder where `npx trobar` is the program of this checkout. */
async function shell(folder: string, script: string, args: readonly string[]): Promise<string> {
  const npx = join(folder, "npx");
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${BUILT_PROGRAM}" "$@"\n`);
  chmodSync(npx, 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
  const child = spawn("sh", [resolve(script), ...args], {
    ...{ cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] },
  });
  let said = "";
  child.stdout?.on("data", (piece) => {
    said += piece;
  });
  assert.deepEqual((await once(child, "close"))[0], 0);
  return said;
}

async function trobar(line: string, environment = {}): Promise<RecordedTerminal> {
  const terminal = new RecordedTerminal({ environment });
  const code = await run(line.split(" "), terminal);
  assert.equal(code, 0, terminal.said);
  return terminal;
}

/** By cluster-examples.test.ts: it starts nothing. */
const TRIED_ELSEWHERE: ReadonlySet<string> = new Set(["README.md", "cluster"]);

test("every example is tried", () => {
  const examples = readdirSync("examples").filter((name) => !TRIED_ELSEWHERE.has(name));
  assert.deepEqual(examples.sort(), Object.keys(TRIALS).sort());
  assert.deepEqual(readdirSync("examples/20-library").sort(), LIBRARY_PROGRAMS);
});

/** Without comments and empty lines. */
function linesOf(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => /^ *[^ #]/.test(line));
}

for (const example of ["13-words-of-pages", "17-json-lines-store"]) {
  test(`the topology of ${example} is the default one but for a line`, () => {
    const own = linesOf("src/agent/topology/crawl.yaml");
    const lines = linesOf(join("examples", example, "topology.yaml"));
    const changed = lines.filter((line) => !own.includes(line));
    assert.deepEqual(changed.length, 1, changed.join("\n"));
    const missing = own.filter((line) => !lines.includes(line));
    assert.ok(missing.length <= 1, missing.join("\n"));
  });
}

test("the topology of 19-several-stores is the default one with two units more", () => {
  const own = linesOf("src/agent/topology/crawl.yaml");
  const lines = linesOf("examples/19-several-stores/topology.yaml");
  assert.deepEqual(lines.slice(0, own.length), own);
});

for (const [name, trial] of Object.entries(TRIALS)) {
  const skip = name === "18-postgresql-store" && needsProgram("pg_ctlcluster");
  test(`the example ${name} works`, { skip }, trial);
}
