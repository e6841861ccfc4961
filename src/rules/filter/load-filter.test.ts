import assert from "node:assert/strict";
import { test } from "node:test";
import { ExampleView } from "../../../test/support/rules/example-views.ts";
import { BUILT_IN_ATOMS } from "./atoms/atoms.ts";
import { FilterError } from "./language/filter-error.ts";
import { checkFilter, loadFilter } from "./load-filter.ts";
import { FILTER_PLACES, type FilterPlace } from "./view.ts";

const { schedule, fetch, parse, follow, store } = FILTER_PLACES;
const PLACES: readonly FilterPlace[] = [schedule, fetch, parse, follow, store];

async function mistakesOf(text: string, place: FilterPlace = schedule): Promise<readonly string[]> {
  try {
    await loadFilter(text, place);
  } catch (error) {
    assert.ok(error instanceof FilterError);
    assert.equal(error.code, "FILTER_INVALID");
    assert.deepEqual(checkFilter(text, place), error.mistakes);
    return error.mistakes.map((mistake) => `${mistake.at}: ${mistake.problem}`);
  }
  return [];
}

test("a response atom where only a link is seen is a mistake that says so", async () => {
  assert.deepEqual(await mistakesOf("SameHost() and StatusIs(200)"), [
    "15: StatusIs looks at a response; the `schedule` filter sees only links",
  ]);
});

test("each atom fits exactly the places that show what it looks at", async () => {
  const fitting = async (text: string) => {
    const fits: string[] = [];
    for (const place of PLACES) {
      if ((await mistakesOf(text, place)).length === 0) fits.push(place.sees);
    }
    return fits.join(" ");
  };
  assert.equal(await fitting("HostEquals(a.org)"), "link url response page page");
  assert.equal(await fitting("SameHost()"), "link response page page");
  assert.equal(await fitting("IsNofollow()"), "link");
  assert.equal(await fitting("StatusIs(200)"), "response page page");
  assert.equal(await fitting("IsDuplicate()"), "page page");
});

test("the message why an atom does not fit names its place", async () => {
  assert.deepEqual(await mistakesOf("DepthAtMost(2)", fetch), [
    "0: DepthAtMost looks at how a URL was reached; the `fetch` filter sees only URLs",
  ]);
  assert.deepEqual(await mistakesOf("LanguageIs(en)", parse), [
    "0: LanguageIs looks at a parsed page; the `parse` filter sees responses before they are parsed",
  ]);
  assert.deepEqual(await mistakesOf("AnchorMatches(x)", store), [
    "0: AnchorMatches looks at a link; the `store` filter sees pages, " +
      "for which the text and the kind of the link are not kept",
  ]);
});

test("all mistakes of a filter are reported at once, from left to right", async () => {
  const text = "HostEndsWth(.it) and DuplicateSegmentsLessThan(1) or (StatusIs(x) B()";
  assert.deepEqual(await mistakesOf(text), [
    "0: there is no atom HostEndsWth; did you mean HostEndsWith?",
    '47: DuplicateSegmentsLessThan: a whole number of at least 2 is expected, not "1"',
    "53: this ( is never closed",
    "54: StatusIs looks at a response; the `schedule` filter sees only links",
    '63: StatusIs: a status such as 404 or 4xx is expected, not "x"',
    "66: `and` or `or` is missing here",
    "66: there is no atom B; docs/filters.md lists all atoms",
  ]);
});

test("a mistyped atom is answered with the nearest one", async () => {
  for (const [written, meant] of [
    ["hostendswith", "HostEndsWith"],
    ["PathEndWithOneOf", "PathEndsWithOneOf"],
    ["URLMatch", "URLMatches"],
    ["StatusCategorie", "StatusCategory"],
  ]) {
    const [mistake = ""] = await mistakesOf(`${written}(x)`);
    assert.match(mistake, new RegExp(`did you mean ${meant}\\?`));
  }
});

