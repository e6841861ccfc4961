/** A saved crawl as named values, the form in which `crawl.db` keeps it. */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import type { FrontierCheckpoint } from "../../frontier/front/index.ts";
import type { Checkpoint } from "../../store/index/index.ts";
import type { CrawlChanges, SavedCrawl, SavedDesk, SavedLane } from "./saved-crawl.ts";

/** Of the values that are written. */
const FORMAT = 4;
/** Those that can be read; others are refused. */
const FORMATS: readonly number[] = [3, FORMAT];

/**
 * What exists once. The names of all others begin with the number of their lane. What is not named here
 * is a row of its frontier.
 */
const CRAWL = "crawl";
const LANE = "lane";
const SCORE = "score";

/** `crawl` is the identity of the crawl to which they belong. */
export function valuesOf({ lanes, ...desk }: SavedCrawl, crawl: string): Checkpoint {
  const values = new Map<string, Uint8Array>();
  values.set(CRAWL, bytesOf({ format: FORMAT, crawl, lanes: lanes.length, ...desk }));
  for (const [number, { frontier, score, ...rest }] of lanes.entries()) {
    const { marks, rows } = frontier;
    const set = (name: string, bytes: Uint8Array): void => {
      values.set(`${number}/${name}`, bytes);
    };
    set(LANE, bytesOf({ ...rest, marks }));
    if (score !== null) set(SCORE, score);
    for (const [name, bytes] of rows) set(name, bytes);
  }
  return values;
}

/** Names of values that a crawl no longer has. */
export function droppedBy({ lanes }: CrawlChanges): readonly string[] {
  return lanes.flatMap(({ frontier, score }, number) => {
    const names = score === null ? [...frontier.dropped, SCORE] : frontier.dropped;
    return names.map((name) => `${number}/${name}`);
  });
}

/** The error if they are not what this crawl has written. */
export function crawlOf(values: Checkpoint, crawl: string): SavedCrawl | CrawlError {
  try {
    return readCrawl(values, crawl);
  } catch (error) {
    if (isCrawlError(error)) return error;
    return damaged(error instanceof SyntaxError ? "it cannot be read" : thrownReason(error));
  }
}

function readCrawl(values: Checkpoint, crawl: string): SavedCrawl {
  const found = readJson<DeskValue>(values.get(CRAWL));
  const { format, crawl: owner = crawl, lanes: count, ...desk } = found;
  if (!FORMATS.includes(format)) throw ofOtherVersion(format);
  // What was seen is kept under fingerprints that depend on the secret of the crawl.
  if (owner !== crawl) throw damaged("it belongs to another crawl than crawl.json");
  const lanes = Array.from({ length: count }, () => new Map<string, Uint8Array>());
  for (const [name, bytes] of values) {
    const slash = name.indexOf("/");
    const lane = lanes[Number(name.slice(0, slash))];
    const rest = name.slice(slash + 1);
    if (slash !== -1 && rest !== LANE && rest !== SCORE) lane?.set(rest, bytes);
  }
  return {
    ...desk,
    lanes: lanes.map((rows, number): SavedLane => {
      const { marks, ...own } = readJson<LaneValue>(values.get(`${number}/${LANE}`));
      const score = values.get(`${number}/${SCORE}`) ?? null;
      return { ...own, score, frontier: { marks, rows } };
    }),
  };
}

type DeskValue = SavedDesk & {
  readonly format: number;
  /** Left out by earlier versions. */
  readonly crawl?: string;
  readonly lanes: number;
};

type LaneValue = Omit<SavedLane, "frontier" | "score"> & {
  readonly marks: FrontierCheckpoint["marks"];
};

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function readJson<Value>(bytes: Uint8Array | undefined): Value {
  if (bytes === undefined) throw new Error("it is incomplete");
  return JSON.parse(Buffer.from(bytes).toString()) as Value;
}

function ofOtherVersion(format: number): CrawlError {
  const isNewer = format > FORMAT;
  const [which, remedy] = isNewer
    ? ["a newer", "Go on with that version."]
    : [
        "an older",
        "Go on with that version, or make it again from archive and crawl log: store verify --rebuild.",
      ];
  return new CrawlError(
    "CHECKPOINT_VERSION",
    `The checkpoint in crawl.db was written by ${which} version of Trobar (format ${format}; this ` +
      `version reads ${FORMAT}). ${remedy} Nothing was changed, and the archive is not affected.`,
    { format },
  );
}

function damaged(why: string): CrawlError {
  return new CrawlError(
    "CHECKPOINT_DAMAGED",
    `The checkpoint in crawl.db cannot be used: ${why}. The archive is not affected; ` +
      "`trobar store verify --rebuild` makes the rest again from it.",
  );
}
