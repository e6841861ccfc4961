/**
 * A lane as the desk sees it: orders go to it and are answered once; a lane whose thread has ended
 * answers everything with why.
 */
import { rebuild } from "../../base/background/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Done } from "../../base/seams/index.ts";
import type { Port } from "../../topology/threads/index.ts";
import type { FromLane, LaneOrders, LanePost, OrderName, ToLane } from "./lane-messages.ts";

export interface LaneProxyParts {
  readonly number: number;
  readonly clock: Clock;
  readonly port: Port<ToLane, FromLane>;
  /** Takes what has happened in the lane. */
  readonly take: (lane: LaneProxy, post: LanePost) => void;
  /** Called once, if its thread ends before it was closed. */
  readonly died: (error: CrawlError) => void;
}

export class LaneProxy {
  readonly number: number;
  readonly #parts: LaneProxyParts;
  readonly #orders = new Map<number, Done<unknown>>();
  readonly #opening: PromiseWithResolvers<void> = Promise.withResolvers();
  #nextId = 0;
  #death: CrawlError | null = null;
  #isClosed = false;

  constructor(parts: LaneProxyParts) {
    this.number = parts.number;
    this.#parts = parts;
    // Somebody may wait for it only later.
    this.#opening.promise.catch(() => undefined);
    parts.port.listen((message) => this.#take(message));
  }

  /** Resolves when everything in it is open. */
  get opened(): Promise<void> {
    return this.#opening.promise;
  }

  get isAlive(): boolean {
    return this.#death === null;
  }

  post(message: ToLane): void {
    if (this.#death === null) this.#parts.port.post(message);
  }

  order<Name extends OrderName>(
    name: Name,
    input: LaneOrders[Name][0],
    done: Done<LaneOrders[Name][1]>,
  ): void {
    const { clock } = this.#parts;
    const death = this.#death;
    if (death !== null) {
      clock.after(0, () => done(death, undefined));
      return;
    }
    this.#nextId += 1;
    this.#orders.set(this.#nextId, done as Done<unknown>);
    this.post({ kind: "order", id: this.#nextId, name, input });
  }

  /** Nothing is expected of it any more. */
  close(): void {
    this.#isClosed = true;
    this.#parts.port.close();
  }

  /** Its thread has ended. */
  ended(cause: unknown): void {
    if (this.#isClosed || this.#death !== null) return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const error = new CrawlError(
      "INTERNAL_LANE",
      `The thread of lane ${this.number} ended: ${reason}. What was archived before is whole; please ` +
        "report this.",
      { lane: this.number },
      cause,
    );
    this.#death = error;
    this.#opening.reject(error);
    const orders = [...this.#orders.values()];
    this.#orders.clear();
    for (const done of orders) done(error, undefined);
    this.#parts.died(error);
  }

  #take(message: FromLane): void {
    switch (message.kind) {
      case "post":
        this.#parts.take(this, message.post);
        break;
      case "opened":
        if (message.error === null) this.#opening.resolve();
        else this.#opening.reject(rebuild(message.error));
        break;
      case "reply": {
        const done = this.#orders.get(message.id);
        this.#orders.delete(message.id);
        if (message.error === null) done?.(null, message.value);
        else done?.(rebuild(message.error), undefined);
      }
    }
  }
}

/** Gives an order to all lanes; answers with what they replied, or with the first error. */
export function orderAll<Name extends OrderName>(
  lanes: readonly LaneProxy[],
  name: Name,
  input: LaneOrders[Name][0],
  done: Done<readonly LaneOrders[Name][1][]>,
): void {
  const replies: LaneOrders[Name][1][] = [];
  let left = lanes.length;
  if (left === 0) done(null, replies);
  let first: CrawlError | null = null;
  for (const [at, lane] of lanes.entries()) {
    lane.order(name, input, (error, reply) => {
      if (error === null) replies[at] = reply;
      else first ??= error;
      left -= 1;
      if (left > 0) return;
      if (first === null) done(null, replies);
      else done(first, undefined);
    });
  }
}
