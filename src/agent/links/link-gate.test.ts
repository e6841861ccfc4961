import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type FetchableUrl, LinkResolver, parseUrl } from "../../formats/url/index.ts";
import { FollowedLink } from "../../parse/page/index.ts";
import { readConfiguration } from "../../rules/config/index.ts";
import { FILTER_PLACES, loadFilter } from "../../rules/filter/index.ts";
import { CrawlScope } from "./crawl-scope.ts";
import { LinkGate, type LinkGateOptions } from "./link-gate.ts";

const reading = readConfiguration({});
assert(reading.ok, "the defaults are legal");
const { limits, url: rules, fetch } = reading.configuration;
const SCHEMES: ReadonlySet<string> = new Set(["ftp", "gemini", "x-own"]);

const resolver = new LinkResolver({
  fingerprintKey: new Uint8Array(16),
  ...{ shards: 64, rules, urlLengthMax: limits.urlLength, schemes: SCHEMES },
});

function gate(changes: Partial<LinkGateOptions> = {}): LinkGate {
  const scope = new CrawlScope("host", rules);
  scope.add(fetchable("http://a.test/"));
  const options = {
    scope,
    limits,
    nofollow: "obey",
    rules: { schedule: null },
    roots: [],
  } as const;
  return new LinkGate({ ...options, ports: fetch.ports, ...changes });
}

function fetchable(text: string): FetchableUrl {
  const outcome = parseUrl(text, { files: true, schemes: SCHEMES });
  assert(outcome.kind === "accepted", text);
  return outcome.url;
}

function link(text: string, rel = ""): FollowedLink {
  const url = fetchable(text);
  const resolved = resolver.resolve(url, resolver.base(url));
  assert(typeof resolved !== "string", text);
  const origin = { source: undefined, depth: 1, isNofollow: false };
  return new FollowedLink(resolved, origin, { kind: "redirect", rel, text: "" });
}

test("each reason for a refusal has its word", async () => {
  const schedule = await loadFilter("not PathEndsWithOneOf(.zip)", FILTER_PLACES.schedule, {
    importModule: () => assert.fail("nothing is imported"),
  });
  const refusal = (text: string, rel = "") =>
    gate({
      rules: { schedule },
      limits: { ...limits, pathSegments: 5, repeatedSegments: 2 },
    }).refusal(link(text, rel));
  assert.equal(refusal("http://a.test/fine"), null);
  assert.equal(refusal("http://a.test/fine", "nofollow"), "nofollow");
  assert.equal(refusal("http://b.test/"), "scope");
  assert.equal(refusal("http://a.test:22/"), "port");
  assert.equal(refusal("http://a.test/1/2/3/4/5/6"), "path-segments");
  assert.equal(refusal("http://a.test/1/2/3/4/5/"), null);
  assert.equal(refusal("http://a.test/x/x/x"), "repeated-segments");
  assert.equal(refusal("http://a.test/x/x/y"), null);
  assert.equal(refusal("http://a.test/big.zip"), "filter-schedule");
});

test("the port of a scheme is allowed with that scheme alone, if there is a module for it", () => {
  const schemes = new Set(["ftp"]);
  const refusal = (text: string) => gate({ schemes }).refusal(link(text));
  assert.equal(refusal("ftp://a.test/"), null);
  assert.equal(refusal("ftp://a.test:8080/"), null, "it is one of fetch.ports");
  assert.equal(refusal("ftp://a.test:22/"), "port");
  assert.equal(refusal("http://a.test:21/"), "port");
  assert.equal(refusal("gemini://a.test/"), "port");
  assert.equal(gate().refusal(link("ftp://a.test/")), "port");
  const portless = gate({ schemes: SCHEMES }).refusal(link("x-own://a.test/"));
  assert.equal(portless, "port", "the scheme has no port of its own");
});

test("nofollow can be ignored, and every port allowed", () => {
  const lenient = gate({ nofollow: "ignore", ports: "any" });
  assert.equal(lenient.refusal(link("http://a.test:9/x", "nofollow")), null);
});

test("segments are counted between slashes", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), (count, most) => {
      const path = Array.from({ length: count }, (_, index) => `/s${index}`).join("");
      const refusal = gate({ limits: { ...limits, pathSegments: most } }).refusal(
        link(`http://a.test${path}`),
      );
      assert.equal(refusal, count > most ? "path-segments" : null);
    }),
  );
});

test("without a limit every depth is reached", () => {
  assert.equal(gate().beyond({ depth: 1_000_000 }), null);
  const limited = gate({ limits: { ...limits, depth: 2 } });
  assert.deepEqual([limited.beyond({ depth: 2 }), limited.beyond({ depth: 3 })], [null, "depth"]);
  const both = gate({ limits: { ...limits, depth: 2, hostDepth: 1 } });
  assert.equal(both.beyond({ depth: 2, hostDepth: 1 }), null);
  assert.equal(both.beyond({ depth: 2, hostDepth: 2 }), "host-depth");
  assert.equal(both.beyond({ depth: 3, hostDepth: 2 }), "depth");
});
