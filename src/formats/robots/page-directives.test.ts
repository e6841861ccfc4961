import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type PageDirectives, pageDirectives, productToken } from "./index.ts";

/** The names that are set, and the date. */
function summary(directives: PageDirectives): string {
  const { unavailableAfterMs, ...flags } = directives;
  const names = Object.entries(flags).flatMap(([name, set]) => (set ? [name] : []));
  if (unavailableAfterMs !== null) names.push(new Date(unavailableAfterMs).toISOString());
  return names.join(" ");
}

function ofHeaders(...headers: string[]): string {
  return summary(pageDirectives({ headers, metas: [] }, "Trobar"));
}

function ofMetas(...metas: [name: string, content: string][]): string {
  const elements = metas.map(([name, content]) => ({ name, content }));
  return summary(pageDirectives({ headers: [], metas: elements }, "Trobar"));
}

test("directives of all headers count together, in any case", () => {
  assert.equal(ofHeaders("noindex", "NoFollow , ,NOARCHIVE"), "noindex nofollow noarchive");
  assert.equal(ofHeaders("none"), "noindex nofollow");
  assert.equal(ofHeaders("nocache, noai"), "noarchive noai");
  assert.equal(ofHeaders("index, follow, all, archive", ""), "");
  assert.equal(ofHeaders("noindex, index"), "noindex");
});

test("a header may be addressed to one crawler, and lists may be joined", () => {
  assert.equal(ofHeaders("trobar: nofollow"), "nofollow");
  assert.equal(ofHeaders("googlebot: nofollow"), "");
  assert.equal(ofHeaders("googlebot: nofollow, noindex, TROBAR: noarchive"), "noarchive");
  assert.equal(ofHeaders("noindex, otherbot: none, nosnippet"), "noindex");
  assert.equal(ofHeaders("otherbot: trobar: nofollow"), "nofollow");
  assert.equal(ofHeaders("robots: noindex", "*: nosnippet"), "noindex nosnippet");
  assert.equal(ofHeaders("trobar:"), "");
});

test("a directive with a value is not a crawler", () => {
  assert.equal(ofHeaders("max-snippet: 10, noindex"), "noindex");
  assert.equal(ofHeaders("max-image-preview:large, max-video-preview : -1, nofollow"), "nofollow");
  assert.equal(ofHeaders("otherbot: max-snippet: 10, noindex"), "");
});

test("the date after which a page is unavailable has commas and colons of its own", () => {
  const at = "2025-12-03T13:09:53.000Z";
  const dates = [
    "Wed, 03 Dec 2025 13:09:53 GMT",
    "Wednesday, 03-Dec-25 13:09:53 UTC",
    "2025-12-03T13:09:53+00:00",
    "03 Dec 2025 05:09:53 PST",
    "Dec 3, 2025 13:09:53",
  ];
  for (const date of dates) {
    assert.equal(ofHeaders(`unavailable_after: ${date}`), at, date);
    assert.equal(
      ofHeaders(`noindex,Unavailable_After : ${date}, nofollow`),
      `noindex nofollow ${at}`,
    );
    assert.equal(ofHeaders(`trobar: unavailable_after: ${date}`), at, date);
    assert.equal(ofHeaders(`otherbot: unavailable_after: ${date}`), "", date);
    assert.equal(ofMetas(["robots", `unavailable_after: ${date}, noindex`]), `noindex ${at}`);
  }
});

test("the earliest date counts, and one that is none does not", () => {
  const headers = ["unavailable_after: 2030-01-01", "unavailable_after: 2029-01-01"];
  assert.equal(ofHeaders(...headers, "unavailable_after: soon"), "2029-01-01T00:00:00.000Z");
  assert.equal(ofHeaders("unavailable_after: 24:00:00, noindex"), "noindex");
});

test("meta elements count when they are for everybody or for us", () => {
  assert.equal(ofMetas(["ROBOTS", "NOINDEX"], [" trobar ", "nofollow"]), "noindex nofollow");
  assert.equal(ofMetas(["googlebot", "noindex"], ["description", "noindex"]), "");
  assert.equal(ofMetas(["robots", "noindex nofollow"]), "");
});

test("headers and elements count together", () => {
  const metas = [{ name: "robots", content: "nofollow" }];
  assert.equal(summary(pageDirectives({ headers: ["noindex"], metas }, "x")), "noindex nofollow");
});

test("any text is read without failing", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: fc.constantFrom("trobar", ":", ",", " ", "unavailable_after", "1", "none") }),
  );
  fc.assert(fc.property(text, (header) => void ofHeaders(header)));
});

test("the product token is the first word of the user agent", () => {
  assert.equal(productToken("Trobar/1.0 (+https://example.org)"), "Trobar");
  assert.equal(productToken("MyBot (me@example.org)"), "MyBot");
  assert.equal(productToken("  bot-42;x"), "bot-42");
  assert.equal(productToken("(nobody)"), "");
});
