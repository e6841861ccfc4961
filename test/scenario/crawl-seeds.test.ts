/** Where seeds come from: arguments, files, standard input, in whatever form people keep lists. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, crawlInto, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const HOSTS = () => ({
  "a.test": { pages: { "/": { body: "a" }, "/1": { body: "1" }, "/2": { body: "2" } } },
});

function listIn(web: CrawledWeb, name: string, text: string): string {
  const path = join(web.folder, name);
  writeFileSync(path, text);
  return path;
}

test("a list may have a BOM, CRLF, comments, blank and bad lines", async () => {
  await withWeb(HOSTS, async (web) => {
    const lines = [
      "# seeds",
      "",
      web.url("a.test/1"),
      "not a url",
      `  ${web.url("a.test/2")}  `,
      "ftp://a/",
    ];
    const list = listIn(web, "seeds.txt", `\uFEFF${lines.join("\r\n")}`);
    const { code, terminal } = await web.crawl([], ["-i", list]);
    assert.equal(code, 0);
    assert.deepEqual(web.asked.sort(), ["a.test/1", "a.test/2"]);
    assert.match(terminal.said, /2 lines are not seeds/);
    assert.match(terminal.said, /line 4: "not a url"/);
    assert.match(terminal.said, /line 6: "ftp:\/\/a\/"/);
  });
});

test("a list packed by gzip is read, whatever its name, also from standard input", async () => {
  await withWeb(HOSTS, async (web) => {
    const list = join(web.folder, "seeds.dat");
    const half = gzipSync(`${web.url("a.test/1")}\n`);
    writeFileSync(list, Buffer.concat([half, gzipSync(web.url("a.test/2"))]));
    assert.equal((await web.crawl([], ["-i", list])).code, 0);
    const folder = join(web.folder, "out");
    const packed = gzipSync(web.url("a.test/"));
    const input = [packed.subarray(0, 1), packed.subarray(1)];
    const argv = ["crawl", ...web.flags, "-q", "-o", folder, "-i", "-"];
    const { code } = await crawlInto(folder, argv, new RecordedTerminal({ input }));
    assert.equal(code, 0);
    assert.deepEqual(web.asked.sort(), ["a.test/", "a.test/1", "a.test/2"]);
  });
});

test("a packed list that is damaged or cut short ends with 2", async () => {
  const packed = gzipSync("https://a.test/\n".repeat(1000));
  for (const bytes of [packed.subarray(0, -20), Buffer.concat([packed.subarray(0, 30), packed])]) {
    const terminal = new RecordedTerminal({ input: [bytes] });
    assert.equal(await run(["crawl", "-i", "-", "-o", "/nowhere/at/all"], terminal), 2);
    assert.match(terminal.said, /packed by gzip, and the file is damaged or cut short/);
  }
});

test("a file among the seeds is not taken for a domain", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-seeds-"));
  try {
    const list = join(folder, "seeds.txt");
    writeFileSync(list, "https://a.test/\n");
    const terminal = new RecordedTerminal();
    assert.equal(await run(["crawl", list, "-o", join(folder, "out")], terminal), 2);
    assert.match(
      terminal.said,
      /argument no\. 1: ".*seeds\.txt" is a file; read.* with --seeds, .* file:\/\/\/.*seeds\.txt/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("bare domains are https, and that is said once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-seeds-"));
  try {
    const list = join(folder, "top.csv");
    writeFileSync(list, "1,one.invalid\n2,two.invalid\nnot one\n");
    const terminal = new RecordedTerminal();
    const flags = ["--set", "fetch.retries=0", "--min-free-disk", "0", "-o", join(folder, "out")];
    const argv = ["crawl", ...flags, "-i", list, "three.invalid/x"];
    const { lines } = await crawlInto(join(folder, "out"), argv, terminal);
    assert.equal(terminal.said.match(/3 seeds have no scheme/g)?.length, 1);
    assert.match(terminal.said, /the first becomes https:\/\/three\.invalid\/x/);
    assert.match(terminal.said, /line 3: "not one"/);
    assert.deepEqual(
      lines.map(({ url }) => url).filter((url) => !url.startsWith("https://")),
      [],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("seeds of arguments, files and standard input are put together, each once", async () => {
  await withWeb(HOSTS, async (web) => {
    const list = listIn(web, "seeds.txt", web.url("a.test/1"));
    const input = [`${web.url("a.test/2")}\n`, `${web.url("a.test/")}`, "\n"];
    const folder = join(web.folder, "out");
    const argv = [
      "crawl",
      ...web.flags,
      "--json",
      "-o",
      folder,
      "-i",
      list,
      "-i",
      "-",
      web.url("a.test/"),
    ];
    const { code } = await crawlInto(folder, argv, new RecordedTerminal({ input }));
    assert.equal(code, 0);
    assert.deepEqual(web.asked.sort(), ["a.test/", "a.test/1", "a.test/2"]);
  });
});

test("a list without a single URL ends with 2, and so does no seed at all", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-seeds-"));
  try {
    const list = join(folder, "list");
    writeFileSync(list, "nothing here\n:::\n");
    for (const args of [["-i", list], [], ["-i", "-"]]) {
      const terminal = new RecordedTerminal({ input: ["# only a comment\n"] });
      assert.equal(await run(["crawl", "-o", join(folder, "out"), ...args], terminal), 2);
      assert.match(terminal.said, /Nothing to crawl/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
