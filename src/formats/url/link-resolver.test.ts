import assert from "node:assert/strict";
import { test } from "node:test";
import { Fingerprinter } from "./fingerprinter.ts";
import {
  DEFAULT_URL_RULES,
  type FetchableUrl,
  hostOf,
  type LinkBase,
  LinkResolver,
  parseUrl,
  type ResolvedLink,
} from "./index.ts";

const options = { fingerprintKey: new Uint8Array(16).fill(5), shards: 64, urlLengthMax: 2_048 };
const resolver = new LinkResolver(options);

function baseAt(text: string, by = resolver): LinkBase {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted", text);
  return by.base(outcome.url);
}

function resolved(link: string, base: LinkBase): string {
  const outcome = resolver.resolve(link, base);
  return typeof outcome === "string" ? outcome : outcome.url;
}

function accepted(link: string, base: LinkBase, by = resolver): ResolvedLink {
  const outcome = by.resolve(link, base);
  assert(typeof outcome !== "string", link);
  return outcome;
}

test("each kind of link keeps its part of the base", () => {
  const base = baseAt("https://example.org:8443/a/b/c.html?d=1");
  const links: readonly (readonly [link: string, url: string])[] = [
    ["", "https://example.org:8443/a/b/c.html?d=1"],
    ["#top", "https://example.org:8443/a/b/c.html?d=1"],
    ["?e=2#top", "https://example.org:8443/a/b/c.html?e=2"],
    ["x.html", "https://example.org:8443/a/b/x.html"],
    ["./x/../../y/.", "https://example.org:8443/a/y/"],
    ["../../../..", "https://example.org:8443/"],
    ["/x//y", "https://example.org:8443/x//y"],
    ["/../x/..?y/..", "https://example.org:8443/?y/.."],
    ["//other.test/x", "https://other.test/x"],
    ["//Other.test", "https://other.test/"],
    ["http://other.test/x#y", "http://other.test/x"],
    ["https://example.org:8443", "https://example.org:8443/"],
    ["https://example.org:84/", "https://example.org:84/"],
    [" x y ", "https://example.org:8443/a/b/x%20y"],
    ["mailto:x", "scheme-unsupported"],
    ["http://", "host-missing"],
  ];
  for (const [link, url] of links) assert.equal(resolved(link, base), url, link);
});

test("links of several pages may be resolved alternately", () => {
  const bases = [baseAt("http://a.test/one/two/"), baseAt("https://b.test/three/")];
  for (const link of ["../x", "y", "../../z", "y"]) {
    for (const base of bases) {
      const expected = new URL(link, base.url).href;
      assert.equal(resolved(link, base), expected);
    }
  }
});

test("URLs with the same key have the same fingerprint, which begins with the shard", () => {
  const base = baseAt("http://www.a.test./x/");
  const first = accepted("%7Ey;jsessionid=1", base);
  const second = accepted("http://www.a.test/x/~y", base);
  assert.equal(first.url, "http://www.a.test./x/%7Ey;jsessionid=1");
  assert.equal(first.key, "http://www.a.test/x/~y");
  assert.equal(hostOf(first.url), "www.a.test.");
  assert.equal(first.keyHost, "www.a.test");
  assert.deepEqual([second.high, second.low], [first.high, first.low]);
  assert.equal(first.high >>> 26, new Fingerprinter(options).shardOf(first.keyHost));
});

test("a fetchable form over the limit is refused, a text over it is not", () => {
  const short = new LinkResolver({ ...options, urlLengthMax: 30 });
  const base = baseAt("http://a.test/", short);
  assert.equal(accepted("x".repeat(16), base, short).url.length, 30);
  assert.equal(short.resolve("x".repeat(17), base), "url-too-long");
  assert.equal(short.resolve("ü".repeat(5), base), "url-too-long");
  const { url } = accepted(`${"x/../".repeat(20_000)}y#${"z".repeat(100)}`, base, short);
  assert.equal(url, "http://a.test/y");
});

test("rules of the key do not touch the URL", () => {
  const strict = new LinkResolver({
    ...options,
    rules: { ...DEFAULT_URL_RULES, www: "strip", trackingParams: "strip", trailingSlash: "strip" },
  });
  const base = baseAt("https://www.a.test/x/", strict);
  const { url, key, keyHost } = accepted("y/?utm_source=z", base, strict);
  assert.equal(url, "https://www.a.test/x/y/?utm_source=z");
  assert.equal(key, "https://a.test/x/y");
  assert.equal(keyHost, "a.test");
});

test("links are resolved against bases of every length", () => {
  for (const length of [400, 600, 4_000, 5_000, 9_000, 60_000]) {
    for (const text of [
      `http://a.test/${"f".repeat(length)}?q`,
      `http://a.test/${"f".repeat(length)}/`,
      `http://${"h".repeat(length)}.test/`,
    ]) {
      const long = new LinkResolver({ ...options, urlLengthMax: 65_536 });
      const base = baseAt(text, long);
      for (const link of ["", "x", "?y", "/z", "#", "../w", "//v.test/"]) {
        const expected: string = new URL(link, text).href.replace(/#$/, "");
        assert.equal(accepted(link, base, long).url, expected as FetchableUrl);
      }
    }
  }
});
