import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type FetchableUrl, parseUrl } from "../../formats/url/index.ts";
import { FetchableView } from "./fetchable-view.ts";
import { globProblem } from "./glob-flag.ts";
import { loadFilter } from "./load-filter.ts";
import { understand } from "./understand.ts";
import { FILTER_PLACES } from "./view.ts";

function fetchable(text: string): FetchableUrl {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted", text);
  return outcome.url;
}

async function accepts(text: string, url: string): Promise<boolean> {
  const filter = await loadFilter(understand(text).expression, FILTER_PLACES.fetch);
  return filter.accepts(new FetchableView(fetchable(url)));
}

describe("a glob without a star is a part of the URL", () => {
  for (const [glob, url, isAccepted] of [
    ["dup", "https://example.org/a/dup-1", true],
    ["dup", "https://example.org/a", false],
    ["/private", "https://example.org/private", true],
    ["/private", "https://example.org/a/private/b", true],
    ["/private", "https://example.org/aprivate", false],
    ["?page=", "https://example.org/a?page=2", true],
    ["example.org/a", "https://www.example.org/a/b", true],
    ["https://example.org/", "https://example.org/a", true],
    ["https://example.org/", "http://example.org/a", false],
    ["b\u00fccher.example", "https://xn--bcher-kva.example/a", true],
    ["b\u00fccher", "https://example.org/b%C3%BCcher/1", true],
    ["/*private", "https://example.org/a/private", true],
    ["/*private", "https://example.org/a/private/b", false],
  ] as const) {
    test(`${glob} ${isAccepted ? "accepts" : "refuses"} ${url}`, async () => {
      assert.equal(await accepts(glob, url), isAccepted);
    });
  }
});

describe("what can match no URL is a mistake with a suggestion", () => {
  for (const [glob, problem] of [
    [".*x$", /looks like a regular expression; write URLMatchesRegex\(\.\*x\),/],
    ["^https://.*", /write URLMatchesRegex\(https:\/\/\.\*\),/],
    ["\\.pdf$", /write URLMatchesRegex\(.*\.\*.*pdf.*\),/],
    ["*.pdf$", /write URLMatchesRegex\(\.\*\.pdf\),/],
    ["/page/\\d+", /looks like a regular expression/],
    ["/[0-9]+/", /looks like a regular expression/],
    ["/(a|b)/", /looks like a regular expression/],
    [".pdf*", /from the host on, and no host begins like that; write \*\.pdf\*/],
    ["*#top", /compared without their fragments/],
    ["ftp://*", /URLs of ftp, which are not fetched/],
  ] as const) {
    test(glob, () => assert.match(globProblem(glob) ?? "", problem));
  }

  const sound = ["*.pdf", "/a.*", "*/file.*", "example.org/*", "*\\$", "/a$b", "*/wiki/Foo_(bar)"];
  for (const glob of [
    ...sound,
    "[a-z]*",
    "*[!0-9]",
    "http*://*",
    "file:///a/*",
    ".pdf",
    "\\.pdf",
    "a+b",
  ]) {
    test(`${glob} is sound`, () => assert.equal(globProblem(glob), null));
  }
});
