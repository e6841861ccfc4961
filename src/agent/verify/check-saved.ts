/**
 * Checks what the checkpoint of a crawl names: sieve, queues, hosts and depths of each lane, the links
 * that lanes remember, and the tables of duplicates. A running crawl replaces its checkpoint and removes
 * files that only older ones need, so what is found wrong counts only if the checkpoint is still the same.
 */
import { sqliteDatabases } from "../../base/database/index.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { checkLog } from "../../base/log/index.ts";
import { checkRuns, type RunFormat, type RunMark } from "../../base/runs/index.ts";
import { answered, type FileName } from "../../base/seams/index.ts";
import type { DiskStorage } from "../../base/storage/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { RestingFrontier } from "../../frontier/front/index.ts";
import { checkSieve } from "../../frontier/sieve/index.ts";
import { NEAR_FORMAT } from "../../parse/near/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { SharedRecords } from "../../store/archive/index.ts";
import {
  type FoundCheckpoint,
  PAGE_NUMBER_BYTES,
  peekCheckpoint,
} from "../../store/index/index.ts";
import { ProblemList, REBUILD } from "../../store/query/index.ts";
import { frontierSettings } from "../crawl/frontier-keys.ts";
import { LINK_PLACE_BYTES } from "../links/link-memory.ts";
import { PLACE_BYTES } from "../member/shipping/hidden-pages.ts";
import { laneFolder } from "../providers/crawl-world.ts";
import { crawlOf } from "../saving/checkpoint-values.ts";
import type { SavedReading } from "../saving/reading-mark.ts";
import type { SavedCrawl, SavedLane, SavedMember } from "../saving/saved-crawl.ts";
import type { RowMarks } from "../visit/page-rows.ts";

/** Told of URLs, in any order. */
export interface SavedUrls {
  seen(url: Fingerprint): void;
  waits(url: Fingerprint): void;
  /** Its ticket is dropped when it comes out. */
  dropped(url: Fingerprint): void;
}

export interface CheckedSaved {
  /** Where the lines end in the crawl log that the checkpoint knows. */
  readonly logEnd: number;
  /** Since when the links of pages are read as they are now. */
  readonly reading: SavedReading;
  /** Where rows end that are written out. */
  readonly rows: RowMarks;
  readonly hosts: number;
  readonly waiting: number;
  /** All runs of all sieves; null if nothing can be said of what was seen. */
  readonly sieve: { readonly runs: readonly RunMark[]; readonly format: RunFormat } | null;
  readonly mayRepeat: boolean;
  /** What it knows as one agent's part; null for a crawl that is a whole one. */
  readonly member: SavedMember | null;
  /** Whether it says that the crawl has ended in order. */
  readonly isWhole: boolean;
  /** Whether it is still the checkpoint of the crawl. */
  readonly isStill: () => Promise<boolean>;
}

export type CheckedLanes = Omit<CheckedSaved, "isWhole" | "isStill">;

/** How often a checkpoint that is replaced meanwhile is looked at again. */
const TRIES = 5;

const UNKNOWN_READING: SavedReading = { terms: null, from: 0 };

export interface SavedToCheck {
  readonly storage: DiskStorage;
  readonly configuration: Configuration;
  /** The identity of the crawl. */
  readonly crawl: string;
  /** Called before each try. */
  readonly urls: () => SavedUrls;
  /** Opens what is needed of a checkpoint later, which a crawl that runs may remove. */
  readonly keep: (checked: CheckedLanes, problems: ProblemList) => Promise<void>;
}

/**
 * Null if there is no checkpoint, or it cannot be read; `replaced` if the crawl replaced it each time before
 * all that it names was read: then nothing can be said of it.
 */
export async function checkSaved(
  parts: SavedToCheck,
  problems: ProblemList,
): Promise<CheckedSaved | "replaced" | null> {
  for (let tries = TRIES; tries > 0; tries -= 1) {
    const found = new ProblemList();
    const before = await readSaved(parts.storage, found);
    const saved = before === null ? null : crawlIn(before, parts.crawl, found);
    const checked = saved === null ? null : await new SavedCheck(parts, found).check(saved);
    if (checked !== null) await parts.keep(checked, found);
    const isStill = async (): Promise<boolean> =>
      isSame(before, await readSaved(parts.storage, new ProblemList()));
    if (found.count > 0 && !(await isStill())) continue;
    problems.addAll(found);
    return checked && { ...checked, isWhole: before?.isWhole === true, isStill };
  }
  return "replaced";
}

function crawlIn(
  { values }: FoundCheckpoint,
  crawl: string,
  problems: ProblemList,
): SavedCrawl | null {
  const saved = crawlOf(values, crawl);
  if (!isCrawlError(saved)) return saved;
  tellOf(problems, "crawl.db", null, saved.message);
  return null;
}

