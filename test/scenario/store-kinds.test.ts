/** Pages in stores of every kind: WARC files, JSON lines, modules, and several at once. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { run } from "../../src/cli/shell/run.ts";
import type { PageRow } from "../../src/store/export/index.ts";
import { type CrawledWeb, crawlLines, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { recordsIn } from "../support/formats/warcio.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;
const WORDS = Array.from({ length: 4000 }, (_, at) => `word${at * 7919}`).join(" ");

const HOSTS = () => ({
  "a.test": {
    pages: {
      "/": linking("/one", "/again", "/marked", "/nearly", "/large", "/secret", "/gone"),
      "/one": { headers: [HTML], body: `<title>One</title><p>${WORDS}` },
      "/again": { headers: [HTML], body: `<title>One</title><p>${WORDS}` },
      "/marked": { headers: [HTML], body: `<title>One</title><p class=x>${WORDS}` },
      "/nearly": { headers: [HTML], body: `<title>One</title><p>${WORDS} !` },
      "/large": { headers: [HTML], body: `<p>${"large ".repeat(200_000)}` },
      "/secret": { headers: [HTML], body: '<meta name="robots" content="noarchive"><p>hidden' },
    },
  },
});

const PATHS = ["/", "/again", "/gone", "/large", "/marked", "/nearly", "/one", "/secret"];
/** One page at a time, so that it is known which of two equal ones comes first. */
const IN_ORDER = ["--set", "fetch.concurrency=1"];

async function trobar(args: readonly string[]): Promise<RecordedTerminal & { code: number }> {
  const terminal = new RecordedTerminal();
  const code = await run(args, terminal);
  return Object.assign(terminal, { code });
}

async function crawl(web: CrawledWeb, args: readonly string[]) {
  const folder = join(web.folder, "out");
  const said = await trobar([
    "crawl",
    ...web.flags,
    "-q",
    "-o",
    folder,
    ...args,
    web.url("a.test/"),
  ]);
  return { folder, ...said, written: said.written, said: said.said, code: said.code };
}

type Line = PageRow & { readonly duplicate?: string | null; readonly bodyText?: string };

function byPath(lines: readonly Line[]): Map<string, Line> {
  return new Map(lines.map((line) => [new URL(line.url).pathname, line]));
}

function jsonLines(text: string): Line[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

function linesIn(folder: string, prefix: string): Line[] {
  return readdirSync(join(folder, "pages"))
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => jsonLines(gunzipSync(readFileSync(join(folder, "pages", name))).toString()));
}

/** A store that writes what it was told when it is closed. */
function moduleIn(folder: string): string {
  const path = join(folder, "mine.js");
  const target = JSON.stringify(join(folder, "mine.jsonl"));
  writeFileSync(
    path,
    `import { appendFile } from "node:fs/promises";
    export function createStore({ folder, name }) {
      const lines = [];
      let flushes = 0;
      return {
        text: true,
        async put(page) {
          const body = await page.body();
          lines.push({ ...page, bodyText: body && Buffer.from(body).toString().slice(0, 60) });
        },
        flush: () => { flushes += 1; },
        async close() {
          lines.push({ url: "http://end/" + flushes + "/" + name + folder });
          await appendFile(${target}, lines.map((line) => JSON.stringify(line) + "\\n").join(""));
        },
      };
    }`,
  );
  return path;
}

