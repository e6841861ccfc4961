import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { topologyMistakes } from "../../../test/support/agent/topology-mistakes.ts";
import { configured } from "../../../test/support/rules/configured.ts";
import { SystemClock } from "../../base/time/index.ts";
import { openCrawl } from "../crawl/open-crawl.ts";
import { loadCrawlTopology } from "./crawl-topology.ts";

const EXAMPLE = "examples/16-polybot";
const folder = mkdtempSync(join(tmpdir(), "trobar-fetching-"));
after(() => rmSync(folder, { recursive: true }));

/** The mistakes of a changed file of the example; none if it is right. */
async function mistakesOf(
  file: string,
  ...changes: readonly (readonly [string, string])[]
): Promise<string> {
  let text = readFileSync(join(EXAMPLE, file), "utf8");
  for (const [before, now] of changes) {
    assert.ok(text.includes(before), `${file} has ${before}`);
    text = text.replace(before, now);
  }
  const path = join(folder, file);
  writeFileSync(path, text);
  return await topologyMistakes(path);
}

test("where a crawl fetches follows from its units", async () => {
  const files = [null, `${EXAMPLE}/crawl.yaml`, `${EXAMPLE}/fetch-1.yaml`];
  const found = await Promise.all(files.map(async (file) => await loadCrawlTopology(file)));
  assert.deepEqual(
    found.map(({ fetching }) => fetching),
    ["here", "elsewhere", "asked"],
  );
});

test("only a crawl that is asked may be without seeds", async () => {
  const configurationOf = (topology: string) => configured(`topology=${topology}`);
  const opening = openCrawl({
    ...{ configuration: configurationOf(`${EXAMPLE}/crawl.yaml`), folder: join(folder, "none") },
    ...{
      startOver: null,
      goOn: (recorded) => recorded,
      version: "0.0.0",
      clock: new SystemClock(),
      report: () => {},
    },
  });
  await assert.rejects(opening, { code: "USAGE_NO_SEEDS" });
  assert.ok(!existsSync(join(folder, "none")), "nothing was made");
});

test("parts of the hosts that are doubled or missing are refused", async () => {
  const doubled = await mistakesOf("crawl.yaml", ["part: 2, parts: 2", "part: 1, parts: 2"]);
  assert.match(doubled, /downloader-1 has 1 of 2, downloader-2 has 1 of 2/);
  const missing = await mistakesOf("crawl.yaml", ["part: 2, parts: 2", "part: 2, parts: 3"]);
  assert.match(missing, /do not share the hosts/);
  const several = await mistakesOf("crawl.yaml", [
    "    settings: { part: 2, parts: 2 }\n",
    "    settings: { part: 2, parts: 2 }\n    instances: 2\n",
  ]);
  assert.match(several, /with one instance each/);
});

test("remote downloaders that do not see every visit are refused", async () => {
  const apart = await mistakesOf("crawl.yaml", ["capacity: 256, kind: tee", "capacity: 256"]);
  assert.match(apart, /one connector of the kind tee/);
});

test("a crawl that fetches itself and elsewhere is refused, with every other mistake", async () => {
  const mistakes = await mistakesOf(
    "crawl.yaml",
    ["part: 2, parts: 2", "part: 2, parts: 3"],
    [
      "  parser:\n",
      "  downloader:\n    unit: downloader\n    input: visits\n    output: fetched\n" +
        "    providers: { web: web, links: links, ledger: ledger }\n\n  parser:\n",
    ],
  );
  assert.match(mistakes, /do not share the hosts/);
  assert.match(mistakes, /cannot stand beside downloader/);
});

test("a process that answers without being asked is refused", async () => {
  const mistakes = await mistakesOf(
    "fetch-1.yaml",
    ['  requests-1: { type: page-request, kind: remote, listen: "127.0.0.1:7321" }\n', ""],
    [
      "  requests:\n    unit: requests\n    input: requests-1\n" +
        "    providers: { frontier: frontier, ledger: ledger }\n",
      "",
    ],
  );
  assert.match(mistakes, /0 units requests and 1 units answers/);
});
