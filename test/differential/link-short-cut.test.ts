/**
 * The link resolver's short cut against the platform's parser: for every text the two must agree
 * on URL or refusal, and the key and fingerprint must be those of the plain functions.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { SeededRandom } from "../../src/base/random/index.ts";
import { Fingerprinter } from "../../src/formats/url/fingerprinter.ts";
import {
  DEFAULT_URL_RULES,
  keyHostOf,
  keyOf,
  type LinkBase,
  LinkResolver,
  parseUrl,
  type UrlRules,
} from "../../src/formats/url/index.ts";
import { conformanceData } from "../support/requirement.ts";
import { damaged, likelyLink, pick, piecedText } from "./url-texts.ts";

const CASES = process.env["TROBAR_FULL"] === "1" ? 600_000 : 60_000;
const URL_LENGTH_MAX = 300;
const secrets = { fingerprintKey: Buffer.from("0123456789abcdef"), shards: 64 };
const fingerprinter = new Fingerprinter(secrets);

const BASES: readonly string[] = [
  "https://www.example.org/a/b/c.html?x=1",
  "http://example.org/",
  "https://example.org/?",
  "http://localhost:8080/x/y/",
  "https://127.0.0.1/a",
  "http://[::1]:81/p/q?r",
  "https://xn--bcher-kva.de./x/../y",
  "http://a.b/c//d/;p/",
  "https://h/%41/%2e%2fx?%7e",
  "http://h/s;jsessionid=12/t",
  `https://long.example/${"folder/".repeat(700)}`,
  `https://long.example/${"file".repeat(3_000)}?query`,
];

const RULES: readonly UrlRules[] = [
  DEFAULT_URL_RULES,
  { ...DEFAULT_URL_RULES, sessionIds: "keep" },
  { ...DEFAULT_URL_RULES, trackingParams: "strip" },
  { ...DEFAULT_URL_RULES, www: "strip", sortQuery: true, trailingSlash: "strip" },
];

interface Subject {
  readonly rules: UrlRules;
  readonly resolver: LinkResolver;
  readonly bases: readonly LinkBase[];
}

const subjects: readonly Subject[] = RULES.map((rules) => {
  const resolver = new LinkResolver({ ...secrets, rules, urlLengthMax: URL_LENGTH_MAX });
  const bases = BASES.map((text) => {
    const outcome = parseUrl(text);
    assert(outcome.kind === "accepted");
    return resolver.base(outcome.url);
  });
  return { rules, resolver, bases };
});

/** What the platform makes of it, by the platform's own means of leaving parts out. */
function expectedUrl(link: string, base: string): string | null {
  const url = URL.parse(link, base);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href.length > URL_LENGTH_MAX ? null : url.href;
}

/** What the resolver says, and what it should say; equal strings when all is well. */
function answers(subject: Subject, base: LinkBase, link: string): readonly [string, string] {
  const { resolver, rules } = subject;
  const resolved = resolver.resolve(link, base);
  const url = expectedUrl(link, base.url);
  if (url === null) {
    const outcome = parseUrl(link, { base: base.url, lengthMax: URL_LENGTH_MAX });
    return [`${resolved}`, outcome.kind === "refused" ? outcome.reason : outcome.url];
  }
  if (typeof resolved === "string") return [resolved, url];
  const { key, keyHost, high, low } = resolved;
  const expectedKey = keyOf(resolved.url, rules);
  const expectedShard = fingerprinter.fingerprint(expectedKey);
  return [
    `${resolved.url} ${key} ${keyHost} ${high >>> 26} ${high},${low}`,
    `${url} ${expectedKey} ${keyHostOf(expectedKey)} ${expectedShard} ${fingerprinter.halves}`,
  ];
}

function check(subject: Subject, base: LinkBase, link: string): void {
  const [actual, expected] = answers(subject, base, link);
  if (actual !== expected) assert.equal(actual, expected, `${JSON.stringify(link)} at ${base.url}`);
}

function checkMany(seed: string, makeLink: (random: SeededRandom) => string): void {
  const random = new SeededRandom(seed);
  for (let count = 0; count < CASES; count += 1) {
    const subject = pick(random, subjects);
    check(subject, pick(random, subject.bases), makeLink(random));
  }
}

test("the short cut and the parser agree on links as pages have them", () => {
  checkMany("likely", likelyLink);
});

test("the short cut and the parser agree on what is made of odd pieces", () => {
  checkMany("pieces", piecedText);
});

test("the short cut and the parser agree on any string, resolved one after another", () => {
  const links = fc.array(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 8 });
  const subjectAndBase = fc.constantFrom(
    ...subjects.flatMap((s) => s.bases.map((b) => [s, b] as const)),
  );
  fc.assert(
    fc.property(subjectAndBase, links, ([subject, base], texts) => {
      for (const text of texts) check(subject, base, text);
    }),
    { numRuns: CASES / 60 },
  );
});

const data = conformanceData("url");

test("the short cut and the parser agree on damaged inputs of the parser's tests", data, () => {
  const rows: unknown = JSON.parse(readFileSync(join(data.path, "wpt-urltestdata.json"), "utf8"));
  assert(Array.isArray(rows));
  const inputs = rows.filter((row) => typeof row === "object").map((row) => String(row.input));
  assert(inputs.length > 800, "the inputs were read");
  checkMany("damaged", (random) => damaged(random, pick(random, inputs)));
});
