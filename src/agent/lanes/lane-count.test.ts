import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { laneCount } from "./lane-count.ts";

function lanesFor(settings: readonly string[], more: object = {}): number {
  return laneCount({
    configuration: configured(...settings),
    ...{ fetching: "here", hasReader: false, hasOwnModules: false, stays: false, cores: 8 },
    ...more,
  });
}

function seedsOn(hosts: number): string {
  return `seeds=[${Array.from({ length: hosts }, (_, at) => `http://h${at}.example/`).join()}]`;
}

test("a crawl that can reach many hosts has a lane for each core", () => {
  for (const scope of ["any", "domain"]) {
    assert.equal(lanesFor([`scope=${scope}`, seedsOn(1)]), 8, scope);
  }
  assert.equal(lanesFor([seedsOn(1)], { stays: true }), 8);
});

test("hosts that politeness lets be visited seldom need no further core", () => {
  assert.equal(lanesFor([seedsOn(1)]), 1);
  assert.equal(lanesFor([seedsOn(200)]), 1);
  assert.equal(lanesFor([seedsOn(1000)]), 4);
  assert.equal(lanesFor([seedsOn(3), "politeness.hostDelay=1ms"]), 3);
  // However quick it is, one host is in one lane.
  assert.equal(lanesFor([seedsOn(1), "politeness.hostDelay=0ms"]), 1);
});

test("a crawl of few pages has one lane", () => {
  assert.equal(lanesFor(["scope=any", "limits.pages=999"]), 1);
  assert.equal(lanesFor(["scope=any", "limits.pages=1000"]), 8);
});

test("there are no more lanes than connections or shards", () => {
  assert.equal(lanesFor(["scope=any", "fetch.concurrency=3"]), 3);
  assert.equal(lanesFor(["scope=any", "frontier.shards=4"]), 4);
});

test("what needs one lane has one, and refuses more with the reason", () => {
  const needs: readonly (readonly [settings: readonly string[], more: object, why: RegExp])[] = [
    [["store.kind=jsonl"], {}, /the kind jsonl/],
    [["frontier.traversal=random-walk", "limits.time=1h"], {}, /a random walk/],
    [["topology=./mine.yaml"], {}, /topology/],
    [[], { fetching: "elsewhere" }, /other processes/],
    [[], { hasReader: true }, /--extract/],
    [[], { hasOwnModules: true }, /modules/],
  ];
  for (const [settings, more, why] of needs) {
    assert.equal(lanesFor(["scope=any", ...settings], more), 1);
    assert.equal(lanesFor(["lanes=1", ...settings], more), 1);
    assert.throws(
      () => lanesFor(["lanes=2", ...settings], more),
      (error: Error) =>
        "code" in error && error.code === "CONFIG_CONFLICT" && why.test(error.message),
    );
  }
});