test("pages are stored as lines of JSON, in files of a size and with a prefix of the user's", async () => {
  await withWeb(HOSTS, async (web) => {
    const { code, said, folder } = await crawl(web, [
      ...[...IN_ORDER, "--set", "store.kind=jsonl", "--set", "store.prefix=my.pages-1"],
      ...["--set", "store.body=true", "--set", "store.text=true", "--set", "store.outlinks=true"],
      ...["--set", "store.warcSize=1Ki"],
    ]);
    assert.equal(code, 0, said);
    assert.ok(!existsSync(join(folder, "warc")) || readdirSync(join(folder, "warc")).length === 0);
    const names = readdirSync(join(folder, "pages"));
    assert.ok(names.length > 1, names.join());
    for (const name of names) assert.match(name, /^my\.pages-1-\d{17}-\d{5}-[^-]+.*\.jsonl\.gz$/);
    const lines = byPath(linesIn(folder, "my"));
    assert.deepEqual([...lines.keys()].sort(), PATHS);
    const decoded = (path: string) =>
      Buffer.from(String((lines.get(path) as { body?: string }).body), "base64").toString();
    assert.equal(decoded("/one"), HOSTS()["a.test"].pages["/one"].body);
    assert.equal(decoded("/large").length, HOSTS()["a.test"].pages["/large"].body.length);
    assert.equal(lines.get("/one")?.text, WORDS);
    assert.equal(lines.get("/")?.links?.length, 7);
    assert.equal(new URL(lines.get("/again")?.duplicateOf ?? "").pathname, "/one");
    assert.equal(new URL(lines.get("/marked")?.duplicateOf ?? "").pathname, "/one");
    assert.equal(new URL(lines.get("/nearly")?.nearDuplicateOf ?? "").pathname, "/one");
    const secret = lines.get("/secret") as Line & { body: unknown };
    assert.deepEqual([secret.status, secret.body, secret.text], [200, null, null]);
    const expected = { warc: null, offset: null, length: null };
    for (const { warc, offset, length } of lines.values()) {
      assert.deepEqual({ warc, offset, length }, expected);
    }
    await asksAbout(folder, web);
  });
});

/** Everything but the content of pages is answered as for any crawl. */
async function asksAbout(folder: string, web: CrawledWeb): Promise<void> {
  const listed = await trobar(["store", "list", "--json", "-o", folder]);
  assert.equal(listed.code, 0, listed.said);
  assert.deepEqual([...byPath(jsonLines(listed.written)).keys()].sort(), PATHS);
  const stats = JSON.parse((await trobar(["store", "stats", "--json", "-o", folder])).written);
  assert.equal(stats.pages, PATHS.length);
  const verified = await trobar(["store", "verify", "-o", folder]);
  assert.equal(verified.code, 0, verified.written + verified.said);
  const url = web.url("a.test/one");
  const json = await trobar(["store", "get", "--json", "--text", "-o", folder, url]);
  assert.equal(json.code, 0, json.said);
  assert.equal(JSON.parse(json.written).text, WORDS);
  const body = await trobar(["store", "get", "-o", folder, url]);
  assert.equal(body.code, 6);
  assert.match(body.said, /store\.kind was jsonl/);
  for (const format of ["cdxj", "wacz", "wet", "wat", "site", "markdown"]) {
    const to = join(web.folder, `export.${format}`);
    const exported = await trobar(["store", "export", format, "-o", folder, "--to", to]);
    assert.equal(exported.code, 6, `${format}: ${exported.said}`);
    assert.match(exported.said, /store\.kind was jsonl/);
    assert.ok(!existsSync(to));
  }
  for (const format of ["jsonl", "csv", "parquet"]) {
    const to = join(web.folder, `export.${format}`);
    const exported = await trobar(["store", "export", format, "-o", folder, "--to", to]);
    assert.equal(exported.code, 0, `${format}: ${exported.said}`);
  }
}

test("pages go to standard output, and to nothing else there", async () => {
  await withWeb(HOSTS, async (web) => {
    const stdout = ["--set", "store.kind=jsonl", "--set", "store.output=stdout"];
    for (const other of [["--json"], ["--pages", "-"]]) {
      const refused = await crawl(web, [...stdout, ...other]);
      assert.equal(refused.code, 2);
      assert.match(refused.said, /both want standard output/);
    }
    const { code, written, folder } = await crawl(web, [
      ...[...IN_ORDER, ...stdout, "--exclude", "*/large"],
      ...["--set", "filters.store=not (IsDuplicate() or IsNearDuplicate())"],
    ]);
    assert.equal(code, 0);
    const paths = [...byPath(jsonLines(written)).keys()].sort();
    assert.deepEqual(paths, ["/", "/gone", "/one", "/secret"]);
    assert.ok(!existsSync(join(folder, "pages")));
    assert.equal((await crawlLines(folder)).filter(({ url }) => !url.endsWith(".txt")).length, 7);
    const again = await crawl(web, stdout);
    assert.deepEqual([again.code, again.written], [0, ""], "it goes on, and nothing is left");
    assert.equal((await crawl(web, [...stdout, "--fresh", "--yes"])).code, 0);
  });
});

