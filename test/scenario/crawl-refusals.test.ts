/** With what a crawl refuses to begin: settings that are not built yet, and bad modules. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

let folder = "";

before(() => {
  folder = mkdtempSync(join(tmpdir(), "trobar-refusals-"));
});
after(() => rmSync(folder, { recursive: true }));

async function refused(args: readonly string[], environment = {}): Promise<string> {
  const out = join(folder, "out");
  const terminal = new RecordedTerminal({ environment });
  const flags = ["-o", out, "--min-free-disk", "0"];
  const code = await run(["crawl", ...flags, ...args, "http://127.0.0.1:9/"], terminal);
  assert.equal(code, 2, terminal.said);
  return terminal.said;
}

function moduleOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("settings that are not built yet", () => {
  test("are refused wherever they were given, all of them at once", async () => {
    const file = moduleOf("crawl.yaml", "store:\n  migrate: true\n");
    const said = await refused(["--config", file, "--set", "cluster.capacity=3"], {
      TROBAR_CLUSTER_REPLICAS: "3",
    });
    assert.match(said, /store\.migrate \(.*crawl\.yaml:2:12\)/);
    assert.match(said, /cluster\.replicas \(environment variable TROBAR_CLUSTER_REPLICAS\)/);
    assert.match(said, /cluster\.capacity \(flag --set no\. 1\)/);
  });
});

test("the configuration that a crawl leaves behind can begin another one", async () => {
  await withWeb(
    () => ({ "a.test": { pages: { "/": { body: "a page" } } } }),
    async (web) => {
      const first = await web.crawl(["a.test/"]);
      const config = join(first.folder, "config.yaml");
      const second = await web.crawl([], ["--config", config]);
      assert.equal(second.code, 0, second.terminal.said);
      assert.equal(second.summary?.pages, 1);
    },
  );
});

describe("a module that cannot be used ends with 2 and its reason", () => {
  const bad: readonly (readonly [name: string, text: string | null, reason: RegExp])[] = [
    ["missing.mjs", null, /Cannot find|could not be loaded|cannot be used/],
    ["syntax.mjs", "export const = 1;", /Unexpected|could not be loaded|cannot be used/],
    ["throws.mjs", "throw null;", /could not be loaded|cannot be used/],
    ["throws-error.mjs", "throw new Error('on purpose');", /on purpose/],
    ["empty.mjs", "export {};", /exports no/],
    [
      "misshapen.mjs",
      "export const Good = 1; export const createScore = () => 1;",
      /is not an atom|has no method/,
    ],
    [
      "fails-later.mjs",
      "export const Good = { looksAt: 'url', create() { throw undefined; } };" +
        "export const createScore = async () => { throw undefined; };",
      /Good|cannot be used/,
    ],
    [
      "no-function.mjs",
      "export const Good = { looksAt: 'url', create: () => 7 };" +
        "export const createScore = () => ({ priorityOf: 3 });",
      /Good|has no method/,
    ],
  ];
  for (const [name, text, reason] of bad) {
    test(`${name} as a filter's atom, as a lender of atoms, and as a score`, async () => {
      const path = text === null ? join(folder, name) : moduleOf(name, text);
      assert.match(await refused(["--set", `filters.schedule='${path}#Good()'`]), reason);
      assert.match(
        await refused(["--set", `filters.modules=['${path}']`, "--include", "Good()"]),
        /Good|loaded/,
      );
      const score = ["--set", "frontier.traversal=priority", "--set", `frontier.score='${path}'`];
      assert.match(await refused(score), reason);
    });
  }
});
