/**
 * What a crawl that was killed may ask for again, by the log of the web: a request that was under way when
 * the process died, or whose answer had ended so shortly before that it was perhaps not yet in a file. All
 * else is asked for once. What the crawl log says is over is compared too: of that nothing at all.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AccessEntry } from "../../../src/lab/simweb/serve/access-log.ts";
import type { CrawledWeb } from "./crawl-rig.ts";

/**
 * Answers are in their files by then: they are written every 50 ms. Where a process takes longer than this
 * from its start to its first request, the machine is so busy that what follows may take as long, too.
 */
const WRITTEN_MS = 500;
/**
 * What a process sent before it died is read by the web somewhat later. The first request of a process comes
 * no sooner than 420 ms after its start, on a machine with nothing else to do.
 */
const LATE_MS = 200;

/** The end of a process that did not end in order, on the clock of the web. */
interface Kill {
  readonly atMs: number;
  /** What was answered before is known to the next process. */
  readonly sinceMs: number;
}

export class RepeatedRequests {
  readonly #web: CrawledWeb;
  readonly #kills: Kill[] = [];
  /** How often each was asked for until the crawl log had its last line. */
  readonly #over = new Map<string, number>();
  /** When the process was started whose end is told of next. */
  #startedAtMs: number;

  /** A process is about to be started, and the next one when the end of this one has been told. */
  constructor(web: CrawledWeb) {
    this.#web = web;
    this.#startedAtMs = web.nowMs;
  }

  /**
   * The process has just died. What was answered since a disk failed is lost as well. `folder` is null where
   * lines may be there without the records that they are about.
   */
  killed(folder: string | null, failedAtMs: number = this.#web.nowMs): void {
    const startedAtMs = this.#startedAtMs;
    const first = this.#web.entries.find(({ startMs }) => startMs > startedAtMs);
    const startMs = (first?.startMs ?? startedAtMs) - startedAtMs;
    const sinceMs = isStartedOver(folder) ? 0 : failedAtMs - Math.max(WRITTEN_MS, startMs);
    this.#kills.push({ atMs: this.#web.nowMs, sinceMs });
    this.#ended(folder);
  }

  /** The process has ended in order: nothing that it asked for is asked for again. */
  stopped(folder: string): void {
    if (isStartedOver(folder)) this.#kills.push({ atMs: this.#web.nowMs, sinceMs: 0 });
    this.#ended(folder);
  }

  #ended(folder: string | null): void {
    this.#startedAtMs = this.#web.nowMs;
    const lines = folder === null ? [] : linesIn(folder);
    const requests = this.#requests();
    for (const [, , , url = "", ...more] of hasAnswer(lines) ? lines : []) {
      const place = placeOf(url);
      const isLast = !more.includes("retry") && !this.#over.has(place);
      if (isLast) this.#over.set(place, requests.get(place)?.length ?? 0);
    }
  }

  /** How many requests for something else were not known to be over at the kills, all told. */
  get allowed(): number {
    const places = this.#kills.map(
      (kill) => new Set(this.#web.entries.filter((entry) => isOpenAt(kill, entry)).map(placeIn)),
    );
    return places.reduce((sum, { size }) => sum + size, 0);
  }

  /** Requests that were made again. */
  get repeated(): number {
    return this.#pairs().length;
  }

  /** How long before a kill that was answered which was asked for again; 0 if all was under way. */
  get oldestMs(): number {
    const ages = this.#pairs().flatMap(([first, second]) =>
      this.#kills
        .filter((kill) => isOpenAt(kill, first) && kill.atMs < second.startMs)
        .map(({ atMs }) => atMs - first.endMs),
    );
    return Math.max(0, ...ages);
  }

  /** `mayRepeat`: what may be asked for again although the web had answered; not if its line was there. */
  check(what: string, mayRepeat: (place: string) => boolean = () => false): void {
    const needless = this.#pairs().filter(
      ([first, second]) =>
        !mayRepeat(placeIn(first)) &&
        !this.#kills.some((kill) => isOpenAt(kill, first) && kill.atMs < second.startMs),
    );
    const told = needless.map(([first, second]) => this.#tell(first, second));
    assert.deepEqual(told, [], `${what}: asked for again though the web had answered`);
    const requests = this.#requests();
    const again = [...this.#over].filter(
      ([place, count]) => (requests.get(place)?.length ?? 0) !== count,
    );
    assert.deepEqual(again, [], `${what}: asked for again though its line was there`);
  }

  #tell(first: AccessEntry, second: AccessEntry): string {
    const next = this.#kills.find(({ atMs }) => atMs > first.endMs);
    const before =
      next === undefined ? "no kill followed" : `${next.atMs - first.endMs} ms before a kill`;
    return `${placeIn(first)}: answered, ${before}; again ${second.startMs - first.endMs} ms later`;
  }

  /** Each request for something with the next one for the same. */
  #pairs(): [AccessEntry, AccessEntry][] {
    return [...this.#requests().values()].flatMap((entries) =>
      entries
        .slice(1)
        .map((second, at): [AccessEntry, AccessEntry] => [entries[at] as AccessEntry, second]),
    );
  }

  /** By what was asked for, robots.txt files and sitemaps too. */
  #requests(): Map<string, AccessEntry[]> {
    return Map.groupBy(this.#web.entries, placeIn);
  }
}

/** Whether a request was under way at a kill, or its answer perhaps not yet written. */
function isOpenAt({ atMs, sinceMs }: Kill, { startMs, endMs }: AccessEntry): boolean {
  return startMs < atMs + LATE_MS && endMs >= sinceMs;
}

/** The fields of the whole lines of a crawl log. */
function linesIn(folder: string): string[][] {
  const file = join(folder, "logs", "crawl.log");
  const text = existsSync(file) ? readFileSync(file, "latin1") : "";
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t")[0]?.split(" ") ?? []);
}

/** A crawl that has no answer for a page is started over. */
function isStartedOver(folder: string | null): boolean {
  return folder !== null && !hasAnswer(linesIn(folder));
}

function hasAnswer(lines: readonly (readonly string[])[]): boolean {
  return lines.some(([, result = "", , url = ""]) => /^\d/.test(result) && isPage(url));
}

function placeIn({ host, target }: AccessEntry): string {
  return host + target;
}

/** `a.test/x`, for any URL of it. */
export function placeOf(url: string): string {
  return url.replace(/^http:\/\/([^:/]*):\d+/, "$1");
}

/** Sitemaps and robots.txt files are fetched and are no pages. */
export function isPage(place: string): boolean {
  return !place.endsWith(".xml") && !isRobots(place);
}

/** Or what one redirects to. */
export function isRobots(place: string): boolean {
  return /\/robots[^/]*\.txt$/.test(place);
}
