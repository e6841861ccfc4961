import assert from "node:assert/strict";
import { test } from "node:test";
import {
  hostsQuery,
  itemIn,
  pagesQuery,
  readHostsWanted,
  readPagesWanted,
  readWholeWanted,
  wholeQuery,
} from "./page-queries.ts";

test("what is asked for is read as it was written", () => {
  const hosts = { match: "a", state: "retry", sort: "pages", limit: 7 } as const;
  assert.deepEqual(readHostsWanted(hostsQuery(hosts).argument), hosts);
  const pages = { prefix: "http://a", filter: "StatusIs(404)", text: true, links: false };
  assert.deepEqual(readPagesWanted(pagesQuery(pages).argument), pages);
  const whole = { url: "http://a.example/", text: false, links: true };
  assert.deepEqual(readWholeWanted(wholeQuery(whole).argument), whole);
});

test("what another version has written is read as far as it makes sense", () => {
  const all = { match: null, state: null, sort: "found", limit: 1000 };
  for (const argument of ["", "{", "null", "[]", '{"limit":1e9,"sort":"age","match":7}']) {
    assert.deepEqual(readHostsWanted(argument), all, argument);
    assert.equal(readPagesWanted(argument).prefix, "");
    assert.equal(readWholeWanted(argument), null);
  }
  assert.equal(itemIn(Buffer.from("{")), null);
});
