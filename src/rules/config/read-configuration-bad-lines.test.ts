/** `key=value` files, variables and flags that are wrong, each with the lines a user is shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderMistakes } from "../settings/index.ts";
import { type ConfigurationSources, readConfiguration } from "./index.ts";

type Case = readonly [what: string, text: string, ...shown: RegExp[]];

const PROPERTIES: readonly Case[] = [
  [
    "__proto__",
    "__proto__=1\n__proto__.x=2",
    /^c\.properties:1:1: "__proto__" is not a key/,
    /2:1: "__proto__\.x"/,
  ],
  [
    "constructor.prototype",
    "constructor.prototype.polluted=1",
    /"constructor\.prototype\.polluted" is not a key/,
  ],
  [
    "a line without a value",
    "# comment\nfetchingThreads",
    /^c\.properties:2:1: this line has no = between/,
  ],
  [
    "a key of ours, mistyped",
    "fetch.maxBdy=10Mi",
    /"fetch\.maxBdy" is not a key .*; did you mean fetch\.maxBody\?/,
  ],
  ["a name of BUbiNG's, mistyped", "schemeAuthorityDlay=1s", /did you mean schemeAuthorityDelay\?/],
  ["a name like none", "zebra=1", /"zebra" is not a key of the configuration\.$/],
  ["an empty name", "=5", /^c\.properties:1:1: "" is not a key/],
  [
    "a value twice",
    "scope=any\n\nscope=host",
    /^c\.properties:3:1: scope is given twice; the first time at c\.properties:1:1/,
  ],
  [
    "a list that goes on in a line of half a million items",
    `blackListedHosts=a\nblackListedHosts=${"a,".repeat(500_000)}`,
    /politeness\.blockHosts: "a" has 500002 items, more than 100000/,
  ],
  [
    "a value by two names",
    "maxUrls=5\nlimits.pages=6",
    /^c\.properties:2:1: limits\.pages is given twice/,
  ],
  [
    "a wrong value",
    "  fetch.retries =  many",
    /^c\.properties:1:20: fetch\.retries: "many" is not a number/,
  ],
  [
    "a wrong value by BUbiNG's name",
    "ipDelay=soon",
    /^c\.properties:1:9: politeness\.ipDelay: "soon" is not a duration/,
  ],
  ["no value where one is needed", "scope=", /scope: "" means no value, and one is needed/],
  ["a wrong item of a list", "fetch.ports=80,http", /fetch\.ports: "http" is not a number/],
  [
    "an empty item of a list",
    "politeness.blockHosts=a.org,,b.org",
    /politeness\.blockHosts: "" means no value/,
  ],
  [
    "a wrong escape",
    "name=\\u12",
    /^c\.properties:1:6: \\u must be followed by four hexadecimal digits/,
  ],
  ["an escape that makes a control", "name=a\\u0007b", /"a\\x07b" has control characters/],
  [
    "a list of hosts in a file",
    "blackListedHosts=file:hosts.txt",
    /"file:hosts\.txt" is a file, which is not read here/,
  ],
  [
    "a proxy that is not a host",
    "proxyHost=a b\nproxyPort=80",
    /fetch\.proxy: "http:\/\/a b:80" is not a URL/,
  ],
  [
    "a proxy's port out of range",
    "proxyHost=proxy\nproxyPort=99999",
    /fetch\.proxy: .* is not a URL/,
  ],
  ["an include", "include=other.properties", /"include" is not a key/],
  [
    "a value that goes on at the end",
    "fetch.retries=5\\\n  0x",
    /fetch\.retries: "50x" has an unknown unit "x"/,
  ],
];

for (const [what, text, ...shown] of PROPERTIES) {
  test(`a key=value file with ${what} is refused at its place`, () => {
    expectLines(
      { files: [{ path: "c.properties", bytes: new TextEncoder().encode(text) }] },
      shown,
    );
  });
}

const VARIABLES: readonly (readonly [name: string, value: string, shown: RegExp])[] = [
  ["TROBAR___PROTO__", "1", /"TROBAR___PROTO__" sets no key/],
  ["TROBAR_CONSTRUCTOR_PROTOTYPE", "1", /sets no key/],
  ["TROBAR_POLITENESS_HOSTDELAY", "2s", /did you mean TROBAR_POLITENESS_HOST_DELAY\?/],
  ["TROBAR_LIMITS", "{pages: 5}", /"TROBAR_LIMITS" sets no key/],
  ["TROBAR_", "1", /"TROBAR_" sets no key/],
  [
    "TROBAR_FETCH_RETRIES",
    "x",
    /fetch\.retries: "x" is not a number such as .*; legal: a whole number/,
  ],
  ["TROBAR_FETCH_HTTP2", "1", /fetch\.http2: "1" is neither true nor false/],
  ["TROBAR_FETCH_PORTS", "80,0", /fetch\.ports: "0" is too small/],
  ["TROBAR_USER_AGENT", "Bot\r\nX: 1", /userAgent: "Bot\\r\\nX: 1" has control characters/],
  ["TROBAR_NAME", "\u001b]0;title\u0007", /name: "\\x1b\]0;title\\x07" has control characters/],
];

for (const [name, value, shown] of VARIABLES) {
  test(`the variable ${name}=${JSON.stringify(value)} is refused by its name`, () => {
    const found = expectLines({ environment: { [name]: value } }, [shown]);
    assert.ok(found[0]?.startsWith(`environment variable ${name}: `), found[0]);
  });
}

const ASSIGNMENTS: readonly (readonly [text: string, shown: RegExp])[] = [
  ["__proto__={x: 1}", /"__proto__" is not a key/],
  ["__proto__.polluted=true", /"__proto__\.polluted" is not a key/],
  ["constructor.prototype.polluted=true", /is not a key/],
  ["fetch={__proto__: {retries: 1}}", /"fetch\.__proto__" is not a key/],
  ["fetch.retries", /"fetch\.retries" is not of the form KEY=VALUE/],
  ["=5", /"=5" is not of the form KEY=VALUE/],
  ["", /"" is not of the form KEY=VALUE/],
  ["fetch.retries=", /fetch\.retries: "" means no value/],
  ["fetch.retries=[1", /this is not well-formed YAML/],
  ["fetch.retries=1\n---\n2", /a second document begins here/],
  ["fetch.retries=!!js/function x", /tags are not used/],
  ["fetch.retries={a: 1}", /is a tree where a single value is expected/],
  ["fetch=3", /fetch: "3" is given where a tree of keys is expected/],
  ["seeds=https://example.org/", /is not a list; write \[ \] around it/],
  ["fetch.retires=5", /did you mean fetch\.retries\?/],
  [`name=${"[".repeat(50_000)}`, /the nesting is too deep/],
];

for (const [text, shown] of ASSIGNMENTS) {
  test(`--set ${JSON.stringify(text.slice(0, 40))} is refused by its number`, () => {
    const flags = [
      { kind: "assignment", ordinal: 1, text: "fetch.http2=true" },
      { kind: "assignment", ordinal: 2, text },
    ] as const;
    const found = expectLines({ flags }, [shown]);
    assert.ok(found[0]?.startsWith("flag --set no. 2: "), found[0]);
  });
}

test("a flag's wrong value is shown with the flag", () => {
  const found = expectLines(
    { flags: [{ kind: "value", flag: "--delay", key: "politeness.hostDelay", text: "soon" }] },
    [/politeness\.hostDelay: "soon" is not a duration/],
  );
  assert.ok(found[0]?.startsWith("flag --delay: "));
});

test("a wrong argument is shown with its number", () => {
  const texts = ["https://example.org/", "example"];
  expectLines({ flags: [{ kind: "arguments", key: "seeds", texts }] }, [
    /^argument no\. 2: seeds: "example" is not an absolute URL; write https/,
  ]);
});

test("all mistakes of all sources are shown at once", () => {
  const bytes = new TextEncoder().encode("scope: hots\nfetch:\n  retries: -1\n");
  expectLines(
    {
      files: [{ path: "c.yaml", bytes }],
      environment: { TROBAR_LANES: "none" },
      flags: [{ kind: "assignment", ordinal: 1, text: "limits.pages=0" }],
    },
    [/^c\.yaml:1:8: scope/, /^c\.yaml:3:12: fetch\.retries/, /TROBAR_LANES/, /--set no\. 1/],
  );
});

test("of thousands of mistakes the first hundred are shown, and how many more there are", () => {
  const bytes = new TextEncoder().encode(
    Array.from({ length: 5000 }, (_, index) => `key${index}: 1`).join("\n"),
  );
  const reading = readConfiguration({ files: [{ path: "c.yaml", bytes }] });
  assert.ok(!reading.ok);
  assert.equal(reading.mistakes.length, 100);
  assert.match(
    renderMistakes(reading.mistakes, reading.omitted),
    /^5000 mistakes:.*… and 4900 more\.$/s,
  );
});

function expectLines(sources: ConfigurationSources, shown: readonly RegExp[]): string[] {
  const reading = readConfiguration(sources);
  assert.ok(!reading.ok, "it was accepted");
  const lines = renderMistakes(reading.mistakes, reading.omitted)
    .split("\n")
    .slice(1)
    .map((line) => line.trim());
  assert.equal(lines.length, shown.length, lines.join("\n"));
  for (const [index, line] of lines.entries()) assert.match(line, shown[index] ?? /^$/);
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  return lines;
}
