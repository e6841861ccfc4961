/**
 * What somebody who watches a crawl changes about one host while it runs: block it, purge it, give it
 * another delay.
 *
 * A host that is *blocked* is asked nothing more, not even for its robots.txt. Its URLs stay where they
 * are, and those found later join them, so that nothing is lost if the block is lifted; a crawl that
 * has nothing else left is over. (A host of `politeness.blockHosts` is refused instead.) To *purge* a
 * host is to refuse all URLs of it that wait now.
 */
import type { HostName } from "../../../formats/url/index.ts";
import type { HostQueues } from "../../queues/index.ts";
import { politeHost } from "../../ticket/index.ts";
import type { ChangedHost, HostChange, RefusedSeed } from "../frontier.ts";
import type { DepthBook } from "../visits/depth-book.ts";
import type { EndedUrls } from "../visits/ended-urls.ts";
import type { RobotsDesk, RobotsTask } from "../visits/robots-desk.ts";
import type { HostLedger } from "./host-ledger.ts";
import type { HostRules } from "./host-rules.ts";
import type { HostEnd } from "./state/visit-home.ts";
import type { VisitState } from "./state/visit-state.ts";
import type { VisitStates } from "./state/visit-states.ts";
import type { Tally } from "./tally.ts";

export interface HostChangesParts {
  readonly ledger: HostLedger;
  readonly states: VisitStates;
  readonly queues: HostQueues;
  readonly rules: HostRules;
  readonly robots: RobotsDesk;
  readonly tally: Tally;
  readonly ended: EndedUrls;
  /** Null without a depth limit. */
  readonly depths: DepthBook | null;
  readonly seedRefused: (refused: RefusedSeed) => void;
  /** Whether another process waits for what becomes of each URL; then none is purged. */
  readonly isAsked: boolean;
}

const BLOCKED: HostEnd = { kind: "refused", reason: "host-blocked" };

export class HostChanges {
  readonly #parts: HostChangesParts;

  constructor(parts: HostChangesParts) {
    this.#parts = parts;
  }

  change(name: HostName, { isBlocked, delayMs, purge = false }: HostChange): ChangedHost {
    const { rules } = this.#parts;
    const host = politeHost(name);
    const number = this.#parts.ledger.find(host);
    const state = number === null ? null : this.#parts.states.find(number);
    rules.change(host, { isBlocked, delayMs });
    const purged = purge && number !== null ? this.#purge(number, state) : 0;
    if (state !== null) this.#applyTo(state);
    return {
      isKnown: number !== null,
      isBlocked: rules.isBlocked(host),
      delayMs: rules.of(host).hostDelayMs,
      ...{ purged, waiting: number === null ? 0 : this.#waitingAt(number) },
    };
  }

  /** How many URLs wait at hosts that are blocked. */
  get blockedUrls(): number {
    let urls = 0;
    for (const host of this.#parts.rules.blockedHosts) {
      const number = this.#parts.ledger.find(host as HostName);
      if (number !== null) urls += this.#waitingAt(number);
    }
    return urls;
  }

  /**
   * Returns how many URLs were refused. One that has ended, as a process that was killed has seen to, is
   * told apart only in memory; among those that are queued it is refused too.
   */
  #purge(number: number, state: VisitState | null): number {
    const { queues, tally, ended, depths, seedRefused, isAsked } = this.#parts;
    if (isAsked || state?.phase === "ending") return 0;
    let count = queues.drop(number);
    const tickets = state?.tickets;
    for (let next = tickets?.takeAny(); next != null; next = tickets?.takeAny()) {
      if (ended.drops(next, number)) continue;
      count += 1;
      depths?.ended(next);
      if (next.via === null) seedRefused({ ticket: next, reason: "host-purged", cause: null });
    }
    tally.refused("host-purged", count);
    return count;
  }

  #applyTo(state: VisitState): void {
    const { rules, robots } = this.#parts;
    const politeness = rules.of(state.host);
    // Other hosts do not wait for a robots.txt that a blocked one has.
    if (politeness.isBlocked === true) {
      for (const task of foreignTasks(state)) robots.fail(task, BLOCKED);
    }
    state.politeness = politeness;
  }

  #waitingAt(number: number): number {
    const { queues, states } = this.#parts;
    return queues.count(number) + (states.find(number)?.tickets.count ?? 0);
  }
}

/** The robots.txt files that were to be fetched here for other hosts, taken out. */
function foreignTasks(state: VisitState): readonly RobotsTask[] {
  return state.robots.takeTasks(({ owner, told }) => owner !== state || told !== undefined);
}
