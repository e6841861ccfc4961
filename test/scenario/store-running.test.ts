/** `trobar store` beside a crawl that is running: two real processes on one directory. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type CrawledWeb, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const PAGES = 400;

const LONG = () => {
  const names = Array.from({ length: PAGES }, (_, index) => `/${index}`);
  const pages = Object.fromEntries(
    names.map((name) => [name, { body: `<title>t${name}</title><a href="/">up</a>` }]),
  );
  return { "a.test": { pages: { "/": linking(...names), ...pages } } };
};

/** A crawl that waits a while before each page, so that it runs until it is ended. */
function start(web: CrawledWeb, folder: string): TrobarProcess {
  const flags = [...web.flags, "--delay", "200ms", "--json", "-o", folder];
  return new TrobarProcess(["crawl", ...flags, web.url("a.test/")]);
}

async function store(folder: string, args: readonly string[]) {
  const [command = "", ...rest] = args;
  const process = new TrobarProcess(["store", command, "-o", folder, ...rest]);
  const code = await process.end();
  return { code, stdout: process.stdout, stderr: process.stderr };
}

/** The lines of a process that goes on, as they come. */
async function linesOf(process: TrobarProcess, count: number): Promise<string[]> {
  for (;;) {
    const lines = process.stdout.split("\n").slice(0, -1);
    if (lines.length >= count) return lines;
    await process.wrote();
  }
}

test("every question is answered while the crawl runs, and pages are followed as they come", async () => {
  await withWeb(LONG, async (web) => {
    const folder = join(web.folder, "out");
    const crawl = start(web, folder);
    // The second page is asked for when the first is done; its line is written within a second.
    await web.requests(4);
    const follower = new TrobarProcess(["store", "stream", "-o", folder, "--follow", "--json"]);
    const first = (await linesOf(follower, 2)).map((line) => JSON.parse(line));
    assert.equal(first[0].url, web.url("a.test/"));
    assert.match(String(first[1].title), /^t\//, "read from the archive before it is in the index");
    const url = String(first[1].url);
    const body = await store(folder, ["get", url]);
    assert.deepEqual([body.code, body.stderr], [0, ""]);
    assert.match(body.stdout, /^<title>t\//);
    const listed = await store(folder, ["list", "--json"]);
    assert.ok(listed.stdout.split("\n").length > 2);
    const links = await store(folder, ["links", url, "--json"]);
    assert.equal(JSON.parse(links.stdout).url, web.url("a.test/"));
    const into = await store(folder, ["links", url, "--in", "--json"]);
    assert.equal(JSON.parse(into.stdout).url, web.url("a.test/"));
    const stats = JSON.parse((await store(folder, ["stats", "--json"])).stdout);
    assert.ok(stats.pages >= 2 && stats.pages < PAGES, "the crawl was running all the time");
    const verdict = await store(folder, ["verify", "--json"]);
    assert.deepEqual([verdict.code, JSON.parse(verdict.stdout).problems], [0, []]);
    const more = await linesOf(follower, first.length + stats.pages);
    assert.equal(new Set(more.map((line) => JSON.parse(line).url)).size, more.length);
    follower.kill("SIGINT");
    assert.equal(await follower.end(), 130);
    crawl.kill("SIGINT");
    assert.equal(await crawl.end(), 130);
  });
});

test("a reader that goes away ends a command quietly", async () => {
  await withWeb(LONG, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const program = fileURLToPath(new URL("../../bin/trobar.js", import.meta.url));
    for (const command of [
      "list",
      "list --json --text",
      "stream --json",
      `links --in ${web.url("a.test/")}`,
    ]) {
      const line = `"${process.execPath}" "${program}" store ${command} -o "${crawl.folder}" | head -n 1`;
      const { stdout, stderr } = spawnSync("bash", ["-o", "pipefail", "-c", line], {
        encoding: "utf8",
      });
      assert.equal(stdout.trimEnd().split("\n").length, 1);
      assert.equal(stderr, "");
    }
  });
});
