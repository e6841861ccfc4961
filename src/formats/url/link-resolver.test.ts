import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DEFAULT_URL_RULES,
  type FetchableUrl,
  type LinkBase,
  LinkResolver,
  parseUrl,
} from "./index.ts";

const options = { fingerprintKey: new Uint8Array(16).fill(5), shards: 64, urlLengthMax: 2_048 };
const resolver = new LinkResolver(options);

function baseAt(text: string, by = resolver): LinkBase {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted", text);
  return by.base(outcome.url);
}

function resolved(link: string, base: LinkBase): string {
  return resolver.resolve(link, base) ?? resolver.url;
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

test("links of several pages may be resolved in turns", () => {
  const bases = [baseAt("http://a.test/one/two/"), baseAt("https://b.test/three/")];
  for (const link of ["../x", "y", "../../z", "y"]) {
    for (const base of bases) {
      const expected = new URL(link, base.url).href;
      assert.equal(resolved(link, base), expected);
    }
  }
});

test("the results belong to the last link, its key and hosts included", () => {
  const base = baseAt("http://www.a.test./x/");
  assert.equal(resolver.resolve("%7Ey;jsessionid=1", base), null);
  assert.equal(resolver.url, "http://www.a.test./x/%7Ey;jsessionid=1");
  assert.equal(resolver.key, "http://www.a.test/x/~y");
  assert.equal(resolver.host, "www.a.test.");
  assert.equal(resolver.keyHost, "www.a.test");
  const fingerprint = [...resolver.fingerprint];
  assert.equal(resolver.resolve("http://www.a.test/x/~y", base), null);
  assert.deepEqual([...resolver.fingerprint], fingerprint);
  assert.equal((fingerprint[0] ?? 0) >>> 26, resolver.shard);
});

test("a fetchable form over the limit is refused, a text over it is not", () => {
  const short = new LinkResolver({ ...options, urlLengthMax: 30 });
  const base = baseAt("http://a.test/", short);
  assert.equal(short.resolve("x".repeat(16), base), null);
  assert.equal(short.resolve("x".repeat(17), base), "url-too-long");
  assert.equal(short.resolve("ü".repeat(5), base), "url-too-long");
  assert.equal(short.resolve(`${"x/../".repeat(20_000)}y#${"z".repeat(100)}`, base), null);
  assert.equal(short.url, "http://a.test/y");
});

test("rules of the key do not touch the URL", () => {
  const strict = new LinkResolver({
    ...options,
    rules: { ...DEFAULT_URL_RULES, www: "strip", trackingParams: "strip", trailingSlash: "strip" },
  });
  const base = baseAt("https://www.a.test/x/", strict);
  assert.equal(strict.resolve("y/?utm_source=z", base), null);
  assert.equal(strict.url, "https://www.a.test/x/y/?utm_source=z");
  assert.equal(strict.key, "https://a.test/x/y");
  assert.equal(strict.keyHost, "a.test");
});

test("bases at and beyond every size are resolved against", () => {
  for (const length of [400, 600, 4_000, 5_000, 9_000, 60_000]) {
    for (const text of [
      `http://a.test/${"f".repeat(length)}?q`,
      `http://a.test/${"f".repeat(length)}/`,
      `http://${"h".repeat(length)}.test/`,
    ]) {
      const long = new LinkResolver({ ...options, urlLengthMax: 65_536 });
      const base = baseAt(text, long);
      for (const link of ["", "x", "?y", "/z", "#", "../w", "//v.test/"]) {
        assert.equal(long.resolve(link, base), null);
        const expected: string = new URL(link, text).href.replace(/#$/, "");
        assert.equal(long.url, expected as FetchableUrl);
      }
    }
  }
});
