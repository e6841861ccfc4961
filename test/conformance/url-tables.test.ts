/** URLs against tables that others made: web-platform-tests and crawler-commons. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  DEFAULT_URL_RULES,
  hostOf,
  keyOf,
  LinkResolver,
  parseUrl,
  URL_REFUSALS,
  type UrlOutcome,
} from "../../src/formats/url/index.ts";
import { conformanceData } from "../support/requirement.ts";
import { csvRows } from "./csv.ts";

const data = conformanceData("url");

interface ParserRow {
  readonly input: string;
  readonly base: string | null;
  readonly failure?: boolean;
  readonly href?: string;
  readonly username?: string;
  readonly password?: string;
}

/** What is fetched for a row that parses: no fragment, no user; null for another scheme. */
function fetchableOf(row: ParserRow): string | null {
  const href = row.href ?? "";
  if (!/^https?:/.test(href)) return null;
  const password = row.password === "" ? "" : `:${row.password}`;
  const user = row.username === "" && password === "" ? "" : `${row.username}${password}@`;
  return href.replace(/#.*$/, "").replace(`//${user}`, "//");
}

test("every row of the parser's tests gives its URL or a refusal that fits", data, () => {
  const rows = jsonRows<ParserRow>("wpt-urltestdata.json");
  const count = { url: 0, otherScheme: 0, refused: 0 };
  for (const row of rows) {
    const outcome = parseUrl(row.input, { base: row.base ?? undefined });
    const expected = row.failure === true ? null : fetchableOf(row);
    if (expected !== null) {
      assert.equal(urlOrReason(outcome), expected, JSON.stringify(row));
      count.url += 1;
    } else if (row.failure !== true) {
      assert.equal(urlOrReason(outcome), "scheme-unsupported", JSON.stringify(row));
      count.otherScheme += 1;
    } else {
      assert.equal(outcome.kind, "refused", JSON.stringify(row));
      assert.ok(urlOrReason(outcome) in URL_REFUSALS);
      const isWeb = /^\s*https?:/i.test(row.input) && row.base === null;
      assert.ok(!isWeb || /^(?:host|port)-/.test(urlOrReason(outcome)), JSON.stringify(row));
      count.refused += 1;
    }
  }
  assert.deepEqual(count, { url: 247, otherScheme: 377, refused: 267 });
});

test("the link resolver, too, gives the URL of every row whose base can be crawled", data, () => {
  const secrets = { fingerprintKey: new Uint8Array(16), shards: 64 };
  const resolver = new LinkResolver({ ...secrets, urlLengthMax: 65_536 });
  let count = 0;
  for (const row of jsonRows<ParserRow>("wpt-urltestdata.json")) {
    const base = parseUrl(row.base ?? "http://no.base.invalid/");
    if (base.kind === "refused" || (row.base === null && !/^\s*https?:\/\//.test(row.input)))
      continue;
    const resolved = resolver.resolve(row.input, resolver.base(base.url));
    const expected = row.failure === true ? null : fetchableOf(row);
    if (typeof resolved === "string") assert.equal(expected, null, JSON.stringify(row));
    else assert.equal(resolved.url, expected, JSON.stringify(row));
    count += 1;
  }
  assert.ok(count > 400, `only ${count} rows`);
});

test("the platform's parser passes all of its tests, whatever the scheme", data, () => {
  const rows = jsonRows<ParserRow>("wpt-urltestdata.json");
  const hrefs = rows.map((row) => URL.parse(row.input, row.base ?? undefined)?.href ?? "failure");
  assert.deepEqual(
    hrefs,
    rows.map((row) => (row.failure === true ? "failure" : row.href)),
  );
  assert.equal(rows.length, 891);
});

test("international domain names become what the tests of IDNA say", data, () => {
  const rows = jsonRows<{ input: string; output: string | null }>("wpt-toascii.json");
  assert.ok(rows.length > 80);
  for (const { input, output } of rows) {
    const outcome = parseUrl(`https://${input}/x`);
    const host = outcome.kind === "accepted" ? hostOf(outcome.url) : null;
    assert.equal(host, output, JSON.stringify(input));
  }
});

test("relative links are resolved as crawler-commons' table says", data, () => {
  const rows = tableRows("url-resolve.csv");
  assert.equal(rows.length, 22);
  for (const [input = "", base = "", expected = ""] of rows) {
    const baseOrNone = base === "" ? undefined : base;
    assert.equal(URL.parse(input, baseOrNone)?.href, expected);
    // What differs in the fetchable form is no matter of resolution: see its description.
    const ours = urlOrReason(parseUrl(input, { base: baseOrNone }));
    const scheme = expected.slice(0, expected.indexOf(":"));
    if (scheme === "file") assert.equal(ours, "scheme-unsupported");
    else assert.equal(ours, expected.replace(/#.*$/, "").replace("user:pass@", ""));
  }
});

/**
 * Why the key is not what crawler-commons makes of a URL. Each reason turns our answer into theirs,
 * for exactly this many rows of their table: nothing else may differ.
 */
const DEVIATIONS: readonly {
  readonly reason: string;
  readonly rows: number;
  readonly explains: (ours: string, theirs: string, input: string) => boolean;
}[] = [
  {
    reason: "only http and https are crawled",
    rows: 6,
    explains: (ours, theirs) => ours === "scheme-unsupported" && !theirs.startsWith("http"),
  },
  {
    reason: "a URL without a host cannot be crawled",
    rows: 2,
    explains: (ours, theirs) => ours === "host-missing" && theirs === "http:/",
  },
  {
    reason: "a text without a scheme is relative",
    rows: 1,
    explains: (ours, theirs, input) => ours === "base-missing" && theirs === `http://${input}`,
  },
  {
    reason: "doubled slashes are kept: a server may tell them apart",
    rows: 6,
    explains: (ours, theirs) => ours.replaceAll(/(?<!:)\/{2,}/g, "/") === theirs,
  },
  {
    reason: "an empty query is kept: it is another URL",
    rows: 3,
    explains: (ours, theirs) => ours.replace(/\?$/, "") === theirs,
  },
  {
    reason: "a percent sign that begins no escape is sent as it is",
    rows: 5,
    explains: (ours, theirs) => ours.replaceAll(/%(?![0-9A-F]{2})/g, "%25") === theirs,
  },
  {
    reason: "what the parser leaves in a query is left",
    rows: 4,
    explains: (ours, theirs) => ours.replaceAll(/[[\]^`|]/g, escaped) === theirs,
  },
  {
    reason: "the order of parameters is kept unless sortQuery is set",
    rows: 5,
    explains: (ours, theirs) => sorted(ours) === theirs,
  },
  {
    reason: "empty parameters and empty values are kept",
    rows: 6,
    explains: (ours, theirs) => sorted(withoutEmptyParams(ours)) === theirs,
  },
];

test("keys are crawler-commons' normal forms, except for listed reasons", data, () => {
  const found = DEVIATIONS.map(() => 0);
  const rows = tableRows("weirdToNormalizedUrls.csv");
  let equal = 0;
  for (const [input = "", theirs = ""] of rows) {
    const outcome = parseUrl(input);
    const ours = outcome.kind === "accepted" ? keyOf(outcome.url) : outcome.reason;
    if (ours === theirs) equal += 1;
    else {
      const index = DEVIATIONS.findIndex((deviation) => deviation.explains(ours, theirs, input));
      assert.notEqual(index, -1, `${input}: ours is ${ours}, theirs ${theirs}`);
      found[index] = (found[index] ?? 0) + 1;
    }
  }
  assert.deepEqual(
    found,
    DEVIATIONS.map((deviation) => deviation.rows),
  );
  assert.deepEqual([equal, rows.length], [74, 112]);
});

test("what crawler-commons calls invalid is refused for its host", data, () => {
  const rows = tableRows("invalidUrls.csv");
  assert.equal(rows.length, 2);
  for (const [input = ""] of rows) assert.equal(urlOrReason(parseUrl(input)), "host-invalid");
});

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function sorted(url: string): string {
  const outcome = parseUrl(url);
  if (outcome.kind === "refused") return outcome.reason;
  return keyOf(outcome.url, { ...DEFAULT_URL_RULES, sortQuery: true });
}

/** Drops parameters without a name, and the sign of equality before an empty value. */
function withoutEmptyParams(url: string): string {
  const [address = "", query = ""] = url.split("?");
  const params = query.split("&").filter((param) => !/^(?:$|=)/.test(param));
  return `${address}?${params.map((param) => param.replace(/=$/, "")).join("&")}`;
}

function urlOrReason(outcome: UrlOutcome): string {
  return outcome.kind === "accepted" ? outcome.url : outcome.reason;
}

function tableRows(name: string): string[][] {
  return csvRows(readFileSync(join(data.path, name), "utf8"));
}

/** The rows of a JSON table in which strings are comments. */
function jsonRows<Row>(name: string): Row[] {
  const rows: unknown = JSON.parse(readFileSync(join(data.path, name), "utf8"));
  assert(Array.isArray(rows));
  return rows.filter((row) => typeof row === "object");
}
