import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../base/errors/index.ts";
import { type Changeable, checkedChanges } from "./checked-changes.ts";

const CRAWL: Changeable = {
  keys: [
    { key: "fetch.retries", fixed: null },
    { key: "scope", fixed: "it is fixed when the crawl is created" },
  ],
  units: [{ id: "web", settings: [{ key: "fetch.minRate" }] }],
};

/** The lines of what is thrown, without the first, which counts them. */
function mistakesIn(words: readonly string[], crawl: Changeable | null): readonly string[] {
  try {
    checkedChanges(words, crawl);
    return [];
  } catch (error) {
    assert.ok(isCrawlError(error));
    assert.equal(error.code, "CONFIG_INVALID");
    return error.message.split("\n").slice(1);
  }
}

test("keys and settings of units are taken in the order of the line", () => {
  assert.deepEqual(checkedChanges(["fetch.retries=5", "web.fetch.minRate=a=b"], CRAWL), [
    { key: "fetch.retries", value: "5" },
    { key: "web.fetch.minRate", value: "a=b" },
  ]);
});

test("every mistake is told with its argument", () => {
  const words = ["retries", "fetch.retries=x", "scope=any", "limits.pagez=1", "web.x=1", "y=1"];
  const [first, second, third, fourth, fifth, sixth] = mistakesIn(words, CRAWL);
  assert.match(first ?? "", /argument no\. 1: "retries" is not KEY=VALUE/);
  assert.match(second ?? "", /argument no\. 2: fetch\.retries: "x" is not a number .*; legal: /);
  assert.match(third ?? "", /argument no\. 3: scope cannot be changed .*: it is fixed when/);
  assert.match(fourth ?? "", /argument no\. 4: "limits\.pagez" .* did you mean limits\.pages\?/);
  assert.match(fifth ?? "", /argument no\. 5: "web\.x" is not a key of the unit web/);
  assert.match(
    sixth ?? "",
    /argument no\. 6: "y" is not a key of the configuration, nor UNIT\.KEY/,
  );
});

test("a value is needed where null is none, and bad YAML is no value", () => {
  assert.match(mistakesIn(["fetch.retries="], CRAWL).join("\n"), /one is needed/);
  assert.equal(mistakesIn(["fetch.retries=[1"], CRAWL).length, 1);
});

test("without a crawl the names of units and what is fixed are not known", () => {
  assert.deepEqual(mistakesIn(["scope=any", "web.x=1"], null), []);
  assert.equal(mistakesIn(["scope=everything", "web"], null).length, 2);
});
