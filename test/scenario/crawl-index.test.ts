/**
 * The page index of whole crawls, read with Debian's `sqlite3`: while the crawl runs, after it, and
 * compared with the truth about the web.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { SystemClock } from "../../src/base/time/index.ts";
import {
  changedProfile,
  openGeneratedWeb,
  PROFILES,
  type ProfileChanges,
  type ProfileName,
  Truth,
} from "../../src/lab/simweb/index.ts";
import type { Expectation } from "../../src/lab/simweb/truth/expectation.ts";
import { isAboutPage, isFinal } from "../../src/store/archive/index.ts";
import { CrawledWeb, crawlInto, loopbackFlags } from "../support/agent/crawl-rig.ts";
import { needsProgram } from "../support/requirement.ts";
import { assertTexts } from "./assert-texts.ts";

const skip = needsProgram("sqlite3");
const root = mkdtempSync(join(tmpdir(), "trobar-index-"));
after(() => rmSync(root, { recursive: true, force: true }));

type FoundRow = Readonly<Record<string, string | number | null>>;

async function select(folder: string, sql: string): Promise<readonly FoundRow[]> {
  const { stdout } = await promisify(execFile)(
    "sqlite3",
    ["-json", "-readonly", join(folder, "crawl.db"), sql],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.trim() === "" ? [] : JSON.parse(stdout);
}

const SMALL: ProfileChanges = {
  hosts: { count: 16, pages: 260, pagesMax: 30, slowDelay: 5, slowRate: 500_000 },
  pages: { medianBytes: 1500, bytesMax: 20_000 },
  robots: { delay: 0 },
  dns: { slowDelay: 5 },
  oddities: { stallMidBody: 0, endlessBody: 0 },
  traps: { floodLinks: 40, length: 6 },
};
/** With a limit, depths are exact; this one keeps nothing out. */
const DEPTH = 40;

describe("rows agree with the truth about the web", { skip }, () => {
  for (const profile of Object.keys(PROFILES) as ProfileName[]) {
    test(`a ${profile} web`, async () => {
      const served = await openGeneratedWeb({
        ...{ clock: new SystemClock(), seed: `index ${profile}` },
        profile: changedProfile(PROFILES[profile], SMALL),
      });
      const folder = join(root, profile);
      const seeds = served.web.seeds().slice(0, 1);
      const flags = [...loopbackFlags(served.dnsPort), "--json", "-q", "-o", folder];
      const crawl = await crawlInto(folder, [
        ...["crawl", ...flags, "--scope", "any", "-d", String(DEPTH)],
        ...["--set", "store.text=true", "--set", "parse.language=true"],
        ...seeds,
      ]);
      const description = { seeds, scope: "any" as const, depthMax: DEPTH, retries: 2 };
      const reading = served.truthFor(description);
      await served.close();
      assert.ok(reading.ok && reading.truth instanceof Truth);
      const expected = new Map<string, Expectation>(
        [...reading.truth.expectations()].map((one) => [one.key, one]),
      );
      const rows = await select(folder, "SELECT * FROM pages");
      const logged = crawl.lines.filter((line) => isAboutPage(line) && isFinal(line));
      assert.deepEqual(
        rows.map(({ url }) => url).toSorted(),
        logged.map(({ url }) => url).toSorted(),
        "a row for each page that was logged",
      );
      assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length, "one row for each page");
      assertFits(rows, expected);
      assert.equal(crawl.summary?.duplicates, count(rows, "duplicate_of"));
      assert.equal(crawl.summary?.nearDuplicates, count(rows, "near_duplicate_of"));
      const compared = await assertTexts(folder);
      assert.ok(compared.pages > rows.length / 4, JSON.stringify(compared));
      assert.ok(compared.agreed > 0.9 * compared.declared, JSON.stringify(compared));
    });
  }
});

function count(rows: readonly FoundRow[], column: string): number {
  return rows.filter((row) => row[column] !== null).length;
}

