import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { topologyMistakes } from "../../../test/support/agent/topology-mistakes.ts";
import {
  crawlVirtually,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import type { ConnectorStatus, UnitStatus } from "../../topology/runtime/index.ts";
import { loadCrawlTopology } from "./crawl-topology.ts";
import { MET, SEEN, STORED } from "./user-units.fixture.ts";

const DEFAULT = readFileSync(new URL("./crawl.yaml", import.meta.url), "utf8");
const UNITS = fileURLToPath(new URL("./user-units.fixture.ts", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "topology-"));

after(() => rmSync(FOLDER, { recursive: true }));
beforeEach(() => void SEEN.splice(0));

/** A file with a changed copy of the default topology. */
function changed(change: (text: string) => string): string {
  const text = change(DEFAULT);
  assert.notEqual(text, DEFAULT, "the change is made");
  const path = join(FOLDER, "topology.yaml");
  writeFileSync(path, text);
  return path;
}

const GRAPH = { "a/": ["a/x", "a/y", "a/z"], "a/x": ["a/y"], "a/y": [], "a/z": ["b/"], "b/": [] };

async function crawl(topology: string, options: Partial<VirtualCrawlOptions> = {}) {
  const settings = [`topology=${topology}`, "politeness.hostDelay=0"];
  return await crawlVirtually({ graph: GRAPH, seeds: ["a/"], settings, ...options });
}

test("a processor added by a line sees every page, and its back-pressure shows", async () => {
  const path = changed(
    (text) =>
      `${text.replace("parsed: { type: visit, capacity: 256", "parsed: { type: visit, capacity: 1").replace("fetched: { type: visit, capacity: 256", "fetched: { type: visit, capacity: 1")}
  words: { unit: '${UNITS}#slow', input: parsed }
`,
  );
  const looks: { connectors: ConnectorStatus[]; units: UnitStatus[] }[] = [];
  const links = Array.from({ length: 30 }, (_, number) => `h${number}/`);
  const graph = { "a/": links, ...Object.fromEntries(links.map((page) => [page, []])) };
  const { summary } = await crawl(path, {
    graph,
    prepared: (run, kernel) => {
      const look = (): void => {
        const { units } = run;
        void Promise.all([units.connectors(), units.units()]).then(([connectors, all]) =>
          looks.push({ connectors, units: all }),
        );
        if (run.summary().state === "running") kernel.clock.after(500, look);
      };
      look();
    },
  });
  assert.equal(summary.pages, 31);
  assert.equal(SEEN.length, 31);
  assert.ok(
    SEEN.some((line) => /^http:\/\/a\.example\/ 200 h0\/.* \d+$/s.test(line)),
    SEEN[0],
  );
  const longest = (id: string): number =>
    Math.max(
      ...looks.map(({ connectors }) => connectors.find((one) => one.id === id)?.length ?? 0),
    );
  assert.deepEqual([longest("parsed"), longest("fetched")], [1, 1], "connectors before it fill up");
  const metric = (id: string, name: string): number =>
    Math.max(
      ...looks.map(({ units }) => Number(units.find((one) => one.id === id)?.metrics[name] ?? 0)),
    );
  assert.ok(metric("parser", "blocked") > 0, "the parser waits for it");
  assert.ok(metric("downloader", "blocked") > 0, "so does the downloader");
  assert.equal(metric("archive", "blocked"), 0, "what comes after it does not");
});

test("a processor that fails loses its sight of a page, and the page goes on", async () => {
  const path = changed((text) => `${text}\n  mine: { unit: '${UNITS}#failing', input: parsed }\n`);
  const { summary, reports } = await crawl(path);
  assert.equal(summary.pages, 5);
  assert.deepEqual(summary.errors, {});
  assert.equal(SEEN.length, 4);
  assert.deepEqual(
    reports.map(({ code }) => code),
    ["INTERNAL_UNIT"],
  );
});

test("a processor that never ends is given up for one page, and the crawl ends", async () => {
  for (const [settings, ms] of [
    ["", 60_000],
    [", settings: { patience: 3s }", 3000],
  ] as const) {
    const path = changed(
      (text) => `${text}\n  mine: { unit: '${UNITS}#endless', input: parsed${settings} }\n`,
    );
    let failed: unknown = null;
    const { summary, reports } = await crawl(path, {
      delayMsOf: (page) => (page === "a/y" ? 6000 : 0),
      prepared: (run, kernel) => {
        const look = (): void => {
          void Promise.resolve(run.units.units()).then((units) => {
            failed = units.find(({ id }) => id === "mine")?.metrics["failed"] ?? failed;
          });
          if (run.summary().state === "running") kernel.clock.after(10, look);
        };
        look();
      },
    });
    assert.deepEqual([summary.pages, summary.reason], [5, "exhausted"]);
    assert.deepEqual(
      reports.map(({ code, facts }) => [code, facts["unit"], facts["url"]]),
      [["INTERNAL_UNIT_LATE", "mine", "http://a.example/x"]],
    );
    assert.match(reports[0]?.message ?? "", new RegExp(`within ${ms} ms`));
    // Its body is there for as long as it is waited for.
    assert.equal(SEEN.splice(0).join().startsWith("null"), ms === 3000);
    assert.equal(failed, 1);
  }
});

test("a unit in the line that fails ends one page, with a code of its own", async () => {
  const path = changed((text) =>
    text
      .replace("connectors:\n", "connectors:\n  sound: { type: visit }\n")
      .replace(
        "  archive:\n    unit: archive\n    input: linked",
        `  mine: { unit: '${UNITS}#broken', input: linked, output: sound }\n  archive:\n    unit: archive\n    input: sound`,
      ),
  );
  const { summary, reports } = await crawl(path);
  assert.deepEqual([summary.pages, summary.reason], [4, "exhausted"]);
  assert.deepEqual(summary.errors, { INTERNAL_UNIT: 1 });
  assert.match(reports[0]?.message ?? "", /the work of unit mine on the item .*a\.example\/x/);
});

test("visits that units of users drop are ends of their own, and the crawl ends by itself", async () => {
  const path = changed((text) =>
    `${text}\n  looking: { unit: '${UNITS}#looking', input: parsed }\n`
      .replace("connectors:\n", "connectors:\n  early: { type: visit }\n  sound: { type: visit }\n")
      .replace(
        "  downloader:\n    unit: downloader\n    input: visits",
        `  first: { unit: '${UNITS}#dropping', input: visits, output: early, settings: { end: b.example/ } }\n  downloader:\n    unit: downloader\n    input: early`,
      )
      .replace(
        "  archive:\n    unit: archive\n    input: linked",
        `  mine: { unit: '${UNITS}#dropping', input: linked, output: sound }\n  archive:\n    unit: archive\n    input: sound`,
      ),
  );
  const { summary, reports, lines } = await crawl(path, { seeds: ["a/", "b/"] });
  assert.deepEqual([summary.pages, summary.reason], [3, "exhausted"]);
  assert.deepEqual(summary.errors, { INTERNAL_UNIT_DROPPED: 2 });
  assert.equal(SEEN.length, 4, "one of the two was fetched and parsed before");
  assert.match(reports[0]?.message ?? "", /^The unit (first|mine) dropped the item http:/);
  assert.deepEqual(
    summary.failedSeeds.map(({ url, why }) => [url, why]),
    [["http://b.example/", "INTERNAL_UNIT_DROPPED"]],
  );
  const dropped = lines.filter(({ result }) => result === "INTERNAL_UNIT_DROPPED");
  assert.deepEqual(dropped.map(({ url }) => url).toSorted(), [
    "http://a.example/x",
    "http://b.example/",
  ]);
});

test("all mistakes of a topology are told, each with its place", async () => {
  const path = changed((text) =>
    text.replace("unit: parser", "unit: parsr").replace("output: kept", "output: kpet"),
  );
  const text = await topologyMistakes(path);
  assert.match(text, /topology\.yaml:\d+:\d+: parsr is not a known unit; .*did you mean parser\?/);
  assert.match(text, /topology\.yaml:\d+:\d+: kpet is not a known connector/);
});

test("a topology has one front", async () => {
  const two = changed((text) => text.replace("unit: front\n", "unit: front\n    instances: 2\n"));
  assert.match(await topologyMistakes(two), /has 2 units that take pages from the frontier/);
});

test("the text of pages is made only if a unit looks at it", async () => {
  assert.equal((await loadCrawlTopology(null)).wantsText, false);
  const path = changed((text) => `${text}\n  words: { unit: '${UNITS}#slow', input: parsed }\n`);
  assert.equal((await loadCrawlTopology(path)).wantsText, true);
});

test("another seen test, or none, is a changed line, and gives the same pages", async () => {
  const graph: Record<string, string[]> = {};
  for (let page = 0; page < 40; page += 1) {
    graph[`a/${page}`] = ["a/0", "a/1", `a/${(page * 7) % 40}`, `a/${page + 1}`, "b/"];
  }
  graph["b/"] = [];
  const answers = {
    "a/3": { status: 301, headers: [["Location", "http://a.example/17"]] as const, body: "" },
  };
  const options = { graph, answers, seeds: ["a/0", "a/1"] };
  const own = await crawlVirtually({ ...options, settings: ["politeness.hostDelay=0"] });
  assert.ok(own.pages.length > 40);
  for (const name of ["exact", "bloom", "none"]) {
    const path = changed((text) => text.replace(/recently-seen: \{.*/, line(name)));
    const { pages, summary } = await crawl(path, options);
    assert.deepEqual([...pages].sort(), [...own.pages].sort(), name);
    assert.deepEqual(summary.errors, {});
    const [asked, known] = MET[name] ?? [0, 0];
    // Seeds and the target of the redirect too.
    assert.equal(asked, 39 * 5 + 2 + 1, name);
    assert.equal(known > 100, name !== "none", name);
  }
  function line(name: string): string {
    return `recently-seen: { unit: '${UNITS}#${name}' }`;
  }
});

test("a seen test that throws costs no page", async () => {
  const path = changed((text) =>
    text.replace(/recently-seen: \{.*/, `recently-seen: { unit: '${UNITS}#faulty' }`),
  );
  const { summary, pages } = await crawl(path);
  assert.deepEqual(pages.length, 5);
  assert.deepEqual(summary.errors, { INTERNAL_LINKS: 1 });
});

test("a store of a user in place of the archive gets pages, robots.txt and failures", async () => {
  const path = changed((text) =>
    text.replace(/ warcs: \{.*/, ` warcs: { unit: '${UNITS}#jsonLines' }`),
  );
  const graph = { ...GRAPH, "a/y": ["a/gone", "nowhere/"], "b/": [] };
  const { summary } = await crawl(path, {
    graph,
    answers: { "b/": { body: "same" }, "a/x": { body: "same" } },
    settings: [`topology=${path}`, "politeness.hostDelay=0", "politeness.robots=obey"],
  });
  const lines = STORED.splice(0);
  assert.equal(lines.pop(), "closed", "the provider closes it at the end");
  const urls = lines.map((line) => String((JSON.parse(line) as { url: string }).url));
  for (const page of ["a.example/", "a.example/x", "a.example/gone", "a.example/robots.txt"]) {
    assert.ok(urls.includes(`http://${page}`), page);
  }
  assert.ok(lines.some((line) => line.includes("nowhere.example") && line.includes("FETCH_")));
  assert.deepEqual([summary.pages, summary.duplicates, summary.reason], [5, 1, "exhausted"]);
});

test("a processor that has nothing to do with pages is not made, and named", async () => {
  const path = changed((text) => `${text}\n  idle: { unit: '${UNITS}#idle', input: parsed }\n`);
  await assert.rejects(crawl(path), /The unit idle could not be made: .* has no function take/);
});
