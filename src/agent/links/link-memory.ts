/**
 * The links of the pages fetched so far. With a depth limit, a page may turn out to be nearer to a
 * seed than it was when it was fetched; its links are then followed again from the new depth, without
 * a fetch, so the limit gives the same pages whatever the timing. With requisites, the same is done
 * for a requisite that turns out to be a page.
 *
 * The links of a page are one frame of a log; a table that grows on disk has its position. Links that
 * do not fit into one frame take several, each beginning with the position of the next. A page that
 * redirects is remembered too: its one link is its target.
 */
import { type Fingerprint, FingerprintTable } from "../../base/fingerprints/index.ts";
import type { FrameBatch, Log, Position } from "../../base/log/index.ts";
import type { KeyTable, TableMarks } from "../../base/runs/index.ts";
import { type Acknowledge, type Done, whenDone, withValue } from "../../base/seams/index.ts";
import { Gathered, inTurn } from "../../base/steps/index.ts";

/** The links of a page that passed every rule except the depth limit. */
export interface RememberedPage {
  readonly url: string;
  /** For a redirect, how many came before it in a row; -1 for a page, whose links are a step away. */
  readonly redirects: number;
  readonly links: readonly string[];
  /** What a requisite needs itself; empty for a page, whose requisites were offered. */
  readonly requisites: readonly string[];
  /** Its depth when it was fetched. */
  readonly depth: number;
  /** The same for steps inside its host; absent where these are not limited. */
  readonly hostDepth?: number;
  /** Whether it is counted as a requisite. */
  readonly isRequisite: boolean;
  /** Whether it is a style sheet: among requisites, only these have requisites of their own. */
  readonly isSheet: boolean;
}

/** How much the log may hold back, so that pages with many links seldom wait for the disk. */
export const LINKS_PENDING_BYTES_MAX: number = 64 * 1024 * 1024;
/** The part of a page's links that one frame holds; the log has its own limit on frames. */
const PIECE_BYTES_MAX = 1024 * 1024;

/** Bytes that a position in the log takes in the table of places. */
export const LINK_PLACE_BYTES = 6;

/** What a checkpoint holds of it: where the log ends, and the runs of the places. */
export interface LinkMemoryMarks {
  readonly end: Position;
  readonly places: TableMarks;
}

/** `next` is called when the page was taken, at once or later. */
export type TakePage = (page: RememberedPage, next: Acknowledge) => void;

interface Waiting extends Fingerprint {
  readonly ask: () => void;
}

export class LinkMemory {
  readonly #log: Log;
  /** Where the frame of each page begins. */
  readonly #places: KeyTable;
  /** Pages that are being read. */
  readonly #beingRead = new FingerprintTable(null);
  /** Callers that wait for the links of those pages; there are few. */
  #waiting: Waiting[] = [];

  constructor(log: Log, places: KeyTable) {
    this.#log = log;
    this.#places = places;
  }

  get memoryBytes(): number {
    return this.#log.memoryBytes + this.#places.memoryBytes;
  }

  /** A page has its answer and its links will soon be known: `recall` waits for them. */
  begin(high: number, low: number): void {
    this.#beingRead.set(high, low);
  }

  /** Its links have been kept, or it has none; harmless when it was not being read. */
  end(high: number, low: number): void {
    this.#beingRead.delete(high, low);
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = waiting.filter((one) => one.high !== high || one.low !== low);
    for (const one of waiting) if (one.high === high && one.low === low) one.ask();
  }

