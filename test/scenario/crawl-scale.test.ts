/**
 * Crawls whose queues do not fit into memory, as processes of their own, ended in every way in which a
 * crawl ends: exit code and reason are true, and summary, crawl log and archive agree. In small here;
 * 200,000 pages with TROBAR_FULL=1 and a million with TROBAR_RELEASE=1.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { readSavedCrawl } from "../../src/agent/saving/read-saved.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import {
  changedProfile,
  DEFAULT_RULES,
  DEFAULT_TRUTH_RULES,
  GeneratedWeb,
  judge,
  PROFILES,
  type ProfileChanges,
  ServedWeb,
  Truth,
  verdictText,
  type WebRequest,
  type WebResponse,
} from "../../src/lab/simweb/index.ts";
import { impliedRules } from "../../src/lab/simweb/truth/crawl-description.ts";
import { crawlLines, loopbackFlags } from "../support/agent/crawl-rig.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { damageOf, recordsOf, scanAll } from "../support/formats/warc-reading.ts";

interface Scale {
  readonly hosts: number;
  readonly pages: number;
  readonly memory: string;
  /** How many pages a crawl has before it is ended early. */
  readonly endAt: number;
  /** How long a crawl runs that is ended by time. */
  readonly seconds: number;
}

const SMALL: Scale = { hosts: 40, pages: 3000, memory: "1Mi", endAt: 600, seconds: 2 };
const FULL: Scale = { hosts: 2000, pages: 200_000, memory: "16Mi", endAt: 60_000, seconds: 60 };
const RELEASE: Scale = {
  ...{ hosts: 5000, pages: 1_000_000, memory: "64Mi", endAt: 300_000, seconds: 300 },
};
const isFull = process.env["TROBAR_FULL"] === "1";
const scale = process.env["TROBAR_RELEASE"] === "1" ? RELEASE : isFull ? FULL : SMALL;

const PROFILE: ProfileChanges = {
  hosts: { count: scale.hosts, pages: scale.pages, pagesMax: (4 * scale.pages) / scale.hosts },
  pages: { medianBytes: 500, spread: 0.3, bytesMax: 4000 },
};

/** Tells when it has been asked often enough. */
class CountedWeb extends GeneratedWeb {
  #count = 0;
  #watched = Number.POSITIVE_INFINITY;
  #reached: () => void = () => undefined;

