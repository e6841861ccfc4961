import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import { renderMistakes } from "../settings/index.ts";
import { readConfiguration, writeConfiguration } from "./index.ts";

const NONE = {
  ...{ hostDelay: null, robots: null, robotsMaxAge: null },
  ...{ crawlDelayMax: null, crawlDelayOver: null },
};

function read(text: string): ReturnType<typeof readConfiguration> {
  const bytes = new TextEncoder().encode(text);
  return readConfiguration({ files: [{ path: "crawl.yaml", bytes }] });
}

test("hosts are told in the form in which URLs hold them, and only what is given is set", () => {
  const { politeness } = configured(
    "politeness.hosts={ Example.ORG.: { hostDelay: 5s }, '*.bücher.example': { crawlDelayOver: cap, robots: ignore } }",
  );
  assert.deepEqual(politeness.hosts, [
    ["example.org", { ...NONE, hostDelay: 5000 }],
    ["*.xn--bcher-kva.example", { ...NONE, crawlDelayOver: "cap", robots: "ignore" }],
  ]);
});

test("a configuration with such hosts is read as it was written", () => {
  const configuration = configured(
    "politeness.hosts={ '*.example.org': { hostDelay: 5s, robotsMaxAge: 1h }, a.test: { crawlDelayMax: 2s } }",
  );
  const again = read(writeConfiguration(configuration));
  assert.ok(again.ok);
  assert.deepEqual(again.configuration.politeness.hosts, configuration.politeness.hosts);
});

test("every mistake is shown with its place", () => {
  const reading = read(`politeness:
  hosts:
    "*.": { hostDelay: 1s }
    a.*.example: { hostDelay: 1s }
    https://a.example/: { hostDelay: 1s }
    b.example: { hostdelay: 1s }
    c.example: { hostDelay: soon }
    d.example: { ipDelay: 1s }
    e.example: {}
    E.example: { robots: obey }
`);
  assert.ok(!reading.ok);
  const shown = renderMistakes(reading.mistakes, reading.omitted);
  for (const expected of [
    /crawl\.yaml:3.*is neither a host nor \*\. and a domain/,
    /crawl\.yaml:4.*is neither a host/,
    /crawl\.yaml:5.*is neither a host/,
    /crawl\.yaml:6.*"hostdelay" is not one of its fields.*hostDelay/,
    /crawl\.yaml:7.*"soon" is not a duration/,
    /crawl\.yaml:8.*"ipDelay" is not one of its fields/,
    /crawl\.yaml:9.*says nothing about the host/,
    /crawl\.yaml:10.*is given twice/,
  ])
    assert.match(shown, expected);
});
