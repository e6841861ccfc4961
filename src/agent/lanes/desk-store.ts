/**
 * The store of a crawl with several lanes, as its desk commits it: lanes have the archive files, the desk
 * has the log. A commit makes first the records of all lanes durable, then the lines.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import { type Acknowledge, type Done, whenDone, withValue } from "../../base/seams/index.ts";
import type { SharedRecords } from "../../store/archive/index.ts";
import type { Store } from "../visit/waiting-store.ts";
import { type LaneProxy, orderAll } from "./lane-proxy.ts";

export class DeskStore implements Store {
  readonly records: SharedRecords;
  readonly #lanes: () => readonly LaneProxy[];

  constructor(records: SharedRecords, lanes: () => readonly LaneProxy[]) {
    this.records = records;
    this.#lanes = lanes;
  }

  get trouble(): CrawlError | null {
    return this.records.trouble;
  }

  get hasRoom(): boolean {
    return this.records.hasRoom;
  }

  whenRoom(callback: () => void): void {
    this.records.whenRoom(callback);
  }

  originalOf(sha1: Uint8Array): string | null {
    return this.records.originalOf(sha1);
  }

  get cuts(): SharedRecords["cuts"] {
    return this.records.cuts;
  }

  linesEnd(): () => Position {
    const { end } = this.records;
    return () => end;
  }

  mark(done: Parameters<SharedRecords["mark"]>[0]): void {
    this.records.mark(done);
  }

  commitLines(done: Done<Position>): void {
    const { end } = this.records;
    this.commit(whenDone(done, () => done(null, end)));
  }

  commit(done: Acknowledge): void {
    const commitLog = (): void => this.records.commit(done);
    orderAll(this.#lanes(), "commit", null, withValue(done, commitLog));
  }

  flush(done: Acknowledge): void {
    const flushLog = (): void => this.records.flush(done);
    orderAll(this.#lanes(), "flush", null, withValue(done, flushLog));
  }

  /** For a lane: the lines that it posted are to be durable, or in their file. */
  settleLog(isDurable: boolean, done: Acknowledge): void {
    if (isDurable) this.records.commit(done);
    else this.records.flush(done);
  }

  tryStore(): null {
    assert.fail("lanes store pages");
  }

  storeSpooled(): void {
    assert.fail("lanes store pages");
  }

  tryLog(): boolean {
    assert.fail("lanes log visits");
  }
}
