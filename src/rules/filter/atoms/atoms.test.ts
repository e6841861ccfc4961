import assert from "node:assert/strict";
import { test } from "node:test";
import { type ExampleFacts, ExampleView } from "../../../../test/support/rules/example-views.ts";
import { loadFilter } from "../load-filter.ts";
import { FILTER_PLACES } from "../view.ts";

const URL = "https://www.example.org/a/b?x=1";

/** What each atom says beyond its example in docs/filters.md. */
const CASES: readonly (readonly [
  text: string,
  accepts: boolean,
  url?: string,
  facts?: ExampleFacts,
])[] = [
  // BUbiNG's URLEquals accepted every URL.
  ["URLEquals(https://www.example.org/other)", false],
  ["URLEquals('https://WWW.example.org:443/a/./b?x=1#top')", true],
  ["URLEquals(https://user:word@www.example.org/a/b?x=1)", true],
  ["URLEquals(http://example.org/a,b)", true, "http://example.org/a,b"],
  // BUbiNG could not read IsHttpResponse().
  ["IsHttpResponse()", true],
  ["IsHttpResponse()", false, "file:///etc/motd"],
  ["SchemeEquals(HTTPS:)", true],
  ["HostEndsWith(example.org)", true, "https://notexample.org/"],
  ["HostEndsWith(.EXAMPLE.org)", true],
  ["HostEquals(bücher.example)", true, "https://xn--bcher-kva.example/"],
  ["HostEndsWith(.рф)", true, "https://пример.рф/"],
  ["HostEndsWithOneOf(.it,.рф)", true, "https://пример.рф/"],
  ["DomainConstraint(-рф.*)", false, "https://пример.рф/"],
  ["DomainIs(example.org)", false, "https://notexample.org/"],
  ["HostMatches(^www)", true],
  ["HostMatches(/a/)", false],
  ["PortIs(8080)", true, "http://example.org:8080/"],
  ["PortIs(80)", true, "http://example.org/"],
  ["PathStartsWith(/A)", false],
  ["PathEndsWithOneOf(.ÄÖ)", true, "http://example.org/x.ÄÖ"],
  ["PathEndsWithOneOf(.a,b)", true],
  ["PathSegmentsAtMost(0)", true, "http://example.org/"],
  ["PathSegmentsAtMost(1)", true, "http://example.org/a/"],
  ["PathSegmentsAtMost(2)", false, "http://example.org/a//b"],
  ["QueryHasParam(x)", true],
  ["QueryHasParam(X)", false],
  ["QueryHasParam(x, 2)", false],
  ["QueryHasParam(y)", false, "http://example.org/?xy=1&z=y"],
  ["QueryHasParam(y)", true, "http://example.org/?x&y"],
  ["QueryHasParam(y, '')", true, "http://example.org/?y"],
  ["QueryHasParam('a b', 'ü(1)')", true, "http://example.org/?a+b=%C3%BC%281%29"],
  ["QueryHasParam(a%zz)", true, "http://example.org/?a%zz=1"],
  ["QueryHasParam(a)", false, "http://example.org/"],
  ["URLMatchesRegex(.*[?]x=[0-9]{1,3})", true],
  ["URLMatches([?]X=)", false],
  ["URLMatches('(?i)[?]X=')", true],
  ["URLShorterThan(32)", true],
  ["URLShorterThan(31)", false],
  ["DepthAtMost(0)", true],
  ["SameHost() and SameDomain() and SameOrigin()", true, URL, { depth: 0 }],
  ["SameOrigin()", false, URL, { source: "https://www.example.org:8443/" }],
  ["SameOrigin()", true, URL, { source: "https://www.example.org:443/" }],
  ["SameDomain()", false, URL, { source: "https://example.com/" }],
  ["RelHas(nofollow)", true, URL, { rel: "noopener\n NoFollow" }],
  ["RelHas(follow)", false, URL, { rel: "nofollow" }],
  ["LinkKindIs(IMG)", true, URL, { kind: "img" }],
  ["AnchorMatches(^more$)", false, URL, { anchor: "read more" }],
];

const PAGE_CASES: readonly (readonly [text: string, accepts: boolean, facts?: ExampleFacts])[] = [
  ["ContentTypeStartsWith(text/)", false],
  ["ContentTypeStartsWith(text/html)", false, { headers: { "content-type": "text" } }],
  ["ContentLengthAtMost(4)", false, { body: "hello" }],
  ["ContentLengthAtMost(1Ki)", true, { body: "x".repeat(1024) }],
  ["ContentLengthAtMost(0.5KiB)", false, { body: "x".repeat(513) }],
  ["ContentLengthAtMost(1K)", false, { body: "x".repeat(1024) }],
  ["ContentLengthAtMost(1k)", false, { body: "x".repeat(1024) }],
  ["HeaderMatches(X-Robots-Tag, noindex)", true, { headers: { "x-robots-tag": "all, noindex" } }],
  ["HeaderMatches(server, '')", false],
  ["IsProbablyBinary()", false, { body: "\0\0 only two" }],
  ["IsProbablyBinary()", false, { body: `${"x".repeat(998)}\0\0\0` }],
  ["IsProbablyBinary()", true, { body: `${"x".repeat(997)}\0\0\0` }],
  ["ResponseMatches('.*b.*')", false, { body: "a\nb" }],
  ["ResponseMatches('(?s).*b.*')", true, { body: "a\nb" }],
  ["ResponseMatches(\\xE9)", true, { body: new Uint8Array([0xe9]) }],
  ["StatusCategory(5)", true, { status: 503 }],
  ["StatusIs(404, 5XX)", true, { status: 599 }],
  ["StatusIs(404, 5xx)", false, { status: 600 }],
  ["DigestEquals(DA39A3EE)", true, { digest: "da39a3ee" }],
  ["DigestEquals(sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709)", false, { digest: "da39" }],
  [
    "DigestEquals(md5:d41d8cd98f00b204e9800998ecf8427e)",
    true,
    { digest: "d41d8cd98f00b204e9800998ecf8427e" },
  ],
  ["LanguageIs(en)", false, { language: "eng" }],
  ["LanguageIs(EN-gb)", true, { language: "en-GB" }],
  ["LanguageIs(en)", false],
  ["IsDuplicate() or IsNearDuplicate()", false],
];

for (const [text, accepts, url = URL, facts = {}] of CASES) {
  const given = JSON.stringify(facts);
  test(`${text} ${accepts ? "accepts" : "refuses"} ${url} ${given === "{}" ? "" : given}`, async () => {
    const view = new ExampleView(url, facts);
    const isPage = text.startsWith("IsHttp");
    const filter = await loadFilter(text, isPage ? FILTER_PLACES.store : FILTER_PLACES.schedule);
    assert.equal(filter.accepts(view), accepts);
  });
}

for (const [text, accepts, facts = {}] of PAGE_CASES) {
  const given = JSON.stringify(facts).slice(0, 60);
  test(`${text} ${accepts ? "accepts" : "refuses"} a page with ${given}`, async () => {
    const filter = await loadFilter(text, FILTER_PLACES.store);
    assert.equal(filter.accepts(new ExampleView(URL, facts)), accepts);
  });
}
