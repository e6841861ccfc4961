/**
 * The crawl log as a lane sees it: lines are posted to the desk, which has the log. A line is posted
 * only when its record is in the lane's file, so what the log holds has its record, as with one lane.
 */
import type { Position } from "../../base/log/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import type { ClaimingStore } from "../../store/archive/index.ts";
import type { DeskLink } from "./desk-link.ts";

/** As much as a line of the crawl log may have; longer ones are shortened by their writer. */
const LINE_BYTES_MAX = 1024 * 1024;

/** What a store needs of a log. */
type LineLog = ConstructorParameters<typeof ClaimingStore>[1]["log"];

export class RemoteLog implements LineLog {
  readonly #desk: Pick<DeskLink, "post" | "ask">;
  #end = 0;

  constructor(desk: Pick<DeskLink, "post" | "ask">) {
    this.#desk = desk;
  }

  /** Counts the bytes of this lane's lines alone. */
  get end(): Position {
    return this.#end;
  }

  /** What was posted is the desk's to keep. */
  get written(): Position {
    return this.#end;
  }

  fits(line: Uint8Array): boolean {
    return line.length <= LINE_BYTES_MAX;
  }

  tryAppend(line: Uint8Array): Position {
    const position = this.#end;
    this.#end += line.length;
    this.#desk.post({ kind: "line", bytes: line });
    return position;
  }

  commit(done: Acknowledge): void {
    this.#ask(true, done);
  }

  flush(done: Acknowledge): void {
    this.#ask(false, done);
  }

  close(done: Acknowledge): void {
    this.#ask(true, done);
  }

  #ask(isDurable: boolean, done: Acknowledge): void {
    this.#desk.ask(
      (id) => ({ kind: "log", id, isDurable }),
      (error) => done(error),
    );
  }
}
