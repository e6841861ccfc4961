import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { SeededRandom } from "../../base/random/index.ts";
import { NO_RUNS } from "../../base/runs/index.ts";
import { type LinkMarks, type LinkRuns, printLinkMarks, readLinkMarks } from "./link-marks.ts";
import { LinkRig } from "./link-rig.fixture.ts";

const URLS = Array.from({ length: 60 }, (_, at) => `http://a.example/${at}`);

/** A graph of many blocks, batches and runs; some pages were written again. */
function grown(seed: string): LinkRig {
  const rig = new LinkRig(seed, 2000);
  const random = new SeededRandom(seed);
  rig.open();
  for (const [at, url] of [...URLS, ...URLS.slice(10, 20)].entries()) {
    const links = Array.from({ length: random.below(12) }, () => ({
      ...{ url: `http://b.example/${random.below(400)}`, kind: "a", rel: "" },
      text: "x".repeat(random.below(900)),
    }));
    rig.add(url, links);
    if (at % 7 === 0) rig.flush();
  }
  rig.flush();
  rig.close();
  return rig;
}

function marksOf({ machine }: LinkRig): LinkMarks {
  const bytes = machine.result<Uint8Array>((done) => machine.storage.readWhole("links/runs", done));
  return readLinkMarks(bytes) ?? assert.fail("there are marks");
}

function setMarks({ machine }: LinkRig, marks: LinkMarks): void {
  machine.result((done) => machine.storage.replace("links/runs", printLinkMarks(marks), done));
}

test("a sound graph has no problem, and every page is found with its last links", async () => {
  const rig = grown("sound");
  const { problems, pages, blocks } = await rig.check();
  assert.deepEqual(problems, []);
  assert.deepEqual([...pages.keys()].sort(), [...URLS].sort());
  for (const [url, page] of pages) {
    const links = rig.linksOf(url) ?? assert.fail(url);
    const lines = links.map((link) => `\t${link.kind}\t${link.rel}\t${link.text}\t${link.url}\n`);
    assert.deepEqual([page.links, page.sum], [links.length, crc32(lines.join(""))], url);
    assert.equal(blocks.get(url), page.block, url);
  }
  assert.ok(new Set(blocks.values()).size > 5, "there are several blocks");
});

test("an empty graph has no problem", async () => {
  const rig = new LinkRig("empty", 2000);
  rig.open();
  const { problems, pages } = await rig.check();
  assert.deepEqual([problems, pages.size], [[], 0]);
});

test("runs that lack records are told", async () => {
  const told: Record<LinkRuns, RegExp> = {
    arcs: /some of its links are not found/,
    places: /is not where the runs say/,
    pages: /^$/,
  };
  for (const name of ["arcs", "places", "pages"] as const) {
    const rig = grown(name);
    const marks = marksOf(rig);
    const { runs, ...stack } = marks[name];
    const [first] = runs;
    assert.ok(first, "there is a run");
    setMarks(rig, { ...marks, [name]: { ...stack, runs: runs.slice(1) } });
    const { problems, blocks } = await rig.check();
    if (name === "pages") assert.ok([...blocks.values()].includes(null), "a page is not found");
    else assert.ok(problems.length > 0, name);
    for (const problem of problems) {
      assert.match(problem, name === "places" ? /not where|links and not/ : told[name], name);
    }
  }
});

test("damaged runs are named, and the rest is read", async () => {
  for (const name of ["arcs", "places", "pages"] as const) {
    const rig = grown(`damage of ${name}`);
    const run = marksOf(rig)[name].runs[0]?.name ?? assert.fail("there is a run");
    rig.machine.result((done) => rig.machine.storage.remove(run, done));
    const { problems, pages } = await rig.check();
    assert.deepEqual(problems, [`${run}: it is missing`], name);
    assert.equal(pages.size, URLS.length, name);
  }
});

test("links that the marks do not count are told", async () => {
  const rig = grown("count");
  const marks = marksOf(rig);
  setMarks(rig, { ...marks, countOfLinks: marks.countOfLinks + 1 });
  const { problems } = await rig.check();
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /links and not/);
  setMarks(rig, { ...marks, nextBlock: 0, arcs: NO_RUNS, places: NO_RUNS });
  const rest = await rig.check();
  assert.match(rest.problems.join("\n"), /has 0 links and not/);
});
