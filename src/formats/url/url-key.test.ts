import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DEFAULT_URL_RULES, keyOf, parseUrl, type UrlKey, type UrlRules } from "./index.ts";

function keyOfText(text: string, rules: Partial<UrlRules> = {}): string {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted", text);
  return keyOf(outcome.url, { ...DEFAULT_URL_RULES, ...rules });
}

function assertKeys(rules: Partial<UrlRules>, pairs: readonly (readonly [string, string])[]): void {
  for (const [path, key] of pairs) {
    assert.equal(keyOfText(`http://a.test${path}`, rules), `http://a.test${key}`);
  }
}

test("case, punycode, default ports, fragments, dots and empty paths make no difference", () => {
  const same = [
    [
      "HTTP://Example.ORG:80",
      "http://example.org/#x",
      "http://example.org/a/../.",
      "http://example.org./",
    ],
    [
      "https://bücher.test:443/x",
      "https://xn--bcher-kva.test/x",
      "https://XN--BCHER-KVA.test/y/../x",
    ],
    ["http://1.2.3.4/", "http://0x1020304/", "http://1.2.3.4./"],
  ];
  for (const texts of same) assert.equal(new Set(texts.map((text) => keyOfText(text))).size, 1);
});

test("scheme, port, path, query and its absence make a difference", () => {
  const differing = ["http://a.test/", "https://a.test/", "http://a.test:81/", "http://a.test/?"];
  const others = [
    "http://a.test/b",
    "http://a.test/B",
    "http://a.test//",
    "http://a.test/?b",
    "http://www.a.test/",
  ];
  const keys = [...differing, ...others].map((text) => keyOfText(text));
  assert.equal(new Set(keys).size, keys.length);
});

test("escapes of unreserved characters are written out, all others in capitals", () => {
  assertKeys({}, [
    ["/%7Euser/%41%2d%2E%5f", "/~user/A-._"],
    ["/%2f%3f%23%25%c3%a9?%26%3d%61", "/%2F%3F%23%25%C3%A9?%26%3Da"],
    ["/%2e%2e%2e/%252e", "/.../%252e"],
    ["/100%/%zz?%", "/100%/%zz?%"],
  ]);
});

test("writing an escape out never completes another one", () => {
  assertKeys({}, [
    ["/%%36%35", "/%%365"],
    ["/%6%35", "/%6%35"],
    ["/%%7a", "/%z"],
    ["/%6%7a", "/%6z"],
    ["/%%%34%31", "/%%%341"],
  ]);
});

test("dots after a host are dropped only if a valid host is left", () => {
  assert.equal(keyOfText("http://example.org../"), "http://example.org/");
  assert.equal(keyOfText("http://1.2.3../"), "http://1.2.3../");
  assert.equal(keyOfText("http://../"), "http://../");
});

test("session identifiers are stripped by default, from path and query", () => {
  assertKeys({}, [
    ["/a;jsessionid=12AB.x?b=1", "/a?b=1"],
    ["/a;JSessionID=1;v=2/b;c", "/a;v=2/b;c"],
    ["/a?PHPSESSID=abc", "/a"],
    ["/a?b=1&%50hpsessid=abc&c=2", "/a?b=1&c=2"],
    ["/a?ASPSESSIONIDQQ=X&sid=0123456789abcdef0123456789abcdef&b", "/a?b"],
    ["/(S(lit3py55t21z5v55vlm25s55))/p.aspx", "/p.aspx"],
    ["/(lit3py55t21z5v55vlm25s55)", "/"],
    ["/..;jsessionid=1/b", "/..;jsessionid=1/b"],
  ]);
});

test("what only looks like a session identifier stays", () => {
  const paths = [
    "/a?sid=17",
    "/a?s=antidisestablishmentarianism",
    "/Foo_(bar)",
    "/a;b=c",
    "/a?jsessionid",
  ];
  assertKeys(
    {},
    paths.map((path) => [path, path]),
  );
  assertKeys({ sessionIds: "keep" }, [
    ["/a;jsessionid=1?phpsessid=2", "/a;jsessionid=1?phpsessid=2"],
  ]);
});