function assertFits(rows: readonly FoundRow[], expected: ReadonlyMap<string, Expectation>): void {
  const keyOfUrl = new Map(rows.map(({ url, key }) => [url, String(key)]));
  const found = new Set(rows.map(({ key }) => key));
  for (const { key, due } of expected.values()) {
    assert.ok(due !== "must" || found.has(key), `${key} has its row`);
  }
  const rowOfUrl = new Map(rows.map((row) => [row["url"], row]));
  const familyOf = (url: unknown, name: "family" | "numberedFamily") =>
    expected.get(keyOfUrl.get(String(url)) ?? "")?.[name];
  const firsts = new Map<string, number>();
  for (const row of rows) {
    const truth = expected.get(String(row["key"]));
    // A page of a trap has no expectation of its own.
    if (truth === undefined) continue;
    const { depth, depthMin, outcomes, family } = truth;
    assert.ok(outcomes.includes(outcomeOf(row)), `${row["url"]}: ${row["status"]}`);
    const isDepth = Number(row["depth"]) <= depth && Number(row["depth"]) >= depthMin;
    assert.ok(isDepth, `${row["url"]} is at ${row["depth"]}, not ${depth}`);
    const { duplicate_of: original, near_duplicate_of: near } = row;
    if (original !== null) {
      const isSame =
        familyOf(original, "family") === family ||
        familyOf(original, "numberedFamily") === truth.numberedFamily;
      assert.ok(isSame, `${row["url"]} is no duplicate of ${original}`);
    }
    if (near !== null) {
      // Short texts may be nearly equal by chance, too.
      const bits = bitsBetween(row["simhash"], rowOfUrl.get(near)?.["simhash"]);
      assert.ok(bits <= 3, `${row["url"]} differs from ${near} in ${bits} bits`);
    }
    const isWhole = outcomeOf(row) === "page" && row["truncated"] === null && row["bytes"] !== 0;
    if (family !== null && isWhole && original === null) {
      firsts.set(family, (firsts.get(family) ?? 0) + 1);
    }
  }
  const twice = [...firsts].filter(([, pages]) => pages > 1);
  assert.deepEqual(twice, [], "of pages with equal bodies one is no duplicate");
}

function bitsBetween(one: unknown, other: unknown): number {
  const different = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  return [...different.toString(2)].filter((bit) => bit === "1").length;
}

function outcomeOf({ status, error }: FoundRow): Expectation["outcomes"][number] {
  if (error !== null) return String(error).startsWith("DNS_") ? "unresolved" : "failed";
  const hundreds = Math.floor(Number(status) / 100);
  return hundreds === 2 ? "page" : hundreds === 3 ? "redirect" : "error";
}

test("rows can be read while the crawl runs", { skip }, async () => {
  const paths = Array.from({ length: 40 }, (_, at) => `/${at}`);
  const body = paths.map((path) => `<a href="${path}">to ${path}</a>`).join("\n");
  const pages = Object.fromEntries(paths.map((path) => [path, { body: `page ${path}` }]));
  const web = await CrawledWeb.open(() => ({ "a.test": { pages: { "/": { body }, ...pages } } }));
  try {
    const folder = join(web.folder, "1");
    let hasEnded = false;
    const ended = web
      .crawl(["a.test/"], ["--delay", "60ms", "--set", "store.checkpoint=20ms"])
      .finally(() => {
        hasEnded = true;
      });
    await web.requests(10);
    let rows = 0;
    while (rows === 0 && !hasEnded) {
      const [counted] = await select(folder, "SELECT count(*) AS rows FROM pages");
      rows = Number(counted?.["rows"]);
    }
    assert.ok(!hasEnded && rows > 0 && rows < 41, `${rows} rows were there while it ran`);
    await ended;
    const [all] = await select(folder, "SELECT count(*) AS rows FROM pages");
    assert.equal(all?.["rows"], 41);
    const hosts = await select(folder, "SELECT host, pages FROM hosts");
    assert.deepEqual(hosts, [{ host: "a.test", pages: 41 }]);
  } finally {
    await web.close();
  }
});

test("what a page and its answer ask of those who use it is in its row", { skip }, async () => {
  const web = await CrawledWeb.open(() => ({
    "a.test": {
      pages: {
        "/": {
          body: '<meta name="robots" content="noindex"><meta name="tdm-reservation" content="1"><a href="/x">x</a>',
          headers: [
            ["Content-Type", "text/html"],
            ["Content-Signal", "ai-train=no"],
            ["Content-Usage", "train-ai=n"],
          ],
        },
        "/x": { body: "x", headers: [["TDM-Reservation", "0"]] },
      },
    },
  }));
  try {
    const { folder } = await web.crawl(["a.test/"]);
    const columns = "noindex, noarchive, content_signal, content_usage, tdm_reservation";
    assert.deepEqual(await select(folder, `SELECT ${columns} FROM pages ORDER BY number`), [
      {
        ...{ noindex: 1, noarchive: 0, content_signal: "ai-train=no", content_usage: "train-ai=n" },
        tdm_reservation: 1,
      },
      {
        ...{ noindex: 0, noarchive: 0, content_signal: null, content_usage: null },
        tdm_reservation: 0,
      },
    ]);
  } finally {
    await web.close();
  }
});

test("without store.index there is no index, and nothing else is missing", { skip }, async () => {
  const web = await CrawledWeb.open(() => ({ "a.test": { pages: { "/": { body: "one" } } } }));
  try {
    const { folder, lines } = await web.crawl(["a.test/"], ["--set", "store.index=false"]);
    assert.equal(lines.length, 1);
    const [pages] = await select(folder, "SELECT count(*) AS rows FROM pages");
    assert.equal(pages?.["rows"], 0, "crawl.db has only what the crawl goes on from");
    assert.equal(existsSync(join(folder, "index")), false);
  } finally {
    await web.close();
  }
});
