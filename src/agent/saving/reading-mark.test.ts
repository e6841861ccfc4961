import assert from "node:assert/strict";
import { test } from "node:test";
import { type Configuration, readConfiguration } from "../../rules/config/index.ts";
import { linkTerms, ReadingMark } from "./reading-mark.ts";

function configured(options: object = {}): Configuration {
  const read = readConfiguration({ options });
  assert.ok(read.ok);
  return read.configuration;
}

const PLAIN = configured();
const NARROW = configured({ parse: { links: ["a"] } });

test("a new crawl has read all of its pages by its settings", () => {
  const mark = new ReadingMark({ saved: null, configuration: () => PLAIN, version: "1" });
  const terms = linkTerms(PLAIN, "1");
  assert.notEqual(terms, null);
  assert.deepEqual(mark.at(500), { terms, from: 0 });
});

test("settings that change while the crawl runs apply from the next checkpoint on", () => {
  let configuration = PLAIN;
  const mark = new ReadingMark({ saved: null, configuration: () => configuration, version: "1" });
  mark.at(500);
  configuration = configured({ filters: { parse: "StatusIs(200)" } });
  assert.deepEqual(mark.at(900), { terms: linkTerms(configuration, "1"), from: 900 });
  assert.equal(mark.at(1200).from, 900);
});

test("settings of another run, or another version, apply from where the checkpoint ends", () => {
  const reading = { terms: linkTerms(PLAIN, "1"), from: 100 };
  const saved = { reading, logEnd: 700 };
  const from = (configuration: Configuration, version: string): number =>
    new ReadingMark({ saved, configuration: () => configuration, version }).at(800).from;
  assert.equal(from(PLAIN, "1"), 100);
  assert.equal(from(NARROW, "1"), 700);
  assert.equal(from(PLAIN, "2"), 700);
  const older = new ReadingMark({ saved: { logEnd: 7 }, configuration: () => PLAIN, version: "1" });
  assert.equal(older.at(800).from, 7, "nothing was said before");
});

test("only what decides about links counts", () => {
  const terms = linkTerms(PLAIN, "1");
  assert.equal(linkTerms(configured({ limits: { pages: 7 } }), "1"), terms);
  for (const other of [
    { parse: { scripts: true } },
    { limits: { linksPerPage: 7 } },
    { limits: { urlLength: 700 } },
    { filters: { follow: "StatusIs(200)" } },
    { store: { links: false } },
  ]) {
    assert.notEqual(linkTerms(configured(other), "1"), terms, JSON.stringify(other));
  }
  assert.equal(
    linkTerms(configured({ frontier: { traversal: "random-walk" }, limits: { pages: 7 } }), "1"),
    null,
  );
  assert.equal(linkTerms(configured({ topology: "units.yaml" }), "1"), null);
});
