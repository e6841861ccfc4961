/**
 * Every setting of a crawl's units is changed in the middle of a crawl, and seen by what the crawl does
 * from then on. BUbiNG's settings that could be changed and did nothing are among them.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Schema } from "../../rules/settings/index.ts";
import { chain, crawlChanging } from "./changing-crawl.fixture.ts";
import { crawlLibrary } from "./crawl-library.ts";

const WEB = { graph: chain("a", 12), seeds: ["a/0"], settings: ["politeness.hostDelay=1s"] };
const MIDDLE_MS = 6500;

describe("filters", () => {
  const change = (name: string, text: string) => ({
    ...{ atMs: MIDDLE_MS, unit: "rules", values: { [`filters.${name}`]: text } },
  });

  test("links that another schedule filter refuses are queued no more", async () => {
    const { before, after, answers } = await crawlChanging(
      WEB,
      change("schedule", "not PathEndsWithOneOf(.x)"),
    );
    assert.deepEqual([answers[0]?.ok, before.some(isAside)], [true, true]);
    // What was queued by then is still fetched.
    assert.ok(after.filter(isAside).length <= 1, after.join(" "));
    assert.ok(after.includes("a/11"));
  });

  test("URLs that another fetch filter refuses are fetched no more, though they are queued", async () => {
    const { before, after, summary } = await crawlChanging(
      WEB,
      change("fetch", "not PathEndsWithOneOf(.x)"),
    );
    assert.deepEqual([before.some(isAside), after.filter(isAside)], [true, []]);
    assert.ok((summary.refused["filter-fetch"] ?? 0) > 0);
  });

  for (const name of ["parse", "follow"]) {
    test(`another ${name} filter that refuses all pages ends the crawl`, async () => {
      const { pages, summary } = await crawlChanging(WEB, change(name, "false"));
      assert.equal(summary.reason, "exhausted");
      assert.ok(!pages.includes("a/11"));
    });
  }

  test("pages that another store filter refuses are not stored", async () => {
    const { lines, pages, before } = await crawlChanging(WEB, change("store", "false"));
    const kept = lines.filter(({ place }) => place !== null).length;
    assert.ok(kept > 0 && kept <= before.length && before.length < pages.length);
    assert.equal(lines.length, pages.length);
  });

  test("a filter with a mistake is refused and leaves the one before in force", async () => {
    const settings = [...WEB.settings, "filters.schedule=not PathEndsWithOneOf(.x)"];
    const { pages, answers } = await crawlChanging(
      { ...WEB, settings },
      change("schedule", "PathEndsWithOneOff(.x)"),
    );
    const [answer] = answers;
    assert.ok(answer?.ok === false && answer.code === "FILTER_INVALID", JSON.stringify(answer));
    assert.match(answer.message, /did you mean PathEndsWithOneOf/);
    assert.deepEqual([pages.includes("a/11"), pages.some(isAside)], [true, false]);
  });
});

describe("limits", () => {
  const change = (values: Readonly<Record<string, string>>) => ({
    ...{ atMs: MIDDLE_MS, unit: "steering", values },
  });
  const limited = (limit: string) => ({ ...WEB, settings: [...WEB.settings, limit] });

  test("a page limit that is set ends the crawl there", async () => {
    const { summary } = await crawlChanging(WEB, change({ "limits.pages": "9" }));
    assert.deepEqual([summary.pages, summary.limit], [9, "pages"]);
  });

  test("a page limit that has been passed by then ends the crawl at once", async () => {
    const { after, summary } = await crawlChanging(WEB, change({ "limits.pages": "1" }));
    assert.deepEqual([after, summary.limit], [[], "pages"]);
  });

  test("a page limit that is raised or lifted lets the crawl go on", async () => {
    for (const [value, limit] of [
      ["11", "pages"],
      ["~", null],
    ] as const) {
      const options = limited("limits.pages=8");
      const { summary } = await crawlChanging(options, change({ "limits.pages": value }));
      assert.deepEqual([summary.pages > 8, summary.limit], [true, limit]);
    }
  });

  test("a limit of bytes counts what has come before", async () => {
    const { after, summary } = await crawlChanging(WEB, change({ "limits.bytes": "10" }));
    assert.deepEqual([after, summary.limit], [[], "bytes"]);
  });

  test("a limit of time counts from the beginning of the crawl", async () => {
    const { summary } = await crawlChanging(WEB, change({ "limits.time": "9s" }));
    assert.deepEqual([summary.limit, Math.round(summary.seconds)], ["time", 9]);
    const lifted = await crawlChanging(limited("limits.time=9s"), change({ "limits.time": "~" }));
    assert.deepEqual([lifted.summary.limit, lifted.summary.reason], [null, "exhausted"]);
  });

  test("a value out of bounds is refused with the key's bounds, and changes nothing", async () => {
    const { answers, summary } = await crawlChanging(WEB, change({ "limits.pages": "-1" }));
    const [answer] = answers;
    assert.ok(answer?.ok === false && answer.code === "CONFIG_INVALID", JSON.stringify(answer));
    assert.match(answer.message, /limits\.pages/);
    assert.equal(summary.reason, "exhausted");
  });
});

test("a value of the topology file wins over the configuration, and is the one to be changed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-settings-"));
  const path = join(folder, "crawl.yaml");
  const text = readFileSync(new URL("crawl.yaml", import.meta.url), "utf8");
  const given = "unit: steering\n    settings: { limits: { pages: 8 } }";
  writeFileSync(path, text.replace("unit: steering", given));
  const options = { ...WEB, settings: [...WEB.settings, "limits.pages=2", `topology=${path}`] };
  const change = { atMs: MIDDLE_MS, unit: "steering", values: { "limits.bytes": "1Mi" } };
  const { summary, answers } = await crawlChanging(options, change);
  rmSync(folder, { recursive: true });
  assert.deepEqual([summary.pages, summary.limit, answers[0]?.ok], [8, "pages", true]);
});

test("the table of settings in docs/topologies.md is complete", () => {
  const text = readFileSync(new URL("../../../docs/topologies.md", import.meta.url), "utf8");
  const units = [...crawlLibrary().units.values()].filter(({ kind }) => kind === "provider");
  for (const { name, settings } of units) {
    const keys = new Schema(settings).keys.map(({ path }) => path);
    const row = text.split("\n").find((line) => line.startsWith(`| \`${name}\` | \``)) ?? "";
    const listed = [...(row.split("|")[2] ?? "").matchAll(/`([^`]+)`/g)].map(([, key]) => key);
    assert.deepEqual(listed.toSorted(), keys.toSorted(), name);
  }
});

function isAside(page: string): boolean {
  return page.endsWith(".x");
}
