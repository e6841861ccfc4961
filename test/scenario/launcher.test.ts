/** Signals under an older Node, as terminals, `timeout` and service managers send them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type CrawledWeb, linking, withWeb } from "../support/agent/crawl-rig.ts";
import {
  installLauncher,
  type NodeCommand,
  oldNodes,
  REPLACING_NODE,
  stayingNodes,
} from "../support/cli/launcher.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { needsProgram } from "../support/requirement.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-launcher-"));
after(() => rmSync(folder, { recursive: true }));
const LAUNCHER = installLauncher(folder, { packages: true });

/** A site that keeps a crawl busy until it is told to end. */
const ENDLESS = () => {
  const names = Array.from({ length: 2000 }, (_, index) => `/${index}`);
  const pages = Object.fromEntries(names.map((name) => [name, { body: `<p>page ${name}` }]));
  return { "a.test": { pages: { "/": linking(...names), ...pages } } };
};

let crawls = 0;

function start(web: CrawledWeb, node: readonly string[]): TrobarProcess {
  crawls += 1;
  const out = join(web.folder, String(crawls));
  const argv = ["crawl", ...web.flags, "--json", "-o", out, web.url("a.test/")];
  return new TrobarProcess(argv, {}, [...node, LAUNCHER]);
}

/** Crawls under each Node, interrupts, and expects a graceful end with its summary. */
async function assertGraceful(
  nodes: readonly (readonly string[])[],
  interrupt: (crawl: TrobarProcess) => void,
  code: number | null = 130,
): Promise<void> {
  for (const node of nodes) {
    await withWeb(ENDLESS, async (web) => {
      const crawl = start(web, node);
      await web.requests(20);
      interrupt(crawl);
      assert.equal(await crawl.end(), code, `${node}: ${crawl.stderr}`);
      assert.notEqual(crawl.stdout, "", `${node} ended without its summary: ${crawl.stderr}`);
      const { reason, queued } = JSON.parse(crawl.stdout);
      assert.deepEqual([reason, queued > 0], ["signal", true]);
    });
  }
}

test("a signal to the whole process group counts as one interruption", async () => {
  await assertGraceful(oldNodes(), (crawl) => crawl.killGroup("SIGINT"));
});

test("a signal to the launcher alone arrives", async () => {
  await assertGraceful(stayingNodes().slice(-1), (crawl) => crawl.kill("SIGTERM"));
});

test("timeout, which sends its signal twice, ends a crawl gracefully", {
  skip: needsProgram("timeout"),
}, async () => {
  const timed = (node: NodeCommand): readonly string[] => ["timeout", "-s", "INT", "600", ...node];
  const nodes: readonly NodeCommand[] = [...stayingNodes().slice(-1), [process.execPath]];
  // It passes a signal on as it sends its own when the time is up.
  await assertGraceful(nodes.map(timed), (crawl) => crawl.kill("SIGTERM"));
});

test("a terminal that is closed ends a crawl gracefully", async () => {
  const nodes = [...stayingNodes().slice(-1), REPLACING_NODE];
  await assertGraceful(nodes, (crawl) => crawl.killGroup("SIGHUP"));
});

test("a crawl ends with its launcher, even when that is killed", async () => {
  await assertGraceful(stayingNodes(), (crawl) => crawl.kill("SIGKILL"), null);
});

test("where an older Node can be replaced, no launcher stays", async () => {
  await assertGraceful([REPLACING_NODE], (crawl) => crawl.kill("SIGINT"));
});

test("a command that does not wait to be interrupted ends as the launcher is told to", async () => {
  for (const node of stayingNodes()) {
    const inspect = new TrobarProcess(["inspect", "url", "-"], {}, [...node, LAUNCHER]);
    await inspect.ask("https://example.org/");
    inspect.kill("SIGTERM");
    assert.equal(await inspect.end(), null);
    assert.equal(inspect.signal, "SIGTERM");
  }
});