  override respond(request: WebRequest): WebResponse {
    this.#count += 1;
    if (this.#count === this.#watched) this.#reached();
    return super.respond(request);
  }

  /** Resolves when it has been asked this often from now on. */
  asked(count: number): Promise<void> {
    this.#count = 0;
    this.#watched = count;
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }
}

interface Ended {
  readonly code: number | null;
  readonly summary: CrawlSummary;
  readonly folder: string;
}

let served: ServedWeb<CountedWeb>;
const root = mkdtempSync(join(tmpdir(), "trobar-scale-"));

before(async () => {
  const profile = changedProfile(PROFILES.scale, PROFILE);
  served = await ServedWeb.open<CountedWeb>({
    ...{ clock: new SystemClock(), port: 0, dnsPort: 0, controlPort: 0, rules: DEFAULT_RULES },
    makeWeb: (port) => new CountedWeb({ profile, seed: "scale", port }),
    truthFor: () => ({ ok: false, mistakes: ["the truth is made by the test"] }),
  });
});

after(async () => {
  await served.close();
  rmSync(root, { recursive: true, force: true });
});

/** Crawls the web into a directory of its own; a signal is sent when it has been asked often enough. */
async function crawl(
  name: string,
  args: readonly string[],
  signal: NodeJS.Signals | null = null,
): Promise<Ended> {
  const folder = join(root, name);
  const settings = [
    ...[`frontier.memory=${scale.memory}`, "store.warcSize=64Mi", "fetch.ports=any"],
    // However busy the machine is, nothing fails here.
    ...["dns.timeout=60s", "fetch.connectTimeout=60s", "fetch.headerTimeout=60s"],
  ];
  const reached = served.web.asked(scale.endAt);
  const child = new TrobarProcess([
    ...["crawl", ...loopbackFlags(served.dnsPort), "--json", "-o", folder, "--scope", "any"],
    ...settings.flatMap((setting) => ["--set", setting]),
    ...args,
    ...served.web.seeds(1),
  ]);
  if (signal !== null) {
    await Promise.race([reached, child.end()]);
    child.kill(signal);
  }
  const code = await child.end();
  assert.doesNotMatch(child.stderr, /"event":"trouble"|unexpected/);
  return { code, summary: JSON.parse(child.stdout), folder };
}

/** Longer where the machine is so busy that the time is over before the first page. */
async function crawlForSomeTime(): Promise<Ended> {
  for (let times = 1; ; times *= 2) {
    // Slowly, so that there is something left.
    const limits = ["--max-time", `${scale.seconds * times}s`, "--delay", `${20 * times}ms`];
    const ended = await crawl(`time-${times}`, limits);
    assert.deepEqual([ended.code, ended.summary.reason], [0, "limit"]);
    if (ended.summary.pages > 0) return ended;
  }
}

/** What the summary says is what log and archive have. */
async function assertAgrees({ summary, folder }: Ended): Promise<void> {
  assert.deepEqual(summary.errors, {});
  const lines = (await crawlLines(folder)).filter(({ url }) => !url.endsWith("/robots.txt"));
  const pages = lines.filter(({ result }) => Number(result) >= 200 && Number(result) < 300);
  assert.equal(lines.length, summary.fetches);
  assert.equal(pages.length, summary.pages);
  assert.equal(summary.urls, summary.fetches + summary.queued, "every URL was fetched or waits");
  assert.deepEqual(storedPages(folder), pages.map(({ url }) => url).sort());
}

/** Bundles are removed when nothing of them waits any more. */
async function assertOnDisk({ folder }: Ended): Promise<void> {
  const saved = (await readSavedCrawl(folder))?.saved ?? null;
  const bundles = saved?.lanes.map(({ frontier }) => frontier.marks.queues.nextBundle) ?? [];
  assert.ok(Math.max(...bundles) > 1, "the queues were on disk");
}

/** The URLs of all pages in the archive, sorted; one file in memory at a time. */
function storedPages(folder: string): string[] {
  const urls: string[] = [];
  for (const file of readdirSync(join(folder, "warc"))) {
    assert.ok(!file.endsWith(".open"), `${file} has its final name`);
    const steps = scanAll(readFileSync(join(folder, "warc", file)));
    assert.deepEqual(damageOf(steps), []);
    for (const { type, targetUri } of recordsOf(steps)) {
      const isPage = type === "response" || type === "revisit";
      if (isPage && targetUri?.endsWith("/robots.txt") === false) urls.push(targetUri);
    }
  }
  return urls.sort();
}

describe("a crawl whose queues are on disk", () => {
  test("has every page once when it is exhausted", async () => {
    const ended = await crawl("exhausted", []);
    assert.deepEqual([ended.code, ended.summary.reason], [0, "exhausted"]);
    assert.equal(ended.summary.queued, 0);
    await assertAgrees(ended);
    await assertOnDisk(ended);
    const { web, server } = served;
    const rules = { ...DEFAULT_TRUTH_RULES, scope: "any" as const, seeds: web.seeds(1) };
    const truth = new Truth(web, rules);
    const manners = { ...DEFAULT_RULES, ...impliedRules(rules), hostDelayMs: 1, addressDelayMs: 0 };
    const verdict = judge({ log: server.log, web, truth, rules: manners });
    assert.ok(verdict.clean, verdictText(verdict));
    assert.deepEqual([verdict.coverage, verdict.overlap], [1, 0]);
  });

  test("ends at its limit of pages", async () => {
    const ended = await crawl("pages", ["-n", String(scale.endAt)]);
    assert.deepEqual([ended.code, ended.summary.reason], [0, "limit"]);
    assert.equal(ended.summary.pages, scale.endAt);
    await assertAgrees(ended);
    await assertOnDisk(ended);
  });

  test("ends at its limit of time", async () => {
    const ended = await crawlForSomeTime();
    assert.ok(ended.summary.queued > 0);
    await assertAgrees(ended);
    // How far a crawl comes in two seconds is not known.
    if (isFull) await assertOnDisk(ended);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    test(`ends at ${signal}`, async () => {
      const ended = await crawl(signal, [], signal);
      assert.deepEqual([ended.code, ended.summary.reason], [130, "signal"]);
      assert.ok(ended.summary.queued > 0);
      await assertAgrees(ended);
      await assertOnDisk(ended);
    });
  }
});
