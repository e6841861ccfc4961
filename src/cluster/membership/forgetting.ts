/**
 * Giving a place up by command (G7), which is quicker than waiting for `giveUpAfter`. First everybody is
 * asked whether it hears the place: then it is not lost, and the command is refused. Then everybody is
 * told, until each has given it up durably.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Done } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import { type Place, placeText } from "../messages/index.ts";
import type { Core } from "./core.ts";
import { FORGET, type Forgotten } from "./membership-messages.ts";
import type { RingChanges } from "./ring-changes.ts";

interface Order {
  readonly place: Place;
  readonly done: Done<number>;
  isOrder: boolean;
  readonly agreed: Set<string>;
  readonly asked: Set<string>;
}

export class Forgetting {
  readonly #core: Core;
  readonly #changes: RingChanges;
  #orders: Order[] = [];

  constructor(core: Core, changes: RingChanges) {
    this.#core = core;
    this.#changes = changes;
    core.messenger.serve(FORGET, (_, { place, isOrder }, respond) => {
      this.#changes.named(place);
      const isAgreed = this.#isDead(place);
      if (isAgreed && isOrder) this.#giveUp(place);
      core.file.whenSaved(() => respond({ isAgreed }));
    });
  }

  /** `done` with how many agents have given it up, this one included. */
  forget(id: AgentId, done: Done<number>): void {
    const { table, clock } = this.#core;
    const place = table.get(id)?.place;
    if (place === undefined) clock.after(0, () => done(refused(id, "is not known"), undefined));
    else {
      const lists = { agreed: new Set<string>(), asked: new Set<string>() };
      this.#orders.push({ place, done, isOrder: false, ...lists });
    }
  }

  tick(): void {
    for (const order of this.#orders) this.#tick(order);
  }

  #tick(order: Order): void {
    const { detector, clock, file } = this.#core;
    if (!this.#isDead(order.place)) {
      this.#end(order, "is heard");
      return;
    }
    const others = detector.present(clock.nowMs()).filter(({ id }) => id !== order.place.id);
    const waiting = others.filter(({ place }) => !order.agreed.has(placeText(place)));
    for (const { place } of waiting) this.#ask(order, place);
    if (waiting.length > 0) return;
    if (order.isOrder) {
      file.whenSaved(() => this.#end(order, others.length + 1));
      return;
    }
    order.isOrder = true;
    order.agreed.clear();
    this.#giveUp(order.place);
  }

  #ask(order: Order, place: Place): void {
    const { messenger, times } = this.#core;
    const text = placeText(place);
    const { isOrder } = order;
    if (order.asked.has(text)) return;
    order.asked.add(text);
    const question = { body: { place: order.place, isOrder }, timeoutMs: times.replyMs };
    messenger.ask<object, Forgotten>(place, FORGET, question, (replied) => {
      order.asked.delete(text);
      if (replied.kind !== "reply" || order.isOrder !== isOrder) return;
      if (replied.body.isAgreed) order.agreed.add(text);
      else this.#end(order, `is heard by ${place.id}`);
    });
  }

  /** Whether nothing was heard of the place for long enough, neither here nor, by hearsay, elsewhere. */
  #isDead(place: Place): boolean {
    const { life, table, detector, clock } = this.#core;
    if (place.id === life.id) return false;
    const entry = table.at(place);
    if (entry === undefined) return true;
    const nowMs = clock.nowMs();
    if (detector.isLive(entry, nowMs)) return false;
    return entry.vouchedUntilMs < nowMs;
  }

  #giveUp(place: Place): void {
    const entry = this.#core.table.at(place);
    if (entry !== undefined && !entry.isGivenUp) this.#changes.giveUp(entry);
  }

  #end(order: Order, how: string | number): void {
    if (!this.#orders.includes(order)) return;
    this.#orders = this.#orders.filter((other) => other !== order);
    if (typeof how === "number") order.done(null, how);
    else order.done(refused(order.place.id, how), undefined);
  }
}

function refused(id: AgentId, why: string): CrawlError {
  return new CrawlError(
    "CLUSTER_FORGET_REFUSED",
    `The agent ${id} was not given up: it ${why}. Only an agent that every other one has missed for ` +
      "cluster.deadAfter can be given up by command.",
    { id, why },
  );
}
