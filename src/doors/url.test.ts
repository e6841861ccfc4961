import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalUrl, readUrl, registrableDomain, surt, URL_REFUSALS, urlKey } from "./url.ts";

test("a URL has the form in which it is sent, and a refusal its reason", () => {
  assert.equal(canonicalUrl("HTTP://me:pw@Example.org:80/a/../b#top"), "http://example.org/b");
  assert.equal(canonicalUrl("../b", { base: "https://example.org/a/" }), "https://example.org/b");
  assert.equal(canonicalUrl("b"), null);
  const { refusal } = readUrl("mailto:me@example.org");
  assert.equal(refusal, "scheme-unsupported");
  assert.match(URL_REFUSALS[refusal], /mailto/);
});

test("URLs with one key are one page, by default or by further rules", () => {
  assert.equal(urlKey("http://example.org./%7eme"), urlKey("http://example.org/~me"));
  assert.equal(urlKey("/a;jsessionid=12", { base: "http://example.org" }), "http://example.org/a");
  const rules = { www: "strip", sortQuery: true } as const;
  assert.equal(urlKey("http://www.example.org/?b=1&a=2", { rules }), "http://example.org/?a=2&b=1");
  assert.equal(urlKey("not a URL"), null);
});

test("domains and sort keys are those of the host", () => {
  assert.equal(registrableDomain("https://www.example.co.uk/x"), "example.co.uk");
  assert.equal(registrableDomain("http://127.0.0.1/"), null);
  assert.equal(registrableDomain("example"), null);
  assert.equal(surt("https://www.example.co.uk/x?y"), "uk,co,example,www)/x?y");
  assert.equal(surt(""), null);
});