test("for the name of a Java class the message says how users' atoms are named", async () => {
  const [mistake = ""] = await mistakesOf("org.example.MyFilter(x)");
  assert.match(mistake, /named by its module, as in \.\/atoms\.js#Name\(\)/);
});

const WRONG_ARGUMENTS: readonly (readonly [text: string, at: number, problem: RegExp])[] = [
  ["SameHost(x)", 0, /takes 0 arguments, not 1/],
  ["HostEquals()", 0, /takes at least 1 argument, not 0/],
  ["URLEquals()", 0, /takes 1 argument, not 0/],
  ["QueryHasParam(a,b,c)", 0, /takes 1 or 2 arguments, not 3/],
  ["PathSegmentsAtMost(-1)", 19, /whole number of at least 0 is expected, not "-1"/],
  ["URLShorterThan(1.5)", 15, /whole number/],
  ["PortIs(80, 70000)", 11, /port from 1 to 65535 is expected, not "70000"/],
  ["URLEquals(example.org)", 10, /not an absolute URL/],
  ["URLMatches('(?!a)')", 11, /lookahead and lookbehind are not available/],
  ["URLGlob('[a')", 8, /a \[ without its \]/],
  ["DomainConstraint(hu.*, hu..bme)", 23, /is not a domain constraint/],
  ["HostEquals('a b')", 11, /is not a host name/],
];

for (const [text, at, problem] of WRONG_ARGUMENTS) {
  test(`${text} is refused at its argument`, async () => {
    const [mistake = ""] = await mistakesOf(text);
    assert.ok(mistake.startsWith(`${at}: `), mistake);
    assert.match(mistake, problem);
  });
}

const WRONG_PAGE_ARGUMENTS: readonly (readonly [text: string, at: number, problem: RegExp])[] = [
  ["ContentLengthAtMost(10 apples)", 20, /number of bytes such as 500k or 10Mi/],
  ["HeaderMatches(server, '[')", 22, /not understood/],
  ["DigestEquals(xyz)", 13, /not a digest in hexadecimal or base 32/],
  ["StatusIs(200, 6000)", 14, /status such as 404 or 4xx/],
];

for (const [text, at, problem] of WRONG_PAGE_ARGUMENTS) {
  test(`${text} is refused at its argument`, async () => {
    const [mistake = ""] = await mistakesOf(text, store);
    assert.ok(mistake.startsWith(`${at}: `), mistake);
    assert.match(mistake, problem);
  });
}

test("names of Object's properties are not atoms", async () => {
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
    const [mistake = ""] = await mistakesOf(`${name}()`);
    assert.match(mistake, /there is no atom/);
  }
});

test("a filter decides from left to right and asks no more than it must", async () => {
  const asked: string[] = [];
  const spy = new Proxy(new ExampleView("http://example.org/a"), {
    get(target, key) {
      asked.push(String(key));
      return Reflect.get(target, key, target);
    },
  });
  const filter = await loadFilter(
    "(HostEquals(b.org) or SchemeEquals(http)) and not PathStartsWith(/a) and DomainIs(x.org)",
    fetch,
  );
  assert.equal(filter.accepts(spy), false);
  assert.deepEqual(asked, ["host", "scheme", "path"]);
});

test("constants and groups of any size mean what they say", async () => {
  const view = new ExampleView("http://example.org/");
  const yes = "SchemeEquals(http)";
  const no = "SchemeEquals(ftp)";
  for (let size = 1; size <= 7; size += 1) {
    for (let odd = 0; odd < size; odd += 1) {
      for (const constant of ["TRUE", "FALSE", yes, no]) {
        const isTrue = constant === "TRUE" || constant === yes;
        const all = Array.from({ length: size }, (_, index) => (index === odd ? constant : yes));
        const any = Array.from({ length: size }, (_, index) => (index === odd ? constant : no));
        assert.equal((await loadFilter(all.join(" and "), fetch)).accepts(view), isTrue);
        assert.equal((await loadFilter(any.join(" or "), fetch)).accepts(view), isTrue);
        assert.equal((await loadFilter(`not (${all.join("&")})`, fetch)).accepts(view), !isTrue);
      }
    }
  }
});

test("the text of a loaded filter is its normal form", async () => {
  const filter = await loadFilter("!( HostEquals( A.org ) ) # not that one", fetch);
  assert.equal(filter.text, "not HostEquals(A.org)");
  assert.equal((await loadFilter(filter.text, fetch)).text, filter.text);
});

test("every built-in atom has a name of letters and digits", () => {
  for (const name of BUILT_IN_ATOMS.keys()) assert.match(name, /^[A-Z][A-Za-z0-9]+$/);
});
