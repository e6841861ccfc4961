import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  fingerprinter,
  HASHING,
  MemoryBody,
  parsed,
  parsingWith,
} from "../../../test/support/parse/parse-rig.ts";
import {
  type FetchableUrl,
  hostOf,
  keyHostOf,
  keyOf,
  LinkResolver,
  parseUrl,
} from "../../formats/url/index.ts";
import { FetchableView, FILTER_PLACES, loadFilter } from "../../rules/filter/index.ts";
import { type FollowedLink, LinkFollower, type ParsedPage } from "./index.ts";

const URL_LENGTH_MAX = 2048;
const follower = new LinkFollower(new LinkResolver({ ...HASHING, urlLengthMax: URL_LENGTH_MAX }));
const parsing = parsingWith();

function fetchable(text: string): FetchableUrl {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted", text);
  return outcome.url;
}

function page(html: string, url = "https://example.org/dir/page", charset = "utf-8"): ParsedPage {
  const headers = [["Content-Type", `text/html; charset=${charset}`]] as const;
  return parsed(parsing, { url, headers }, new MemoryBody(Buffer.from(html, "latin1")));
}

/** Every link as text, accepted or refused. */
function followed(
  parsedPage: ParsedPage,
  show: (link: FollowedLink) => string = (link) => link.href,
): string[] {
  const shown: string[] = [];
  follower.follow(
    { url: fetchable("https://example.org/dir/page"), depth: 3, parsed: parsedPage },
    {
      take: (link) => shown.push(show(link)),
      refused: (reason, url) => shown.push(`${reason} ${url}`),
    },
  );
  return shown;
}

test("links are resolved by the page, and refused ones reported with their reason", () => {
  const html =
    "<a href=x><a href=/y><a href='?z'><a href='//h.example/'><a href='mailto:m'><a href>";
  assert.deepEqual(followed(page(html)), [
    "https://example.org/dir/x",
    "https://example.org/y",
    "https://example.org/dir/page?z",
    "https://h.example/",
    "scheme-unsupported mailto:m",
    "https://example.org/dir/page",
  ]);
});

test("the base of a page counts, whatever it is", () => {
  const links = "<a href=x><a href=//h.example/y><a href=http://i.example/>";
  const withBase = (base: string) => followed(page(`<base href="${base}">${links}`));
  assert.equal(withBase("/other/")[0], "https://example.org/other/x");
  assert.equal(withBase("http://user:pw@b.example/f/")[0], "http://b.example/f/x");
  assert.equal(withBase("javascript:x")[0], "https://example.org/dir/x");
  assert.deepEqual(withBase("ftp://f.example/d/"), [
    "scheme-unsupported ftp://f.example/d/x",
    "scheme-unsupported ftp://h.example/y",
    "http://i.example/",
  ]);
  assert.equal(withBase("mailto:x")[2], "http://i.example/");
});

test("refused links of a local file are reported as absolute URLs", () => {
  const local = page("<a href=b.html><a href=http://i.example/>", "file:///site/a.html");
  assert.deepEqual(followed(local), [
    "scheme-unsupported file:///site/b.html",
    "http://i.example/",
  ]);
});

test("queries are written in the encoding of the page", () => {
  const links = followed(page("<a href='?q=\u00e9'>", undefined, "windows-1252"));
  assert.deepEqual(links, ["https://example.org/dir/page?q=%E9"]);
});

test("a link knows its page, its depth, its kind, its text and whether to be followed", () => {
  const shown = (html: string) =>
    followed(page(html), ({ kind, rel, anchor, nofollow, depth, source }) =>
      [kind, rel, anchor, nofollow, depth, source?.href].join(" "),
    )[0];
  const tail = "4 https://example.org/dir/page";
  assert.equal(shown('<a href=x rel="a NoFollow">t'), `a a NoFollow t true ${tail}`);
  assert.equal(shown("<a href=x rel=nofollowed>t"), `a nofollowed t false ${tail}`);
  assert.equal(shown("<area href=x>"), `area   false ${tail}`);
  assert.equal(shown("<meta name=robots content=nofollow><a href=x>"), `a   true ${tail}`);
});

test("what a link shows is what the URL module says of its URL", () => {
  const part = fc.constantFrom("a", "B", "..", ".", "%41", "%zz", "\u00e9", " ", "x;s=1", "", "~");
  const link = fc.tuple(
    fc.constantFrom("", "/", "//h.example/", "http://I.example:8080/", "https://[::1]/", "?", "#"),
    fc.array(part, { maxLength: 5 }).map((parts) => parts.join("/")),
    fc.constantFrom("", "?a=1&b=2", "?PHPSESSID=12345678901234567890123456789012", "#f"),
  );
  fc.assert(
    fc.property(fc.array(link, { maxLength: 12 }), (links) => {
      const html = links.map((one) => `<a href="${one.join("")}">`).join("");
      followed(page(html), (shown) => {
        const view = new FetchableView(shown.href);
        for (const name of ["scheme", "host", "port", "path", "query", "domain"] as const) {
          assert.equal(shown[name], view[name], `${name} of ${shown.href}`);
        }
        const key = keyOf(shown.href);
        assert.equal(shown.key, key);
        assert.equal(shown.host, hostOf(shown.href));
        assert.equal(shown.keyHost, keyHostOf(key));
        assert.equal(shown.high >>> 26, fingerprinter.fingerprint(key));
        assert.deepEqual([shown.high, shown.low], [...fingerprinter.halves]);
        return "";
      });
    }),
  );
});

test("filters look at a link as it is shown", async () => {
  const filter = await loadFilter("IsNofollow() or PathEndsWithOneOf(/y)", FILTER_PLACES.schedule);
  const html = "<a href=x/y><a href=x><a href=z rel=nofollow>";
  const accepted = followed(page(html), (link) => String(filter.accepts(link)));
  assert.deepEqual(accepted, ["true", "false", "true"]);
});
