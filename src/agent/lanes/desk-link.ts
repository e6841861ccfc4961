/**
 * The desk as a lane sees it: where what happens in the lane is posted, and where questions are
 * answered. What is posted in one turn goes as one message. Items count against a *credit* until the
 * desk says that it has room for more.
 */
import { rebuild } from "../../base/background/index.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Port } from "../../topology/threads/index.ts";
import type { CarriedError, FromLane, LaneAnswer, LaneItem, ToLane } from "./lane-messages.ts";
import { LanePostWriter } from "./lane-posts.ts";

/** So many items may be at the desk, or on their way there, before no more pages should be begun. */
const CREDIT = 4000;

/** Called with the answer, or with the fault that prevents one. */
type Answered = (error: CrawlError | null, answer: LaneAnswer | null) => void;

export interface DeskLinkParts {
  readonly clock: Clock;
  readonly port: Port<FromLane, ToLane>;
}

export class DeskLink {
  readonly #parts: DeskLinkParts;
  readonly #asked = new Map<number, Answered>();
  readonly #waiting: (() => void)[] = [];
  readonly #writer = new LanePostWriter();
  #nextId = 0;
  #isDue = false;
  #outstanding = 0;

  constructor(parts: DeskLinkParts) {
    this.#parts = parts;
  }

  /** Whether more pages should be begun. */
  get hasRoom(): boolean {
    return this.#outstanding < CREDIT;
  }

  /** Calls back, never inside this call, when there is room again. */
  whenRoom(callback: () => void): void {
    if (this.hasRoom) this.#parts.clock.after(0, callback);
    else this.#waiting.push(callback);
  }

  post(item: LaneItem): void {
    this.#writer.add(item);
    this.#outstanding += 1;
    if (this.#isDue) return;
    this.#isDue = true;
    this.#parts.clock.after(0, () => this.flush());
  }

  /** Posts a question with a number of its own. */
  ask(make: (id: number) => LaneItem, answered: Answered): void {
    const id = this.newId();
    this.#asked.set(id, answered);
    this.post(make(id));
  }

  newId(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  /** Sends what was posted in this turn so far; a reply after it is never ahead of it. */
  flush(): void {
    this.#isDue = false;
    if (this.#writer.count === 0) return;
    const post = this.#writer.take();
    this.#parts.port.post({ kind: "post", post }, post.bytes);
  }

  /** The desk has room for so many more. */
  taken(items: number): void {
    this.#outstanding -= items;
    if (this.hasRoom) for (const callback of this.#waiting.splice(0)) callback();
  }

  answered(answers: readonly LaneAnswer[]): void {
    for (const answer of answers) {
      if (answer.kind === "fault") this.#settle(answer.id, rebuild(answer.error), null);
      else this.#settle(answer.id, null, answer);
    }
  }

  /** Lines are durable, or in their file. */
  logged(id: number, error: CarriedError | null): void {
    this.#settle(id, error === null ? null : rebuild(error), null);
  }

  #settle(id: number, error: CrawlError | null, answer: LaneAnswer | null): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    asked?.(error, answer);
  }
}
