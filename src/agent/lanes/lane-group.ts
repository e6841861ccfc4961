/** All lanes of a crawl, as its desk commands them: what is ordered, asked and waited for together. */
import type { CrawlError } from "../../base/errors/index.ts";
import {
  type Acknowledge,
  answered,
  type Clock,
  type Done,
  type Timer,
  withValue,
} from "../../base/seams/index.ts";
import type { LaneChanges } from "../saving/saved-crawl.ts";
import type { LaneReport, LaneStart, LaneState } from "./lane-messages.ts";
import { type LaneProxy, orderAll } from "./lane-proxy.ts";
import type { SharedNumbers } from "./shared-limits.ts";

/** How often lanes are asked how far they are. */
const REPORT_MS = 500;

export class LaneGroup {
  readonly lanes: readonly LaneProxy[];
  readonly #clock: Clock;
  #reports: readonly LaneReport[] = [];
  #timer: Timer | null = null;
  #isClosing = false;
  /** How often lanes were held or let go. */
  #holds = 0;
  #isSaving = false;
  #isOver = false;
  /** Batches that had been sent when all lanes were quiet before. */
  #sentBefore: number | null = null;

  constructor(clock: Clock, lanes: readonly LaneProxy[]) {
    this.#clock = clock;
    this.lanes = lanes;
  }

  /** Those that have something to commit: none after they were closed. */
  get living(): readonly LaneProxy[] {
    return this.#isOver ? [] : this.lanes;
  }

  /** What the lanes reported last. */
  get reports(): readonly LaneReport[] {
    return this.#reports;
  }

  /** Resolves when everything is open in all of them. */
  async opened(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.opened));
    this.#reports = await answered((done) => orderAll(this.lanes, "report", null, done));
  }

  start(starts: readonly LaneStart[], failed: (error: CrawlError) => void): void {
    for (const [number, start] of starts.entries()) {
      this.lanes[number]?.order("start", start, (...[error]) => {
        if (error !== null) failed(error);
      });
    }
    this.#reportLater();
  }

  /** Gives further seeds to the lanes that own them; the refused ones, each with why. */
  async addSeeds(starts: readonly LaneStart[]): Promise<ReadonlyMap<string, string>> {
    const refused = new Map<string, string>();
    const added = this.lanes.map(async (lane, number) => {
      const start = starts[number];
      if (start === undefined) return;
      const why = await answered<readonly (string | null)[]>((done) =>
        lane.order("seeds", start, done),
      );
      for (const [at, reason] of why.entries()) {
        const seed = start.seeds[at];
        if (reason !== null && seed !== undefined) refused.set(seed, reason);
      }
    });
    await Promise.all(added);
    return refused;
  }

  askStates(told: (lane: number, state: LaneState) => void): void {
    for (const lane of this.lanes) {
      lane.order("state", null, (error, state) => {
        if (error === null) told(lane.number, state);
      });
    }
  }

  /** All have replayed what they did before the crawl was killed: they go on to fetch. */
  goOn(): void {
    for (const lane of this.lanes) lane.order("goOn", null, () => undefined);
  }

  pause(isPaused: boolean): void {
    for (const lane of this.lanes) lane.order("pause", isPaused, () => undefined);
  }

  cancel(): void {
    for (const lane of this.lanes) lane.order("cancel", null, () => undefined);
  }

  /** Lanes that found no place for a page left look again. */
  wakeLacking(freer: LaneProxy, numbers: SharedNumbers): void {
    for (const lane of this.lanes) {
      if (lane === freer || !numbers.isLacking(lane.number)) continue;
      lane.order("pump", null, () => undefined);
    }
  }

  /**
   * Begins nothing more, and answers when nothing is under way anywhere: a lane that has ended may be
   * given links by another, and pass some on, so all are asked until none has.
   */
  end(done: Acknowledge): void {
    orderAll(
      this.lanes,
      "end",
      null,
      withValue(done, (states) => {
        if (this.#isSettled(states)) done(null);
        else this.end(done);
      }),
    );
  }

  /** Answers when the reports are newer than the call. */
  refresh(done: Acknowledge): void {
    orderAll(
      this.lanes,
      "report",
      null,
      withValue(done, (reports) => {
        this.#reports = reports;
        done(null);
      }),
    );
  }

  /** Lets no answer in anywhere; `quiet` is called when nothing is on its way, unless they are let go before. */
  hold(quiet: () => void): void {
    this.#holds += 1;
    const hold = this.#holds;
    orderAll(this.lanes, "hold", null, (...[error]) => {
      if (error === null && hold === this.#holds) quiet();
    });
  }

  /** Lanes that give their state are let go by that. */
  letGo(): void {
    this.#holds += 1;
    if (!this.#isSaving) orderAll(this.lanes, "letGo", null, () => undefined);
  }

  /**
   * The state of all lanes; `counted` is called when what they have counted until then is known, before
   * any of them goes on.
   */
  save(counted: () => void, done: Done<readonly LaneChanges[]>): void {
    this.#isSaving = true;
    this.refresh((error) => {
      this.#isSaving = false;
      counted();
      if (error === null) orderAll(this.lanes, "save", null, done);
      else {
        this.letGo();
        done(error, undefined);
      }
    });
  }

  /** What was saved is recorded durably. */
  recorded(lanes: readonly LaneChanges[]): void {
    for (const lane of this.lanes) {
      lane.order("recorded", lanes[lane.number]?.memory ?? null, () => undefined);
    }
  }

  /** Resolves when all that can be closed is; never rejects. */
  async close(failed: (error: CrawlError) => void): Promise<void> {
    this.#isClosing = true;
    this.#timer?.cancel();
    await Promise.all(this.lanes.map((lane) => this.#close(lane, failed)));
    this.#isOver = true;
  }

  #close(lane: LaneProxy, failed: (error: CrawlError) => void): Promise<void> {
    return new Promise((resolve) => {
      lane.order("close", null, (error, report) => {
        if (error !== null) failed(error);
        else this.#reports = this.#reports.with(lane.number, report);
        lane.close();
        resolve();
      });
    });
  }

  #isSettled(states: readonly LaneState[]): boolean {
    const sent = states.reduce((sum, state) => sum + state.sent, 0);
    const received = states.reduce((sum, state) => sum + state.received, 0);
    const isSettled = sent === received && sent === this.#sentBefore;
    this.#sentBefore = sent;
    return isSettled;
  }

  #reportLater(): void {
    this.#timer = this.#clock.after(REPORT_MS, () => {
      orderAll(this.lanes, "report", null, (error, reports) => {
        if (this.#isClosing) return;
        if (error === null) this.#reports = reports;
        this.#reportLater();
      });
    });
  }
}
