import assert from "node:assert/strict";
import { test } from "node:test";
import { continueWith } from "./adopt.ts";
import {
  CONFIGURATION_SCHEMA,
  differingKeys,
  type GivenConfiguration,
  givenAgain,
  joinWith,
  readConfiguration,
} from "./index.ts";

test("continuing with nothing new keeps what is recorded, not the defaults", () => {
  const recorded = given("limits.pages=500", "url.www=strip").configuration;
  const { configuration, mistakes } = continueWith(recorded, given());
  assert.deepEqual(mistakes, []);
  assert.deepEqual(configuration, recorded);
});

test("limits, politeness, concurrency and lanes may change on continuing", () => {
  const recorded = given("limits.pages=500").configuration;
  const { configuration, mistakes } = continueWith(
    recorded,
    given("limits.pages=900", "politeness.hostDelay=2s", "fetch.concurrency=9", "lanes=3"),
  );
  assert.deepEqual(mistakes, []);
  assert.deepEqual(differingKeys(recorded, configuration), [
    "limits.pages",
    "politeness.hostDelay",
    "fetch.concurrency",
    "lanes",
  ]);
});

test("every fixed key that differs is refused with its location", () => {
  const recorded = given("seeds=[https://example.org/]").configuration;
  const { mistakes } = continueWith(
    recorded,
    given("seeds=[https://example.com/]", "scope=any", "frontier.shards=32", "store.kind=jsonl"),
  );
  assert.deepEqual(
    mistakes.map(({ code, key, legal }) => [code, key, legal]),
    [
      ["CONFIG_FIXED_KEY", "seeds", '["https://example.org/"]'],
      ["CONFIG_FIXED_KEY", "scope", "host"],
      ["CONFIG_FIXED_KEY", "frontier.shards", "64"],
      ["CONFIG_FIXED_KEY", "store.kind", '"warc"'],
    ],
  );
  assert.deepEqual(mistakes[1]?.location, { kind: "flag", flag: "--set", ordinal: 2 });
});

test("a fixed key may be given again with the same value", () => {
  const recorded = given("seeds=[https://example.org/]", "scope=domain").configuration;
  const again = given("seeds=[https://example.org/]", "scope=domain", "frontier.shards=64");
  assert.deepEqual(continueWith(recorded, again).mistakes, []);
});

test("what is new may contradict what is recorded, and that is refused too", () => {
  const recorded = given("fetch.retryMaxWait=20s").configuration;
  assert.deepEqual(
    continueWith(recorded, given("fetch.retryWait=30s")).mistakes.map(({ code, key }) => [
      code,
      key,
    ]),
    [["CONFIG_CONFLICT", "fetch.retryWait"]],
  );
  const both = given("fetch.retryWait=30s", "fetch.retryMaxWait=40s");
  assert.deepEqual(continueWith(recorded, both).mistakes, []);
});

test("a joiner takes the cluster's shared keys and keeps its own local ones", () => {
  const cluster = given(
    "limits.pages=500",
    "fetch.concurrency=99",
    "cluster.id=first",
  ).configuration;
  const joiner = given("cluster.id=second", "lanes=2", "cluster.join=[127.0.0.1:4222]");
  const { configuration, mistakes } = joinWith(cluster, joiner);
  assert.deepEqual(mistakes, []);
  assert.equal(configuration.limits.pages, 500);
  assert.equal(configuration.cluster.id, "second");
  assert.equal(configuration.lanes, 2);
  assert.equal(
    configuration.fetch.concurrency,
    500,
    "another agent's local value is not taken over",
  );
});

test("a joiner that gives shared keys other values gets a mistake for each", () => {
  const cluster = given("limits.pages=500").configuration;
  const joiner = given("limits.pages=600", "scope=any", "url.www=keep", "lanes=2");
  assert.deepEqual(
    joinWith(cluster, joiner).mistakes.map(({ code, key }) => [code, key]),
    [
      ["CONFIG_SHARED_KEY", "scope"],
      ["CONFIG_SHARED_KEY", "limits.pages"],
    ],
  );
});

test("the keys of an agent's own machine are local, and the ring's are not", () => {
  const local = CONFIGURATION_SCHEMA.keys.filter(({ key }) => key.reach === "local");
  const paths = local.map(({ path }) => path);
  for (const path of [
    "cluster.id",
    "cluster.capacity",
    "lanes",
    "api.port",
    "limits.minFreeDisk",
  ]) {
    assert.ok(paths.includes(path), path);
  }
  for (const path of ["cluster.replicas", "cluster.deadAfter", "scope", "url.www"]) {
    assert.ok(!paths.includes(path), path);
  }
});

function given(...assignments: readonly string[]): GivenConfiguration {
  const flags = assignments.map((text, index) => ({
    kind: "assignment" as const,
    ordinal: index + 1,
    text,
  }));
  const reading = readConfiguration({ flags });
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading;
}

test("an agent that is started again has keys of its own as it recorded them", () => {
  const recorded = given("dns.servers=[192.0.2.1:53]", "lanes=2", "limits.pages=7", "cluster.id=a");
  const location = { kind: "file", path: "config.yaml", line: null, column: null } as const;
  const again = givenAgain(given("lanes=3"), recorded.configuration, location);
  const { dns, lanes, limits, cluster } = again.configuration;
  assert.deepEqual([dns.servers, lanes, limits.pages], [["192.0.2.1:53"], 3, null]);
  assert.equal(cluster.id, "a");
  assert.deepEqual(again.locations.get("dns.servers"), location);
  assert.equal(again.locations.has("limits.pages"), false);
});

test("an agent that is told anew whom to reach forgets the servers of before", () => {
  const recorded = given("cluster.nats=[nats://192.0.2.1]").configuration;
  const location = { kind: "file", path: "config.yaml", line: null, column: null } as const;
  const elsewhere = givenAgain(given("cluster.join=[127.0.0.1:4223]"), recorded, location);
  assert.deepEqual(elsewhere.configuration.cluster.nats, []);
  assert.deepEqual(givenAgain(given(), recorded, location).configuration.cluster.nats, [
    "nats://192.0.2.1",
  ]);
});
