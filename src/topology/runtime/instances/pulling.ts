/**
 * When a source is asked for items: when there may be some, never twice at once, and after a failure
 * not before a pause, lest it fail without one.
 */
import type { Clock } from "../../../base/seams/index.ts";
import { promised, type Work } from "../../unit/index.ts";

const AGAIN_MS = 1000;

/** The instance whose source it is. */
export interface PullingHost {
  hold(): void;
  letGo(): void;
  /** The source can be asked again. */
  wake(): void;
  /** The source has failed. */
  failed(thrown: unknown): void;
}

export class Pulling {
  readonly #host: PullingHost;
  readonly #clock: Clock;
  #hasItems = true;
  #isPulling = false;
  /** After a failure. */
  #isResting = false;

  constructor(host: PullingHost, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
  }

  get isDue(): boolean {
    return this.#hasItems && !this.#isPulling && !this.#isResting;
  }

  /** There may be items again. */
  expectItems(): void {
    this.#hasItems = true;
  }

  pull(pull: NonNullable<Work["pull"]>, countMax: number): void {
    if (!this.isDue) return;
    this.#hasItems = false;
    try {
      const pulled = pull(countMax);
      const promise = promised<boolean>(pulled);
      if (promise !== null) this.#await(promise);
      else this.#hasItems ||= pulled as boolean;
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #await(pulled: Promise<boolean>): void {
    this.#isPulling = true;
    this.#host.hold();
    pulled
      .then((hasMore) => {
        this.#hasItems ||= hasMore;
      })
      .catch((thrown: unknown) => this.#fail(thrown))
      .finally(() => {
        this.#isPulling = false;
        this.#host.letGo();
      });
  }

  #fail(thrown: unknown): void {
    this.#host.failed(thrown);
    this.#isResting = true;
    this.#clock.after(AGAIN_MS, () => {
      this.#isResting = false;
      this.#host.wake();
    });
  }
}
