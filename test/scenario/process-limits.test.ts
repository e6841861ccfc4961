/** Crawls in processes that may use little: few open files, little memory. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";
import { installLauncher } from "../support/cli/launcher.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-limits-"));
after(() => rmSync(folder, { recursive: true }));
const LAUNCHER = installLauncher(folder, { packages: true });

/** Enough hosts for a crawl to open more connections than it may. */
const HOSTS = Array.from({ length: 60 }, (_, index) => `h${index}.test`);
const WIDE = (port: number) => ({
  ...Object.fromEntries(HOSTS.map((host) => [host, { pages: { "/": { body: `<p>${host}` } } }])),
  "a.test": { pages: { "/": linking(...HOSTS.map((host) => `http://${host}:${port}/`)) } },
});

function limited(openFiles: number): readonly string[] {
  const script = `ulimit -n ${openFiles} && exec "$@"`;
  return ["bash", "-c", script, "bash", process.execPath, LAUNCHER];
}

test("few open files mean fewer connections and the same pages; too few are refused", async () => {
  await withWeb(WIDE, async (web) => {
    const crawl = async (openFiles: number) => {
      const out = join(web.folder, String(openFiles));
      const argv = ["crawl", ...web.flags, "--json", "--scope", "any", "-o", out];
      const ended = new TrobarProcess([...argv, web.url("a.test/")], {}, limited(openFiles));
      return { code: await ended.end(), ...ended, out };
    };
    const few = await crawl(128);
    assert.equal(few.code, 0, few.stderr);
    assert.equal(JSON.parse(few.stdout).pages, HOSTS.length + 1);
    assert.match(few.stderr, /note: this process may open 128 files.*fetch\.concurrency is 9/);
    const tooFew = await crawl(64);
    assert.equal(tooFew.code, 2, tooFew.stderr);
    assert.match(tooFew.stderr, /may open 64 files, and a crawl needs at least 128/);
    assert.ok(!existsSync(tooFew.out), "nothing was begun");
  });
});

test("too little heap is refused before V8 gives up", async () => {
  await withWeb(WIDE, async (web) => {
    const argv = ["crawl", ...web.flags, "-o", join(web.folder, "heap"), web.url("a.test/")];
    const environment = { NODE_OPTIONS: "--max-old-space-size=48" };
    const crawl = new TrobarProcess(argv, environment, [process.execPath, LAUNCHER]);
    assert.equal(await crawl.end(), 2, crawl.stderr);
    assert.match(crawl.stderr, /--max-old-space-size.*at least 96/);
  });
});