test("a module stores pages by one line of the configuration", async () => {
  await withWeb(HOSTS, async (web) => {
    const mine = moduleIn(web.folder);
    const { code, said, folder } = await crawl(web, [
      ...[...IN_ORDER, "--set", `store.kind=${mine}`, "--set", "store.checkpoint=10ms"],
    ]);
    assert.equal(code, 0, said);
    const lines = byPath(jsonLines(readFileSync(join(web.folder, "mine.jsonl"), "utf8")));
    const end = [...lines.keys()].find((path) => path.endsWith(`crawl${folder}`)) ?? "";
    assert.ok(Number(end.split("/")[1]) > 0, "it was flushed");
    lines.delete(end);
    assert.deepEqual([...lines.keys()].sort(), PATHS);
    assert.deepEqual(
      ["/one", "/again", "/marked", "/nearly", "/gone"].map((path) => lines.get(path)?.duplicate),
      [null, "payload", "text", "near", null],
    );
    assert.equal(lines.get("/one")?.text, WORDS);
    assert.match(lines.get("/again")?.bodyText ?? "", /^<title>One/);
    assert.deepEqual([lines.get("/secret")?.bodyText, lines.get("/secret")?.text], [null, null]);
  });
});

test("a module that cannot be used is refused before anything is touched", async () => {
  await withWeb(HOSTS, async (web) => {
    const empty = join(web.folder, "empty.js");
    writeFileSync(empty, "export const nothing = 1;");
    for (const module of [empty, "./not-there.js"]) {
      const { code, said, folder } = await crawl(web, ["--set", `store.kind=${module}`]);
      assert.equal(code, 2);
      assert.match(said, /store\.kind names the module .*(createStore|no file)/s);
      assert.ok(!existsSync(folder));
    }
    const failing = join(web.folder, "failing.js");
    const put = "put: async ({ url }) => { if (url.endsWith('/one')) throw new Error('no room'); }";
    writeFileSync(failing, `export const createStore = () => ({ ${put} });`);
    const { code, said } = await crawl(web, ["--set", `store.kind=${failing}`]);
    assert.equal(code, 4, said);
    assert.match(said, /failed: no room/);
  });
});

test("a provider in place of archive and log works by one line too", async () => {
  await withWeb(HOSTS, async (web) => {
    const before = process.cwd();
    const kind = resolve("examples/17-json-lines-store/json-lines.js");
    process.chdir(web.folder);
    try {
      const { code, said, folder } = await crawl(web, ["--set", `store.kind=${kind}`]);
      assert.equal(code, 0, said);
      const lines = jsonLines(readFileSync(join(web.folder, "pages.jsonl"), "utf8"));
      assert.deepEqual([...byPath(lines).keys()].sort(), [...PATHS, "/robots.txt"].sort());
      assert.ok(!existsSync(join(folder, "warc")));
      assert.equal((await crawl(web, ["--set", `store.kind=${kind}`])).code, 0);
      assert.equal(
        readFileSync(join(web.folder, "pages.jsonl"), "utf8").trim().split("\n").length,
        lines.length,
      );
    } finally {
      process.chdir(before);
    }
  });
});

