/** What a crawl that was killed has left in its journals of answers, to be replayed. */
import {
  type FrameBatch,
  type LogReader,
  openLog,
  type Position,
  viewLog,
} from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Header,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn, valuesInTurn } from "../../base/steps/index.ts";
import { readFrame } from "./answer-frames.ts";
import { ANSWERS_FOLDER } from "./answer-journal.ts";

export interface JournaledAnswer {
  /** The text after the status; may be empty. */
  readonly reason: string;
  readonly headers: readonly Header[];
  /** With its content encoding. */
  readonly payload: Uint8Array;
}

/** Where an answer is. */
interface Place {
  readonly log: FileName;
  readonly bodyBytes: number;
  foundBytes: number;
  readonly frames: Position[];
}

const MANIFEST = /^(.+)\.manifest$/;

/**
 * Makes durable what a process that was killed has left, which may be in the memory of the system only. A
 * journal that cannot be opened is removed: pages whose answers it had are fetched again.
 */
export function settleAnswers(storage: Storage, random: Random, done: Acknowledge): void {
  const settle = (name: FileName, next: Acknowledge): void =>
    openLog({ storage, random, name, framing: "binary" }, (error, opened) => {
      if (error === null) opened.log.close(next);
      else if (error.code === "LOG_DAMAGED") removeJournal(storage, name, next);
      else next(error);
    });
  withLogs(
    storage,
    withValue(done, (logs) => inTurn(logs, settle, done)),
  );
}

function removeJournal(storage: Storage, name: FileName, done: Acknowledge): void {
  const isIts = (file: FileName): boolean => file.startsWith(`${name}.`);
  storage.list(
    ANSWERS_FOLDER,
    withValue(done, (files) =>
      inTurn(files.filter(isIts), (file, next) => storage.remove(file, next), done),
    ),
  );
}

function withLogs(storage: Storage, done: Done<readonly FileName[]>): void {
  storage.list(
    ANSWERS_FOLDER,
    withValue(done, (files) =>
      done(
        null,
        files.flatMap((file) => MANIFEST.exec(file)?.[1] ?? []),
      ),
    ),
  );
}

/** Reads which answers there are; their bodies stay on the disk. */
export function findAnswers(storage: Storage, done: Done<FoundAnswers>): void {
  const found = new FoundAnswers(storage);
  withLogs(
    storage,
    withValue(done, (logs) => {
      inTurn(
        logs,
        (log, next) => found.read(log, next),
        whenDone(done, () => done(null, found)),
      );
    }),
  );
}

export class FoundAnswers {
  readonly #storage: Storage;
  readonly #places = new Map<string, Place>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Whether all of it is there. */
  has(url: string, atMs: number): boolean {
    return this.#whole(url, atMs) !== null;
  }

  /** Null if it is not there, or can no longer be read. */
  answer(url: string, atMs: number, done: Done<JournaledAnswer | null>): void {
    const place = this.#whole(url, atMs);
    if (place === null) {
      done(null, null);
      return;
    }
    viewLog(
      this.#storage,
      place.log,
      withValue(done, (log) =>
        valuesInTurn(
          place.frames,
          (position, next: Done<Uint8Array | null>) => log.frameAt(position, next),
          withValue(done, (payloads) => done(null, answerOf(payloads))),
        ),
      ),
    );
  }

  /** For `findAnswers`: takes up what one log has. */
  read(log: FileName, done: Acknowledge): void {
    viewLog(
      this.#storage,
      log,
      withValue(done, (view) => this.#readAll(log, view.reader(), done)),
    );
  }

  #readAll(log: FileName, reader: LogReader, done: Acknowledge): void {
    const open = new Map<number, Place>();
    const next = (): void =>
      reader.read((error, batch) => {
        if (error === null && (batch.count > 0 || batch.damage.length > 0)) {
          this.#take(log, batch, open);
          return next();
        }
        reader.close(() => done(error));
      });
    next();
  }

  #take(log: FileName, batch: FrameBatch, open: Map<number, Place>): void {
    for (let index = 0; index < batch.count; index += 1) {
      const frame = readFrame(batch.payloadOf(index));
      if (frame === null) continue;
      if (frame.kind === "first") {
        const { url, atMs, bodyBytes } = frame.head;
        const place = { log, bodyBytes, foundBytes: 0, frames: [] };
        open.set(frame.id, place);
        this.#places.set(keyOf(url, atMs), place);
      }
      const place = open.get(frame.id);
      if (place === undefined) continue;
      place.frames.push(batch.positionOf(index));
      place.foundBytes += frame.piece.length;
      if (place.foundBytes >= place.bodyBytes) open.delete(frame.id);
    }
  }

  #whole(url: string, atMs: number): Place | null {
    const place = this.#places.get(keyOf(url, atMs));
    return place !== undefined && place.foundBytes === place.bodyBytes ? place : null;
  }
}

/** Null if a frame is damaged. */
function answerOf(payloads: readonly (Uint8Array | null)[]): JournaledAnswer | null {
  const frames = payloads.map((payload) => payload && readFrame(payload));
  const [first] = frames;
  if (first?.kind !== "first" || frames.includes(null)) return null;
  const { reason, headers } = first.head;
  return { reason, headers, payload: Buffer.concat(frames.flatMap((frame) => frame?.piece ?? [])) };
}

/** The log has instants in whole milliseconds. */
function keyOf(url: string, atMs: number): string {
  return `${Math.trunc(atMs)} ${url}`;
}
