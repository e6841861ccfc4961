/** Registrable domains against the vectors of the public suffix list itself. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type HostName, hostOf, parseUrl, registrableDomain } from "../../src/formats/url/index.ts";
import { conformanceData } from "../support/requirement.ts";

const data = conformanceData("public-suffix");

test("the list's own vectors give their registrable domains", data, () => {
  const text = readFileSync(join(data.path, "test_psl.txt"), "utf8");
  const vectors = [...text.matchAll(/^checkPublicSuffix\('([^']+)', (?:null|'([^']+)')\);$/gm)];
  assert.equal(vectors.length, 77);
  for (const [, host = "", domain] of vectors) {
    const expected = domain === undefined ? null : hostNamed(domain);
    assert.equal(registrableDomain(hostNamed(host)), expected, host);
  }
});

/** As it comes out of a URL: small letters, punycode. */
function hostNamed(name: string): HostName {
  const outcome = parseUrl(`http://${name}/`);
  assert(outcome.kind === "accepted", name);
  return hostOf(outcome.url);
}
