/** Example 19: one crawl into WARC files, JSON lines and a module. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { run } from "../../src/cli/shell/run.ts";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

export async function crawlIntoStores(): Promise<void> {
  const same = { body: "<title>same</title><p>the same words" };
  const hosts = () => ({
    "a.test": { pages: { "/": linking("/x", "/y"), "/x": same, "/y": same } },
  });
  await withWeb(hosts, async (web) => {
    const topology = resolve("examples/19-several-stores/topology.yaml");
    const out = join(web.folder, "out");
    const terminal = new RecordedTerminal();
    const before = process.cwd();
    process.chdir(web.folder);
    try {
      const flags = [...web.flags, "-q", "-o", out, "--set", `topology=${topology}`];
      assert.equal(await run(["crawl", ...flags, web.url("a.test/")], terminal), 0, terminal.said);
    } finally {
      process.chdir(before);
    }
    assert.equal(readdirSync(join(out, "warc")).length, 1);
    const [name = ""] = readdirSync(join(out, "pages"));
    const lines = gunzipSync(readFileSync(join(out, "pages", name)))
      .toString()
      .trimEnd()
      .split("\n");
    assert.equal(lines.length, 3);
    const titles = readFileSync(join(web.folder, "titles.txt"), "utf8").trimEnd().split("\n");
    assert.equal(titles.length, 2, "a page that repeats another is left out");
    assert.match(titles.join("\n"), /^200 http:\S+\/[xy] same$/m);
  });
}
