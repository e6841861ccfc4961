import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../base/errors/index.ts";
import { type GivenConfiguration, readConfiguration } from "../../rules/config/index.ts";
import { changesOf, joinedWith } from "./joined-settings.ts";

const SHARED = given("limits.pages=50", "scope=any", "dns.servers=[192.0.2.1:53]").configuration;

test("whoever comes to a crawl must not want another one", () => {
  const wanted = given("limits.pages=80", "lanes=2");
  const reports: string[] = [];
  assert.throws(
    () => joinedWith(SHARED, wanted, { isNew: true, report: ({ code }) => reports.push(code) }),
    (error) => error instanceof CrawlError && /limits\.pages: "80" is shared/.test(error.message),
  );
  assert.deepEqual(reports, []);
});

test("whoever comes back goes on with what all have, and says where that differs", () => {
  const reports: CrawlError[] = [];
  const joined = joinedWith(SHARED, given("limits.pages=80", "lanes=2"), {
    isNew: false,
    report: (error) => reports.push(error),
  });
  assert.deepEqual([joined.limits.pages, joined.lanes, joined.scope], [50, 2, "any"]);
  assert.deepEqual(joined.dns.servers, []);
  assert.deepEqual(changesOf(SHARED, joined), {});
  assert.match(reports[0]?.message ?? "", /limits\.pages: 50, not 80.*--change/);
});

test("whoever changes the crawl begins with what it was given, and the others hear of it", () => {
  const wanted = given("limits.pages=80", "cluster.giveUpAfter=1h", "lanes=2");
  const report = (error: CrawlError): void => assert.fail(error.message);
  for (const isNew of [false, true]) {
    const joined = joinedWith(SHARED, wanted, { isNew, changes: true, report });
    assert.deepEqual([joined.limits.pages, joined.lanes, joined.scope], [80, 2, "any"]);
    assert.deepEqual(changesOf(SHARED, joined), {
      "limits.pages": "80",
      "cluster.giveUpAfter": "1h",
    });
  }
});

test("nobody changes what is fixed when the crawl is created", () => {
  const report = (error: CrawlError): void => assert.fail(error.message);
  assert.throws(
    () => joinedWith(SHARED, given("scope=host"), { isNew: false, changes: true, report }),
    /scope: "host" cannot change while the crawl is continued; legal: any/,
  );
});

function given(...settings: readonly string[]): GivenConfiguration {
  const flags = settings.map((text, at) => ({
    ...{ kind: "assignment" as const, ordinal: at + 1, text },
  }));
  const reading = readConfiguration({ flags });
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading;
}