test("marks of campaigns are stripped when asked for", () => {
  const path = "/a?utm_source=x&UTM_medium=y&b=1&fbclid=z&gclid=1";
  assertKeys({}, [[path, path]]);
  assertKeys({ trackingParams: "strip" }, [
    [path, "/a?b=1"],
    ["/a?utm_source=x", "/a"],
    ["/a?&utm_source=x", "/a?"],
  ]);
});

test("parameters are sorted by name when asked for, those of one name left in order", () => {
  assertKeys({ sortQuery: true }, [["/a?c=1&b=2&a[]=2&a[]=1&b", "/a?a[]=2&a[]=1&b=2&b&c=1"]]);
});

test("trailing slashes and index pages are stripped when asked for, one after the other", () => {
  assertKeys({ trailingSlash: "strip" }, [
    ["/a//", "/a"],
    ["//", "/"],
    ["/a/?b", "/a?b"],
  ]);
  assertKeys({ indexPages: "strip" }, [
    ["/a/Index.HTML?b", "/a/?b"],
    ["/default.aspx", "/"],
    ["/myindex.html", "/myindex.html"],
  ]);
  assertKeys({ trailingSlash: "strip", indexPages: "strip" }, [
    ["/a/index.php/index.html//", "/a"],
  ]);
});

test("www is stripped when asked for, but never down to a top-level domain", () => {
  const rules = { www: "strip" } as const;
  assert.equal(keyOfText("http://www.example.org:81/", rules), "http://example.org:81/");
  assert.equal(keyOfText("http://www.www.example.org/", rules), "http://example.org/");
  assert.equal(keyOfText("http://www.org/", rules), "http://www.org/");
  assert.equal(keyOfText("http://wwwx.example.org/", rules), "http://wwwx.example.org/");
});

const anyRules: fc.Arbitrary<UrlRules> = fc.record({
  sessionIds: fc.constantFrom("keep", "strip"),
  trackingParams: fc.constantFrom("keep", "strip"),
  sortQuery: fc.boolean(),
  trailingSlash: fc.constantFrom("keep", "strip"),
  indexPages: fc.constantFrom("keep", "strip"),
  www: fc.constantFrom("keep", "strip"),
});

const piece = fc.constantFrom(
  ...[
    "/",
    "//",
    "?",
    "&",
    "=",
    "%",
    "%2e",
    "%4",
    "%41",
    "%%36",
    "%c3",
    ";",
    ";jsessionid=1",
    "..",
    ".",
  ],
  ...[
    "index.html",
    "www.",
    "a",
    "(S(lit3py55t21z5v55vlm25s55))",
    "utm_a=1",
    "sid=",
    "b=2&a=1",
    "6",
  ],
);
const anyUrl = fc
  .tuple(fc.constantFrom("http://a.test/", "https://www.b.test./", "http://www."), fc.array(piece))
  .map(([start, pieces]) => start + pieces.join(""));

test("a key is its own key and its own fetchable form, under any rules", () => {
  fc.assert(
    fc.property(
      fc.oneof(anyUrl, fc.webUrl({ withQueryParameters: true })),
      anyRules,
      (text, rules) => {
        const outcome = parseUrl(text);
        if (outcome.kind === "refused") return;
        const key = keyOf(outcome.url, rules);
        assert.equal(keyOf(key, rules), key);
        assert.deepEqual(parseUrl(key), { kind: "accepted", url: key });
      },
    ),
    { numRuns: 1_500 },
  );
});

test("a URL and its fetchable form have one key", () => {
  fc.assert(
    fc.property(anyUrl, fc.string(), (text, fragment) => {
      const keys = [text, `${text}#${fragment}`, text.replace("//", "//user:pass@")].map(
        (variant): UrlKey | null => {
          const outcome = parseUrl(variant);
          return outcome.kind === "refused" ? null : keyOf(outcome.url);
        },
      );
      assert.equal(new Set(keys).size, 1);
    }),
  );
});
