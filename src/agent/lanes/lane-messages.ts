/**
 * What passes between the desk and a lane. A lane sends *posts*: what happened in one turn, in order. The
 * desk takes every post at once and says so when it has room for more: a lane begins nothing while too
 * much of what it posted was not answered in this way.
 */
import type { carry } from "../../base/background/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import type { FrontierStatus, RefusedSeed } from "../../frontier/front/index.ts";
import type { Claim } from "../../store/archive/index.ts";
import type { PageRow } from "../../store/export/index.ts";
import type { PageNews } from "../../store/index/index.ts";
import type { PageLinks } from "../../store/links/index.ts";
import type { FailedPage } from "../control/failed-pages.ts";
import type { LaneQuestion } from "../control/lane-answers.ts";
import type { SavedCounts } from "../crawl/counting/crawl-counts.ts";
import type { CrawlLimit } from "../crawl/lane/crawl-limits.ts";
import type { DepthLimits } from "../links/link-gate.ts";
import type { SeedsElsewhere } from "../links/scope-growth.ts";
import type { AskOfLane, EntryReason, ToldByLane } from "../member/threads/lane-asks.ts";
import type { ReplayCounts } from "../recovery/replay.ts";
import type { LaneChanges } from "../saving/saved-crawl.ts";
import type { ComparedPage, Duplicate, SoughtPage } from "../visit/duplicates.ts";
import type { LoggedPage } from "../visit/indexed-row.ts";
import type { SeedCall } from "./lane-seeds.ts";

/** An error as plain values. */
export type CarriedError = ReturnType<typeof carry>;

/** Something that happened in a lane. Lines have numbers, from 0, in the order in which they come. */
export type LaneItem =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** The lines before are to be durable, or in their file; answered by `logged`. */
  | { readonly kind: "log"; readonly id: number; readonly isDurable: boolean }
  /** The line with this number gets a row, or `ended` says that it does not. */
  | { readonly kind: "expect"; readonly line: number }
  | { readonly kind: "row"; readonly line: number; readonly page: LoggedPage }
  | { readonly kind: "ended"; readonly line: number | null; readonly number: number | null }
  | { readonly kind: "improve"; readonly page: Fingerprint; readonly change: PageNews }
  | LinksItem
  | { readonly kind: "output"; readonly row: PageRow }
  | SeekItem
  /** Is the body of this page archived? If not, and it is whole, it will be. */
  | { readonly kind: "claim"; readonly id: number; readonly claim: Claim }
  | { readonly kind: "fault"; readonly error: CarriedError; readonly url: string }
  | { readonly kind: "seed"; readonly call: SeedCall }
  /** A URL that was not taken up, if these are logged; `rule` is a line of a robots.txt. */
  | {
      readonly kind: "refusal";
      readonly reason: string;
      readonly url: string;
      readonly via: string | null;
      readonly rule: string | null;
    }
  | { readonly kind: "dropped"; readonly reason: RefusedSeed["reason"]; readonly count: number }
  /** What the user is to be told. */
  | { readonly kind: "report"; readonly error: CarriedError }
  /** The disk failed, or another part without which the crawl cannot go on. */
  | { readonly kind: "failed"; readonly error: CarriedError }
  | { readonly kind: "limit"; readonly limit: CrawlLimit }
  /** Nothing is left to do here. */
  | { readonly kind: "idle" }
  /** Places for pages were given back, which other lanes lack. */
  | { readonly kind: "freed" }
  /** It has replayed what it did before the crawl was killed. */
  | { readonly kind: "replayed"; readonly counts: ReplayCounts }
  | EntryItem
  /** For the node of an agent among others. */
  | { readonly kind: "member"; readonly told: ToldByLane };

/** A URL for the node of an agent among others; `id` is that of the ask to which it belongs, or 0. */
export interface EntryItem {
  readonly kind: "entry";
  readonly about: EntryReason;
  readonly id: number;
  readonly entry: UrlEntry;
}

export interface LinksItem extends PageLinks {
  readonly kind: "links";
  readonly page: SoughtPage;
}