async function readSaved(
  storage: DiskStorage,
  problems: ProblemList,
): Promise<FoundCheckpoint | null> {
  const clock = new SystemClock();
  const databases = sqliteDatabases({ root: storage.root, clock, isReader: true });
  try {
    return await answered<FoundCheckpoint | null>((done) => peekCheckpoint(databases, done));
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    tellOf(problems, "crawl.db", null, `its checkpoint cannot be read: ${error.message}`);
    return null;
  }
}

function isSame(one: FoundCheckpoint | null, other: FoundCheckpoint | null): boolean {
  const text = (found: FoundCheckpoint | null): string =>
    ["crawl", "0/lane"].map((name) => Buffer.from(found?.values.get(name) ?? "")).join("\n");
  return one?.isWhole === other?.isWhole && text(one) === text(other);
}

function tellOf(problems: ProblemList, file: FileName, at: number | null, problem: string): void {
  problems.add({ file, at, url: null, problem, remedy: `${REBUILD}.` });
}

class SavedCheck {
  readonly #parts: SavedToCheck;
  readonly #tell: (file: FileName, at: number | null, problem: string) => void;

  constructor(parts: SavedToCheck, problems: ProblemList) {
    this.#parts = parts;
    this.#tell = (...told) => tellOf(problems, ...told);
  }

  async check({
    lanes,
    duplicates,
    logEnd,
    archive = null,
    reading = UNKNOWN_READING,
    rows = {},
    member: known,
  }: SavedCrawl): Promise<CheckedLanes> {
    const { storage, configuration } = this.#parts;
    const urls = this.#parts.urls();
    const member = known ?? null;
    const runs: RunMark[] = [];
    let checked: CheckedLanes = {
      member,
      ...{ logEnd, reading, rows, hosts: 0, waiting: 0, mayRepeat: false },
      sieve: { runs, format: { payloadBytes: 0 } },
    };
    for (const [number, lane] of lanes.entries()) {
      const place = { lane: lanes.length === 1 ? null : { number, count: lanes.length } };
      const frontier = await this.#checkLane(laneFolder(place, "frontier"), lane, urls);
      const { sieve } = frontier;
      runs.push(...(sieve?.runs ?? []));
      checked = {
        ...checked,
        hosts: checked.hosts + frontier.hosts,
        waiting: checked.waiting + frontier.waiting,
        sieve: sieve === null || checked.sieve === null ? null : { runs, format: sieve.format },
        mayRepeat: frontier.mayRepeat,
      };
      await this.#checkMemory(laneFolder(place, "links"), lane);
      await this.#checkForeign(`${laneFolder(place, "frontier")}/foreign`, lane);
    }
    const { texts, near } = duplicates;
    const payloadBytes = configuration.store.index ? PAGE_NUMBER_BYTES : 0;
    await checkRuns(storage, texts.stack.runs, { payloadBytes }, this.#tell);
    for (const half of near === null ? [] : [near.high, near.low]) {
      await checkRuns(storage, half.runs, NEAR_FORMAT, this.#tell);
    }
    const hidden = member?.hidden.table.stack.runs ?? [];
    await checkRuns(storage, hidden, { payloadBytes: PLACE_BYTES }, this.#tell);
    if (archive !== null) await SharedRecords.checkBodies(storage, archive, this.#tell);
    return checked;
  }

  async #checkLane(folder: FileName, { frontier: checkpoint }: SavedLane, urls: SavedUrls) {
    const { storage, configuration } = this.#parts;
    const { traversal } = configuration.frontier;
    const frontier = new RestingFrontier(checkpoint, { storage, folder, traversal });
    return await frontier.check(frontierSettings(configuration, ""), {
      seen: (high, low) => urls.seen({ high, low }),
      waits: (high, low) => urls.waits({ high, low }),
      dropped: (high, low) => urls.dropped({ high, low }),
      problem: this.#tell,
    });
  }

  /** Which links were told to other agents. */
  async #checkForeign(folder: FileName, { foreign = null }: SavedLane): Promise<void> {
    if (foreign === null) return;
    const { storage } = this.#parts;
    const findings = { offered: () => undefined, problem: this.#tell };
    await checkSieve({ storage, folder, withDepth: false, marks: foreign }, findings);
  }

  async #checkMemory(folder: FileName, { memory }: SavedLane): Promise<void> {
    if (memory === null) return;
    const { storage } = this.#parts;
    const log = { storage, name: `${folder}/pages`, from: null, to: memory.end };
    await checkLog(log, () => true, this.#tell);
    const format = { payloadBytes: LINK_PLACE_BYTES };
    await checkRuns(storage, memory.places.stack.runs, format, this.#tell);
  }
}
