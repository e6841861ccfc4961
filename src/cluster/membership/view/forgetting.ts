/**
 * Giving a place up by command (G7), which is quicker than waiting for `giveUpAfter`. First everybody is
 * asked whether it hears the place: then it is not lost, and the command is refused. Then everybody is
 * told, until each has given it up durably.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import type { AgentId } from "../../../base/transport/index.ts";
import { type Place, placeText } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import type { Electorate } from "../majority/electorate.ts";
import { FORGET, type Forgotten } from "../membership-messages.ts";
import type { ConfigurationGossip } from "../shared/configuration-gossip.ts";
import type { RingChanges } from "./ring-changes.ts";

export interface ForgettingParts {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly electorate: Electorate;
  readonly configuration: ConfigurationGossip;
}

interface Order {
  readonly place: Place;
  readonly done: Done<number>;
  isOrder: boolean;
  isCarriedOut: boolean;
  readonly agreed: Set<string>;
  readonly asked: Set<string>;
}

/** Why an agent is not given up, and what to do. */
interface Refusal {
  readonly why: string;
  readonly remedy: string;
}

const WAIT =
  "Only an agent that every other one has missed for cluster.deadAfter can be given up by command: wait, and " +
  "try again.";
const ITSELF: Refusal = {
  why: "is the one that was asked",
  remedy:
    "`trobar leave` takes it out of the crawl; ask another agent to give it up once it is dead.",
};
const UNKNOWN: Refusal = {
  why: "is not known",
  remedy: "`trobar peers` lists the agents, with their ids.",
};

export class Forgetting {
  readonly #parts: ForgettingParts;
  readonly #core: Core;
  readonly #changes: RingChanges;
  #orders: Order[] = [];

  constructor(parts: ForgettingParts) {
    const { core, changes } = parts;
    this.#parts = parts;
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
    const { table, clock, life } = this.#core;
    const place = table.get(id)?.place;
    if (id === life.id) clock.after(0, () => done(refused(id, ITSELF), undefined));
    else if (place === undefined) clock.after(0, () => done(refused(id, UNKNOWN), undefined));
    else if (!this.#isDead(place) && this.#hasLostVote(place))
      this.#strike(id, (heldBy) => done(null, heldBy));
    else {
      const lists = { agreed: new Set<string>(), asked: new Set<string>() };
      this.#orders.push({ place, done, isOrder: false, isCarriedOut: false, ...lists });
    }
  }

  tick(): void {
    for (const order of this.#orders) this.#tick(order);
  }

  #tick(order: Order): void {
    const { detector, clock } = this.#core;
    if (order.isCarriedOut) return;
    if (!this.#isDead(order.place)) {
      this.#end(order, this.#heard(order.place));
      return;
    }
    const others = detector.present(clock.nowMs()).filter(({ id }) => id !== order.place.id);
    const waiting = others.filter(({ place }) => !order.agreed.has(placeText(place)));
    for (const { place } of waiting) this.#ask(order, place);
    if (waiting.length > 0) return;
    if (order.isOrder) {
      order.isCarriedOut = true;
      this.#strike(order.place.id, () => this.#end(order, others.length + 1));
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
      else this.#end(order, { why: `is heard by ${place.id}`, remedy: WAIT });
    });
  }

  /** Why it cannot be given up yet. */
  #heard(place: Place): Refusal {
    const { table, clock, settings } = this.#core;
    const silentMs = clock.nowMs() - (table.at(place)?.silentSinceMs ?? 0);
    const [silent, needed] = [silentMs, settings.deadAfterMs].map((ms) => seconds(ms));
    const why =
      silentMs > settings.deadAfterMs
        ? "is heard by another agent"
        : `was heard ${silent} s ago, and is not dead before it has been silent for ${needed} s`;
    return { why, remedy: WAIT };
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

  /** It is there, and has lost the disk that knew its votes: only its vote is forgotten (P2). */
  #hasLostVote({ id, generation }: Place): boolean {
    const { electorate, core } = this.#parts;
    const elector = electorate.electors.find((one) => one.id === id);
    if (elector === undefined || !electorate.isFenced) return false;
    return elector.generation < generation && core.table.get(id)?.isVoter !== true;
  }

  /** Its vote does not count any more (P2); `done` when this is durable, with how many agents know. */
  #strike(id: AgentId, done: (heldBy: number) => void): void {
    const { electorate, configuration, core } = this.#parts;
    if (!electorate.electors.some((one) => one.id === id)) {
      core.file.whenSaved(() => done(1));
      return;
    }
    configuration.setElectors(electorate.without(id), (error, heldBy) => {
      // If another change was made at the same moment, this one is made again.
      if (error !== null) this.#strike(id, done);
      else done(heldBy);
    });
  }

  #giveUp(place: Place): void {
    const entry = this.#core.table.at(place);
    if (entry !== undefined && !entry.isGivenUp) this.#changes.giveUp(entry);
  }

  #end(order: Order, how: Refusal | number): void {
    if (!this.#orders.includes(order)) return;
    this.#orders = this.#orders.filter((other) => other !== order);
    if (typeof how === "number") order.done(null, how);
    else order.done(refused(order.place.id, how), undefined);
  }
}

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}

function refused(id: AgentId, { why, remedy }: Refusal): CrawlError {
  const message = `The agent ${id} was not given up: it ${why}. ${remedy}`;
  return new CrawlError("CLUSTER_FORGET_REFUSED", message, { id, why });
}