test("several stores get the same pages by a tee", async () => {
  await withWeb(HOSTS, async (web) => {
    const topology = readFileSync("src/agent/topology/crawl.yaml", "utf8");
    const mine = moduleIn(web.folder);
    const file = join(web.folder, "topology.yaml");
    const providers = "providers: { rows: page-rows }";
    writeFileSync(
      file,
      `${topology}
  lines: { unit: store, input: kept, ${providers}, settings: { text: true, links: true } }
  mine: { unit: store, input: kept, ${providers}, settings: { kind: ${mine} } }
`,
    );
    const { code, said, folder } = await crawl(web, ["--set", `topology=${file}`]);
    assert.equal(code, 0, said);
    const lines = byPath(linesIn(folder, "lines-"));
    const own = jsonLines(readFileSync(join(web.folder, "mine.jsonl"), "utf8"));
    const mines = byPath(own.filter(({ status }) => status !== undefined));
    const listed = byPath(
      jsonLines((await trobar(["store", "list", "--json", "-o", folder])).written),
    );
    for (const store of [lines, mines, listed]) {
      assert.deepEqual([...store.keys()].sort(), PATHS);
      for (const [path, { warc, offset, digest }] of listed) {
        const other = store.get(path);
        assert.deepEqual([other?.warc, other?.offset, other?.digest], [warc, offset, digest]);
      }
    }
    assert.ok(listed.get("/one")?.warc);
    assert.equal(lines.get("/one")?.text, WORDS);
    assert.equal(mines.get("/one")?.text, WORDS);
    assert.match(mines.get("/one")?.bodyText ?? "", /^<title>One/);
  });
});

test("the links of pages are archived with them on request", async () => {
  await withWeb(HOSTS, async (web) => {
    const args = ["--set", "store.outlinks=true", "--set", "store.prefix=with-links"];
    const { code, said, folder } = await crawl(web, args);
    assert.equal(code, 0, said);
    const responses = new Map<string, string>();
    const metadata: { refersTo: string; concurrentTo: string; url: string; text: string }[] = [];
    for (const name of readdirSync(join(folder, "warc"))) {
      assert.match(name, /^with-links-\d{17}-\d{5}-/);
      for (const { type, fields, block } of await recordsIn(
        readFileSync(join(folder, "warc", name)),
      )) {
        const header = (key: string): string => fields.get(key) ?? "";
        const url = header("WARC-Target-URI");
        if (type === "response") responses.set(header("WARC-Record-ID"), url);
        const text = block.toString();
        if (type !== "metadata" || text.includes("noarchive")) continue;
        const refersTo = header("WARC-Refers-To");
        const concurrentTo = header("WARC-Concurrent-To");
        metadata.push({ refersTo, concurrentTo, url, text });
      }
    }
    const [root, ...others] = metadata;
    assert.deepEqual(others, [], "the others have no links");
    assert.equal(root?.url, web.url("a.test/"));
    assert.equal(responses.get(root?.refersTo ?? ""), root?.url);
    assert.equal(root?.concurrentTo, root?.refersTo);
    const paths = ["one", "again", "marked", "nearly", "large", "secret", "gone"];
    const expected = paths.map((path) => `outlink: ${web.url(`a.test/${path}`)} a\r\n`).join("");
    assert.equal(root?.text, expected);
    const verified = await trobar(["store", "verify", "-o", folder]);
    assert.equal(verified.code, 0, verified.written + verified.said);
    const got = await trobar(["store", "get", "-o", folder, web.url("a.test/one")]);
    assert.equal(got.code, 0, got.said);
  });
});

test("prefixes that could not be names of files are refused, all mistakes at once", async () => {
  for (const prefix of ["a/b", "../x", "a\u0007b", "x".repeat(65), ".hidden", "a b"]) {
    const args = ["--set", `store.prefix=${JSON.stringify(prefix)}`, "--set", "store.body=true"];
    const refused = await trobar(["crawl", ...args, "http://a.test/", "--set", "limits.pages=x"]);
    assert.equal(refused.code, 2);
    for (const key of ["store.prefix", "limits.pages"]) {
      assert.ok(refused.said.includes(key), `${key} of ${prefix}: ${refused.said}`);
    }
  }
  const kinds = ["--set", "store.kind=warc", "--set", "store.body=true"];
  const refused = await trobar([
    "crawl",
    ...kinds,
    "--set",
    "store.output=stdout",
    "http://a.test/",
  ]);
  assert.equal(refused.code, 2);
  assert.match(refused.said, /store\.body.*store\.output|store\.output.*store\.body/s);
});