  /** `done` may be called inside the call; if there is no room, only when there is. */
  keep(high: number, low: number, page: RememberedPage, done: Acknowledge): void {
    const { url, redirects, depth, hostDepth, isRequisite, isSheet, links, requisites } = page;
    const role = isRequisite ? "requisite" : "page";
    const depths = hostDepth === undefined ? String(depth) : `${depth}/${hostDepth}`;
    const head = [url, String(redirects), depths, role, isSheet ? "sheet" : "other"];
    // No URL is empty, and the first line is for the next piece.
    const bytes = Buffer.from(["", ...head, ...links, "", ...requisites].join("\n"));
    this.#append(bytes, "", (error, position) => {
      if (error === null) this.#places.set(high, low, position);
      done(error);
    });
  }

  /** Null for a page that has no links, or that was never fetched. */
  recall(high: number, low: number, done: Done<RememberedPage | null>): void {
    if (this.#beingRead.has(high, low)) {
      this.#waiting.push({ high, low, ask: () => this.recall(high, low, done) });
      return;
    }
    this.#log.commit((error) => {
      if (error !== null) done(error, undefined);
      else this.#find(high, low, done);
    });
  }

  /** As `eachInTurn`, for callers that need no time. */
  each(take: (page: RememberedPage) => void, done: Acknowledge): void {
    const takeOne: TakePage = (page, next) => {
      take(page);
      next(null);
    };
    this.eachInTurn(takeOne, done);
  }

  /**
   * Gives every page that is remembered at this moment, in the order in which they were kept, some
   * perhaps twice; each when the one before was taken. Answers when all were. Pages may be kept
   * meanwhile.
   */
  eachInTurn(take: TakePage, done: Acknowledge): void {
    const { end } = this.#log;
    const inner = new Set<Position>();
    const noteInner: TakePiece = ({ next: following }, next) => {
      if (following !== "") inner.add(Number(following));
      next(null);
    };
    const give: TakePiece = ({ position, next: following, bytes }, next) => {
      if (inner.has(position)) next(null);
      else if (following === "") take(pageOf(bytes), next);
      else {
        this.#read(
          position,
          withValue(next, (page) => (page === null ? next(null) : take(page, next))),
        );
      }
    };
    // Only after the first walk it is known which frames are later pieces of a page.
    const giveAll = whenDone(done, () => this.#walk(end, give, done));
    this.#log.commit(whenDone(done, () => this.#walk(end, noteInner, giveAll)));
  }

  /** Tries again what could not be written. */
  retry(): void {
    this.#places.retry();
  }

  /** Makes what is remembered at this moment durable, and answers with what brings it back. */
  checkpoint(done: Done<LinkMemoryMarks>): void {
    const { end } = this.#log;
    const marked = new Gathered<{ log: null; places: TableMarks }>(
      ["log", "places"],
      withValue(done, ({ places }) => done(null, { end, places })),
    );
    const log = marked.take("log");
    this.#log.commit((error) => (error === null ? log(null, null) : log(error, undefined)));
    this.#places.checkpoint(marked.take("places"));
  }

  /** The owner has kept these marks: files that only earlier ones need are removed. */
  keepOnly({ places }: LinkMemoryMarks): void {
    this.#places.keepOnly(places);
  }

  close(done: Acknowledge): void {
    this.#log.close((logError) => this.#places.close((error) => done(logError ?? error)));
  }

  /** Appends the last piece first, so that each can name the next; answers with where the first is. */
  #append(bytes: Buffer, next: string, done: Done<Position>): void {
    const from = Math.max(0, bytes.length - PIECE_BYTES_MAX);
    const isWhole = from === 0 && next === "";
    const start = from === 0 ? next : `${next}\n`;
    const frame = isWhole ? bytes : Buffer.concat([Buffer.from(start), bytes.subarray(from)]);
    const position = this.#log.tryAppend(frame);
    if (position === null) {
      this.#log.commit((error) => {
        if (error === null) this.#append(bytes, next, done);
        else done(error, undefined);
      });
    } else if (from === 0) done(null, position);
    else this.#append(bytes.subarray(0, from), String(position), done);
  }

  #find(high: number, low: number, done: Done<RememberedPage | null>): void {
    const position = this.#places.recall(high, low);
    if (position >= 0) this.#read(position, done);
    else if (!this.#places.mayFind(high, low)) done(null, null);
    else {
      this.#places.find(high, low, (error, found) => {
        if (error !== null) done(error, undefined);
        else if (found < 0) done(null, null);
        else this.#read(found, done);
      });
    }
  }

  #walk(end: Position, take: TakePiece, done: Acknowledge): void {
    const reader = this.#log.reader();
    const finish: Acknowledge = (error) => reader.close(() => done(error));
    const step = (): void => reader.read(withValue(finish, takeAll));
    const takeAll = (frames: FrameBatch): void => {
      const pieces = Array.from({ length: frames.count }, (_none, at) => at);
      const isOver = frames.count === 0 || frames.endOf(frames.count - 1) >= end;
      const takeOne = (at: number, next: Acknowledge): void => {
        const position = frames.positionOf(at);
        if (position >= end) next(null);
        else take({ position, ...pieceOf(frames.payloadOf(at)) }, next);
      };
      inTurn(pieces, takeOne, whenDone(finish, isOver ? () => finish(null) : step));
    };
    step();
  }

  #read(position: number, done: Done<RememberedPage | null>, before: readonly Buffer[] = []): void {
    const reader = this.#log.reader(position);
    reader.read((error, frames) => {
      reader.close(() => {
        if (error !== null) done(error, undefined);
        else if (frames.count === 0) done(null, null);
        else {
          const { next, bytes } = pieceOf(Buffer.from(frames.payloadOf(0)));
          const pieces = [...before, bytes];
          if (next === "") done(null, pageOf(Buffer.concat(pieces)));
          else this.#read(Number(next), done, pieces);
        }
      });
    });
  }
}

/** A frame of the log. */
interface Piece {
  readonly position: Position;
  /** Where the next piece of the page is; empty after the last. */
  readonly next: string;
  readonly bytes: Buffer;
}

type TakePiece = (piece: Piece, next: Acknowledge) => void;

function pieceOf(payload: Uint8Array): Omit<Piece, "position"> {
  const frame = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const end = frame.indexOf("\n");
  return { next: frame.toString("latin1", 0, end), bytes: frame.subarray(end + 1) };
}

function pageOf(bytes: Buffer): RememberedPage {
  const [url = "", redirects, depths = "", role, form, ...rest] = bytes.toString().split("\n");
  const [depth = 0, hostDepth] = depths.split("/").map(Number);
  const end = rest.indexOf("");
  return {
    ...{ url, redirects: Number(redirects), depth },
    ...(hostDepth === undefined ? {} : { hostDepth }),
    isRequisite: role === "requisite",
    isSheet: form === "sheet",
    links: rest.slice(0, end),
    requisites: rest.slice(end + 1),
  };
}
