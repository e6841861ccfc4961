import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../../test/support/rules/configured.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import { pageHeaders } from "./request-heads.ts";

function headerOf(configuration: Configuration, name: string): string | undefined {
  return pageHeaders(configuration, "1.0.0").find(([one]) => one === name)?.[1];
}

test("From is a bare mail address, however the contact is written", () => {
  assert.equal(headerOf(configured("contact=me@example.org"), "From"), "me@example.org");
  const mailto = configured("contact=mailto:me@example.org");
  assert.equal(headerOf(mailto, "From"), "me@example.org");
  assert.equal(headerOf(mailto, "User-Agent"), "Trobar/1.0.0 (+mailto:me@example.org)");
  assert.equal(headerOf(configured("contact=https://example.org/@me"), "From"), undefined);
});

test("a header of the user replaces ours of the same name, or follows them", () => {
  const given = configured("fetch.headers={ ACCEPT-encoding: identity, X-Test: '1' }");
  assert.deepEqual(
    pageHeaders(given, "1.0.0").map(([name]) => name),
    ["User-Agent", "Accept", "ACCEPT-encoding", "X-Test"],
  );
});
