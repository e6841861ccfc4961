/** Values that are wrong, each with what a user is shown: the value, what is wrong, what is legal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderMistakes } from "../settings/index.ts";
import { readConfiguration } from "./index.ts";

type Case = readonly [key: string, value: string, shown: RegExp];

const VALUES: readonly Case[] = [
  ["fetch.concurrency", "0", /"0" is too small; legal: a whole number from 1 to 100k/],
  ["fetch.concurrency", "-5", /"-5" is negative/],
  ["fetch.concurrency", "100001", /is too large/],
  ["fetch.concurrency", "99999999999999999999", /too large to be counted exactly/],
  ["fetch.concurrency", "9".repeat(400), /is too long for a number/],
  ["fetch.concurrency", "1e3", /has an exponent; write it out/],
  ["fetch.concurrency", "0x1F4", /is not decimal/],
  ["fetch.concurrency", "0o17", /is not decimal/],
  ["fetch.concurrency", "0500", /needless zero/],
  ["fetch.concurrency", ".nan", /is not a number such as/],
  ["fetch.concurrency", "NaN", /is not a number such as/],
  ["fetch.concurrency", ".inf", /is not a number such as/],
  ["fetch.concurrency", "-.inf", /is not a number|is negative/],
  ["fetch.concurrency", "1.5", /is not a whole number/],
  ["fetch.concurrency", "1_000", /separators between its digits/],
  ["fetch.concurrency", "50s", /unknown unit "s"; the units are k, M, G/],
  ["fetch.concurrency", "true", /is not a number/],
  ["fetch.concurrency", "१२", /is not a number/],
  ["limits.pages", "0", /"0" is too small; legal: ~, or a whole number, at least 1/],
  ["limits.depth", "-1", /is negative/],
  ["limits.time", "60", /has no unit; write one of ms, s, m, h, d/],
  ["limits.bytes", "10mb", /unknown unit "mb"/],
  ["limits.repeatedSegments", "1", /is too small; legal: a whole number from 2/],
  ["politeness.hostDelay", "1", /"1" has no unit; .*; legal: a duration from 0s to 1d/],
  ["politeness.hostDelay", "1 week", /unknown unit "week"/],
  ["politeness.hostDelay", "10Mi", /unknown unit "Mi"/],
  ["politeness.hostDelay", "2d", /is too large/],
  ["politeness.hostDelay", "1h30m", /is not a duration such as/],
  [
    "politeness.robots",
    "obay",
    /is not one of the choices; legal: obey, ignore; did you mean obey\?/,
  ],
  ["politeness.robots", "false", /is not one of the choices/],
  ["politeness.blockHosts", "[https://example.org/]", /is not a host name/],
  ["politeness.blockHosts", "[example.org, 'a b']", /"a b" is not a host name/],
  ["politeness.blockHosts", "[2130706433]", /is not a host name/],
  ["politeness.blockAddresses", "[10.0.0.0/33]", /needs a number from 0 to 32 after its slash/],
  ["politeness.blockAddresses", "['::1/129']", /from 0 to 128/],
  ["politeness.blockAddresses", "[256.1.1.1]", /is not an address/],
  ["politeness.blockAddresses", "[0x7f.1]", /is not an address/],
  ["politeness.blockAddresses", "['fe80::1%eth0']", /is not an address/],
  ["fetch.ports", "[0]", /"0" is too small/],
  ["fetch.ports", "[80, 65536]", /"65536" is too large/],
  ["fetch.ports", "all", /"all" is not a list; .*; legal: any, or a list/],
  ["fetch.cookies", "yes", /"yes" is neither true nor false; legal: true or false/],
  ["fetch.proxy", "ftp://proxy:21", /has the scheme ftp/],
  [
    "fetch.proxy",
    "http://me:secret@proxy:8080/path",
    /"http:\/\/…@proxy:8080\/path" has more than a host/,
  ],
  ["fetch.maxBody", "0", /is too small; legal: a size from 1 to 1Ti/],
  ["dns.servers", "[dns.example.org:53]", /has no address; DNS servers are not given by name/],
  ["dns.servers", "[192.0.2.1:99999]", /has a port that is not a number from 1 to 65535/],
  ["userAgent", '"Bot\\r\\nX-Evil: 1"', /"Bot\\r\\nX-Evil: 1" has control characters/],
  ["userAgent", '"Bot\\0"', /has control characters/],
  ["userAgent", "Bôt/1.0", /characters that a header may not contain/],
  ["userAgent", "/1.0", /does not begin with a product's name/],
  ["userAgent", `"${"a".repeat(600)}"`, /is longer than 512 characters/],
  ["userAgent", '""', /is empty/],
  ["contact", "nobody", /is neither a URL nor a mail address/],
  ["contact", "me@localhost", /is neither a URL nor a mail address/],
  ["contact", '"https://example.org/ (me)"', /characters that a header may not contain/],
  ["seeds", "[example]", /"example" is not an absolute URL; write https:\/\/… in front/],
  ["seeds", "['example.org:x/']", /is not an absolute URL/],
  ["fetch.headers", "Accept", /is not a tree of names and values; legal: names and values/],
  ["fetch.headers", "[Accept]", /is not a tree of names and values/],
  ["fetch.headers", "{ Host: x }", /"Host" decides where a message ends/],
  [
    "fetch.headers",
    "{ 'a b': x }",
    /"a b" has characters that the name of a header may not contain/,
  ],
  ["fetch.headers", "{ Range: x }", /would bring less than whole pages/],
  ["fetch.headers", "{ If-None-Match: x }", /would bring less than whole pages/],
  ["fetch.headers", "{ X-A: a, x-a: b }", /"x-a" is given twice/],
  ["fetch.headers", "{ X-A: }", /means no value, and one is needed/],
  ["fetch.headers", "{ X-A: [a] }", /is a list where a single value is expected/],
  ["fetch.headers", "{ X-A: \u20ac }", /has characters that a header may not contain/],
  [
    "fetch.credentials",
    "[{ host: x, fiel: y }]",
    /"fiel" is not one of its fields.* did you mean file\?/,
  ],
  ["fetch.credentials", "[{ host: x, env: a-b }]", /is not the name of a variable/],
  ["fetch.credentials", "[{ host: 'x:99999', env: A }]", /is not a host name or address/],
  ["fetch.protocols", "ftp", /is not a tree of names and values; legal: schemes and the modules/],
  ["fetch.protocols", "{ https: ./x.js }", /"https" is built in/],
  ["fetch.protocols", "{ FILE: ./x.js }", /"FILE" is built in/],
  ["fetch.protocols", "{ FTP: ./x.js }", /"FTP" is not a scheme in lower case/],
  ["fetch.protocols", "{ 'ftp:': ./x.js }", /"ftp:" is not a scheme in lower case/],
  ["fetch.protocols", "{ ftp: }", /means no value, and one is needed/],
  ["seeds", "[ftp://example.org/]", /has the scheme ftp; legal: .*https, http, file/],
  ["seeds", "['javascript:alert(1)']", /has the scheme javascript/],
  ["seeds", "['http://[::1']", /is not a URL/],
  ["seeds", "['https://']", /is not a URL/],
  ["seeds", "['https://a/', ~]", /means no value/],
  ["name", "a/b", /cannot be part of a file's name/],
  ["name", "../up", /cannot be part of a file's name/],
  ["name", "a".repeat(65), /cannot be part of a file's name/],
  ["name", '"a\\u202Eb"', /"a\\u\{202e\}b" has control characters or other invisible marks/],
  ["scope", "Host", /is not one of the choices; .*; did you mean host\?/],
  ["frontier.shards", "48", /is not a power of two; legal: a power of two from 1 to 1024/],
  [
    "frontier.score",
    "backlink",
    /is neither one of the choices nor a module; .*; did you mean backlinks\?/,
  ],
  ["frontier.score", "a;b", /is neither one of the choices nor a module/],
  ["frontier.topic", "['']", /is empty/],
  ["parse.links", "[a, aera]", /"aera" is not one of the choices; .*; did you mean area\?/],
  ["store.kind", "wrac", /did you mean warc\?/],
  ["store.checkpoint", "1ms", /is too small; legal: a duration from 10ms to 1h/],
  ["lanes", "0", /is too small; legal: auto, or a whole number from 1/],
  ["lanes", "automatic", /is not a number such as .*; legal: auto, or/],
  ["cluster.join", "[10.0.0.5]", /has no port/],
  ["cluster.join", "[':4222']", /has no host before its port/],
  ["cluster.nats", "['http://10.0.0.5']", /has the scheme http; legal: a list.*nats, tls/],
  ["assignment.database", "mysql://db", /has the scheme mysql; legal: sqlite, or/],
  ["api.port", "70000", /is too large; legal: auto, or/],
  ["api.host", "127.0.0.1:80", /is not a host name/],
  ["filters.schedule", "[a, b]", /is a list where a single value is expected/],
  ["filters.schedule", `"${"x".repeat(70_000)}"`, /is longer than 65536 characters/],
];

for (const [key, value, shown] of VALUES) {
  test(`${key} cannot be ${value.slice(0, 40)}`, () => {
    const lines = mistakesOf(`${key.replace(".", ":\n  ")}: ${value}`);
    assert.equal(lines.length, 1, lines.join("\n"));
    const location = key.includes(".") ? /^c\.yaml:2:\d+: / : /^c\.yaml:1:\d+: /;
    assert.match(lines[0] ?? "", location);
    assert.ok(lines[0]?.includes(`: ${key}: "`), lines[0]);
    assert.match(lines[0] ?? "", shown);
  });
}

type Conflict = readonly [what: string, yaml: string, shown: RegExp];

const CONFLICTS: readonly Conflict[] = [
  [
    "a connection may take longer than the whole fetch",
    "fetch: { connectTimeout: 5m }",
    /^c\.yaml:1:26: fetch\.connectTimeout is 5m and must not be more than fetch\.totalTimeout, 2m/,
  ],
  [
    "silence may last longer than the whole fetch",
    "fetch: { idleTimeout: 1h }",
    /fetch\.idleTimeout is 1h and must not be more/,
  ],
  [
    "the first retry waits longer than any may",
    "fetch: { retryWait: 1h }",
    /fetch\.retryWait is 1h and must not be more than fetch\.retryMaxWait, 10m/,
  ],
  [
    "a sign of life comes later than suspicion",
    "cluster: { heartbeat: 5s }",
    /cluster\.heartbeat is 5s and must be less than cluster\.suspectAfter, 5s/,
  ],
  [
    "death comes before suspicion",
    "cluster: { deadAfter: 3s }",
    /cluster\.suspectAfter is 5s and must be less than cluster\.deadAfter, 3s/,
  ],
  [
    "an agent is given up before it is dead",
    "cluster: { giveUpAfter: 10s }",
    /cluster\.deadAfter is 15s and must not be more than cluster\.giveUpAfter, 10s/,
  ],
  [
    "servers are to know an agent by several names",
    "cluster: { nats: ['nats://a:1@x:1', 'nats://y:1', 'nats://a:2@z:1'] }",
    /cluster\.nats has different names, passwords or tokens/,
  ],
  [
    "there are both peers and servers",
    "cluster: { nats: [nats://127.0.0.1:4222], join: [127.0.0.1:1] }",
    /cluster\.nats names existing servers and cluster\.join peers/,
  ],
  [
    "a mesh off loopback has no token",
    "cluster: { listen: 0.0.0.0:4222 }",
    /cluster\.token is not given, and 0\.0\.0\.0:4222 is not on loopback/,
  ],
  ["gzip is asked for level 12", "store: { level: 12 }", /store\.level is more than 9/],
  [
    "nothing is compressed, at a level",
    "store: { compression: none, level: 3 }",
    /store\.compression is none/,
  ],
  [
    "the topic has no words",
    "frontier: { traversal: priority, score: topic }",
    /frontier\.topic has no words/,
  ],
  [
    "a random walk would never end",
    "frontier: { traversal: random-walk }",
    /limits\.pages is not set, and a random walk ends only at a limit/,
  ],
  [
    "there are more lanes than shards",
    "lanes: 8\nfrontier: { shards: 4 }",
    /^c\.yaml:1:8: lanes is more than frontier\.shards, 4/,
  ],
  [
    "a ring has a database",
    "assignment: { database: postgres://db/x }",
    /only a master has a database/,
  ],
  [
    "a ring has a strategy",
    "assignment: { strategy: ./spread.js }",
    /only a master has a strategy/,
  ],
];

for (const [what, yaml, shown] of CONFLICTS) {
  test(`a configuration in which ${what} is refused`, () => {
    const lines = mistakesOf(yaml);
    assert.equal(lines.length, 1, lines.join("\n"));
    assert.match(lines[0] ?? "", shown);
  });
}

test("a key that is wrong by itself is not reported a second time for what it contradicts", () => {
  const lines = mistakesOf("fetch:\n  totalTimeout: 1\n  connectTimeout: 1h");
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /fetch\.totalTimeout: "1" has no unit/);
});

function mistakesOf(yaml: string): string[] {
  const bytes = new TextEncoder().encode(yaml);
  const reading = readConfiguration({ files: [{ path: "c.yaml", bytes }] });
  assert.ok(!reading.ok, "it was accepted");
  return renderMistakes(reading.mistakes, reading.omitted)
    .split("\n")
    .slice(1)
    .map((line) => line.trim());
}
