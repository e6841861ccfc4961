/**
 * What a visit state has to do with robots.txt: the origins of its host, the files that are to be
 * fetched here, and the one for which everything waits while another host is asked for it.
 */
import { type FetchableUrl, type Origin, originOf } from "../../../formats/url/index.ts";
import type { CheckpointClock } from "../saving/checkpoint-clock.ts";
import { OriginRobots, type OriginStatus, type SavedOrigin } from "./origin-robots.ts";
import type { RobotsTask } from "./robots-desk.ts";

/** A host has few origins, unless it links to thousands of its ports. */
const ORIGINS_MAX = 32;

export class HostRobots {
  readonly #changing: () => void;
  readonly #origins: OriginRobots[] = [];
  /** Its own files and those of others. */
  readonly #tasks: RobotsTask[] = [];
  #waitsFor: OriginRobots | null = null;

  /** `changing` is called before anything changes that a checkpoint has. */
  constructor(changing: () => void = () => undefined) {
    this.#changing = changing;
  }

  get hasTask(): boolean {
    return this.#tasks.length > 0;
  }

  /** Whether pages wait for a file that another host has, and nothing else is to be done here. */
  get isWaiting(): boolean {
    return this.#waitsFor !== null && this.#tasks.length === 0;
  }

  /** The longest that one of its origins asks for; 0 when none does. */
  get crawlDelayMs(): number {
    let delayMs = 0;
    for (const origin of this.#origins) delayMs = Math.max(delayMs, origin.crawlDelayMs);
    return delayMs;
  }

  /** What the rules of its origins take. */
  get heldBytes(): number {
    let bytes = 0;
    for (const origin of this.#origins) bytes += origin.heldBytes;
    return bytes;
  }

  statuses(nowMs: number): readonly OriginStatus[] {
    return this.#origins.map((origin) => origin.status(nowMs));
  }

  save(clock: CheckpointClock): readonly SavedOrigin[] {
    return this.#origins.map((origin) => origin.save(clock));
  }

  restore(saved: readonly SavedOrigin[], clock: CheckpointClock): void {
    for (const one of saved) {
      const origin = new OriginRobots(one.origin, this.#changing);
      origin.restore(one, clock);
      this.#origins.push(origin);
    }
  }

  /** What is known of the origin of a URL. */
  originOf(url: FetchableUrl): OriginRobots {
    const origin = originOf(url);
    for (const known of this.#origins) if (known.origin === origin) return known;
    // V8 would keep the whole URL alive for this part of it; a copy does not.
    const own = Buffer.from(origin, "latin1").toString("latin1") as Origin;
    const made = new OriginRobots(own, this.#changing);
    this.#changing();
    if (this.#origins.length >= ORIGINS_MAX) this.#dropOldest();
    this.#origins.push(made);
    return made;
  }

  addTask(task: RobotsTask): void {
    this.#tasks.push(task);
  }

  /** A file that was not fetched after all is the next one. */
  putBack(task: RobotsTask): void {
    this.#tasks.unshift(task);
  }

  takeTask(): RobotsTask | null {
    return this.#tasks.shift() ?? null;
  }

  takeTasks(isTaken: (task: RobotsTask) => boolean = () => true): readonly RobotsTask[] {
    const tasks = this.#tasks.splice(0);
    this.#tasks.push(...tasks.filter((task) => !isTaken(task)));
    return tasks.filter(isTaken);
  }

  waitFor(origin: OriginRobots): void {
    this.#waitsFor = origin;
  }

  /** Nothing waits for this origin any more. */
  settle(origin: OriginRobots): void {
    if (this.#waitsFor === origin) this.#waitsFor = null;
  }

  /** What is forgotten is asked for again when it is needed. */
  #dropOldest(): void {
    const oldest = this.#origins.findIndex(({ isBeingAsked }) => !isBeingAsked);
    if (oldest !== -1) this.#origins.splice(oldest, 1);
  }
}