/** Was this page seen before? */
export interface SeekItem {
  readonly kind: "seek";
  readonly id: number;
  readonly compared: ComparedPage;
  readonly page: SoughtPage;
}

export type LaneAnswer =
  | {
      readonly kind: "found";
      readonly id: number;
      readonly found: Duplicate;
      readonly number: number | null;
    }
  | { readonly kind: "claimed"; readonly id: number; readonly original: Claim["original"] | null }
  | { readonly kind: "fault"; readonly id: number; readonly error: CarriedError };

export interface LaneState {
  readonly isIdle: boolean;
  /** Batches of links sent to other lanes, and taken from them. */
  readonly sent: number;
  readonly received: number;
}

/** How far a lane is, for the summary. */
export interface LaneReport {
  readonly open: number;
  readonly counts: SavedCounts;
  readonly frontier: FrontierStatus;
  /** Bytes held besides the frontier, by owner. */
  readonly memory: Readonly<Record<string, number>>;
}

export interface LaneStart {
  /** Its own. */
  readonly seeds: readonly string[];
  /** Those of other lanes, of each lane that has any. */
  readonly others: readonly SeedsElsewhere[];
  /** Where seeds of earlier runs have led, as far as it is not known what became of them. */
  readonly watched: readonly string[];
  /** Pages of its own that failed and are tried again. */
  readonly requeued: readonly FailedPage[];
  /** The depth limit of the last run, if that was raised. */
  readonly depthsBefore: DepthLimits | null;
  /** How long the crawl ran before. */
  readonly elapsedMs: number;
}

/** What a lane is told to do, and what it replies with when that is done. */
export interface LaneOrders {
  start: [LaneStart, null];
  /** Seeds that are added while it runs; why each is refused, or null. */
  seeds: [LaneStart, readonly (string | null)[]];
  /** Everything that was archived is in its files, and its lines were posted; durably, or not. */
  flush: [null, null];
  commit: [null, null];
  state: [null, LaneState];
  report: [null, LaneReport];
  /** Begin nothing more; replied to when nothing is open. May be ordered again. */
  end: [null, LaneState];
  cancel: [null, null];
  /** All lanes have replayed what they did before the crawl was killed. */
  goOn: [null, null];
  pump: [null, null];
  pause: [boolean, null];
  /** Let no answer in; replied to when none is worked on, and nothing is on its way to others. */
  hold: [null, null];
  /** Let answers in again. */
  letGo: [null, null];
  /** The state of this moment; answers are let in again. */
  save: [null, LaneChanges];
  /** What was saved is recorded; the marks of its links. */
  recorded: [LaneChanges["memory"], null];
  /** What somebody who watches the crawl asks or changes. */
  ask: [LaneQuestion, unknown];
  close: [null, LaneReport];
}

export type OrderName = keyof LaneOrders;

export type ToLane =
  | {
      readonly kind: "order";
      readonly id: number;
      readonly name: OrderName;
      readonly input: unknown;
    }
  /** What the node of an agent among others asks, in order. */
  | { readonly kind: "asks"; readonly asks: readonly AskOfLane[] }
  /** There is room for so many items more, too. */
  | { readonly kind: "answers"; readonly answers: readonly LaneAnswer[]; readonly taken: number }
  | { readonly kind: "taken"; readonly items: number }
  /** What became of lines that were to be durable, or in their file. */
  | { readonly kind: "logged"; readonly id: number; readonly error: CarriedError | null };

/** What happened in a lane in one turn, packed (`lane-posts.ts`). */
export interface LanePost {
  readonly bytes: ArrayBuffer;
  /** Those that are not in `bytes`. */
  readonly rare: readonly LaneItem[];
  /** Of all items. */
  readonly count: number;
}

export type FromLane =
  | { readonly kind: "post"; readonly post: LanePost }
  | {
      readonly kind: "reply";
      readonly id: number;
      readonly error: CarriedError | null;
      readonly value: unknown;
    }
  /** Everything is open, or could not be opened. */
  | { readonly kind: "opened"; readonly error: CarriedError | null };
