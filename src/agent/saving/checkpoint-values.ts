/** A saved crawl as named values, the form in which `crawl.db` keeps it. */
import { CrawlError } from "../../base/errors/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import type { FrontierCheckpoint } from "../../frontier/front/index.ts";
import type { Checkpoint } from "../../store/index/index.ts";
import type { SavedCrawl } from "./saved-crawl.ts";

/** Of the values; others are refused. */
const FORMAT = 1;

/** Names begin with the lane; digits are filled up, so that rows are read in the order of numbers. */
const CRAWL = "0/crawl";
const SCORE = "0/score";
const VISITS = "0/visits/";
const HOSTS = "0/hosts/";

type Visits = FrontierCheckpoint["visits"];

export function valuesOf({ frontier, score, ...rest }: SavedCrawl): Checkpoint {
  const { marks, visits, hosts } = frontier;
  const values = new Map<string, Uint8Array>();
  values.set(CRAWL, bytesOf({ format: FORMAT, ...rest, marks }));
  if (score !== null) values.set(SCORE, score);
  for (const [number, visit] of visits) values.set(VISITS + padded(number), bytesOf(visit));
  for (const [chunk, bytes] of hosts.entries()) values.set(HOSTS + padded(chunk), bytes);
  return values;
}

/** The error if they are not what a crawl has written. */
export function crawlOf(values: Checkpoint): SavedCrawl | CrawlError {
  try {
    return readCrawl(values);
  } catch (error) {
    return damaged(error instanceof SyntaxError ? "it cannot be read" : thrownReason(error));
  }
}

function readCrawl(values: Checkpoint): SavedCrawl {
  const { format, marks, ...rest } = readJson<Head>(values.get(CRAWL));
  if (format !== FORMAT) throw new Error(`its format is ${format}; this version reads ${FORMAT}`);
  const visits: Visits[number][] = [];
  const hosts: Uint8Array[] = [];
  for (const [name, bytes] of values) {
    if (name.startsWith(VISITS)) visits.push([Number(name.slice(VISITS.length)), readJson(bytes)]);
    else if (name.startsWith(HOSTS)) hosts.push(bytes);
  }
  const score = values.get(SCORE) ?? null;
  return { ...rest, score, frontier: { marks, visits, hosts } };
}

type Head = Omit<SavedCrawl, "frontier" | "score"> & {
  readonly format: number;
  readonly marks: FrontierCheckpoint["marks"];
};

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function readJson<Value>(bytes: Uint8Array | undefined): Value {
  if (bytes === undefined) throw new Error("it is incomplete");
  return JSON.parse(Buffer.from(bytes).toString()) as Value;
}

function padded(number: number): string {
  return String(number).padStart(10, "0");
}

function damaged(why: string): CrawlError {
  return new CrawlError(
    "CHECKPOINT_DAMAGED",
    `The checkpoint in crawl.db cannot be used: ${why}. The archive is not affected; start over with ` +
      "--fresh, or crawl into another directory.",
  );
}
