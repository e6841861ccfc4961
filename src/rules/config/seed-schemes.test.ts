import assert from "node:assert/strict";
import { test } from "node:test";
import { type ConfigurationSources, readConfiguration } from "./index.ts";

function file(text: string): ConfigurationSources {
  return { files: [{ path: "crawl.yaml", bytes: Buffer.from(text) }] };
}

/** `line:column value` of each mistake. */
function mistakes(sources: ConfigurationSources): readonly string[] {
  const reading = readConfiguration(sources);
  if (reading.ok) return [];
  return reading.mistakes.map(({ location, value, problem }) => {
    const at = location.kind === "file" ? `${location.line}:${location.column}` : location.kind;
    return `${at} ${value} ${problem}`;
  });
}

test("a seed may have any scheme that a protocol module fetches, whichever key comes first", () => {
  const protocols = "fetch: { protocols: { ftp: ./ftp.js, x-own: own } }\n";
  const seeds = "seeds: [ftp://example.org/, x-own://example.org:7/, https://example.org/]\n";
  assert.deepEqual(mistakes(file(seeds + protocols)), []);
  assert.deepEqual(mistakes(file(protocols + seeds)), []);
});

test("each seed of a scheme without a module is told at its place", () => {
  const text = "seeds:\n  - ftp://a.example/\n  - https://b.example/\n  - gopher://c.example/\n";
  assert.deepEqual(mistakes(file(text)), [
    "2:5 ftp://a.example/ has the scheme ftp",
    "4:5 gopher://c.example/ has the scheme gopher",
  ]);
});

test("seeds are not blamed for a wrong list of protocol modules", () => {
  const text = "seeds: [ftp://a.example/]\nfetch: { protocols: { ftp: , http: x } }\n";
  const found = mistakes(file(text));
  assert.equal(found.length, 2);
  assert.ok(found.every((each) => each.startsWith("2:")));
});

test("modules and a proxy exclude each other", () => {
  const text = "fetch: { protocols: { ftp: ./ftp.js }, proxy: 'http://proxy.example:3128' }\n";
  assert.match(mistakes(file(text)).join(), /fetch.proxy leads everything through a proxy/);
});

test("a glob may be for a scheme that a module fetches", () => {
  const narrowing = { include: ["ftp://a.example/*"], exclude: [] };
  assert.match(mistakes({ narrowing }).join(), /is for URLs of ftp, which are not fetched/);
  const protocols = file("fetch: { protocols: { ftp: ./ftp.js } }\n");
  assert.deepEqual(mistakes({ ...protocols, narrowing }), []);
});
