/**
 * What an agent does that is asked to sync (B2): it puts the sender into its ring if that joins, lets
 * custody hand over what belongs to the sender, and says that it is done when all of it has been
 * acknowledged. Joining agents answer too, or two of them would wait for each other.
 *
 * The sender repeats its question until then. One that is not repeated is dropped: its sender is gone,
 * or wants something else, and what is asked of an agent keeps it from being idle. An agent may be joining
 * and taking over at once, so its last question of each kind is kept; one that was asked before that, and
 * comes late, is not answered.
 */
import { type Place, type Sender, samePlace } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import type { Electorate } from "../majority/electorate.ts";
import type { Majority } from "../majority/majority.ts";
import type { Absence } from "../membership-listener.ts";
import {
  type RingRow,
  type SeedCount,
  SYNC,
  type Sync,
  type SyncReply,
} from "../membership-messages.ts";
import type { RingChanges } from "../view/ring-changes.ts";

interface Request {
  readonly place: Place;
  readonly incarnation: number;
  readonly number: number;
  askedAtMs: number;
  isBegun: boolean;
  isHandedOver: boolean;
}

export interface SyncAnswersParts {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly majority: Majority;
  readonly electorate: Electorate;
  readonly seeds: () => readonly SeedCount[];
  /** Whether this agent waits for more of them before it founds the crawl. */
  readonly isShort: () => boolean;
  /** Whom this agent waits for. */
  readonly absences: () => readonly Absence[];
}

export class SyncAnswers {
  readonly #parts: SyncAnswersParts;
  readonly #core: Core;
  /** The last request of each kind, of each agent. */
  readonly #requests = new Map<string, Request>();
  #begun = 0;

  constructor(parts: SyncAnswersParts) {
    this.#parts = parts;
    this.#core = parts.core;
    this.#core.messenger.serve(SYNC, (from, sync, respond) => this.#answer(from, sync, respond));
  }

  /** How many requests are being worked on. */
  get open(): number {
    return [...this.#requests.values()].filter(({ isHandedOver }) => !isHandedOver).length;
  }

  /** How many requests there were in all. */
  get begun(): number {
    return this.#begun;
  }

  /** Drops what was not repeated. */
  tick(): void {
    const sinceMs = this.#core.clock.nowMs() - this.#core.times.requestKeptMs;
    for (const [key, { askedAtMs }] of this.#requests) {
      if (askedAtMs < sinceMs) this.#requests.delete(key);
    }
  }

  #answer(from: Sender, sync: Sync, respond: (reply: SyncReply) => void): void {
    const { table, file, listener } = this.#core;
    const { changes, majority } = this.#parts;
    const entry = table.at(from.place);
    // A life that must begin anew does not join.
    if (entry === undefined || (sync.isJoin && majority.isCondemned(entry))) return;
    const request = this.#requestOf(from, sync);
    if (request === null) return;
    for (const place of sync.givenUp) {
      changes.named(place);
      this.#agree(place);
    }
    if (sync.isJoin && !entry.isInRing) changes.admit(entry);
    if (!request.isBegun && sync.givenUp.every((place) => this.#isGone(place))) {
      request.isBegun = true;
      listener.handOver(request.place, () => {
        request.isHandedOver = true;
      });
    }
    // What is said is what is durable when it is said, so it is put together before.
    const reply = this.#reply(sync, request);
    if (reply.isDone) file.whenSaved(() => respond(reply));
    else respond(reply);
  }

  /** Null for a question that the sender has replaced by another one since. */
  #requestOf({ place, incarnation }: Sender, { number, isJoin }: Sync): Request | null {
    const key = `${place.id} ${isJoin ? "joins" : "takes over"}`;
    const known = this.#requests.get(key);
    const isSameLife =
      known !== undefined && samePlace(known.place, place) && known.incarnation === incarnation;
    if (isSameLife && known.number > number) return null;
    const askedAtMs = this.#core.clock.nowMs();
    const isSame = isSameLife && known.number === number;
    const request = isSame
      ? known
      : { place, incarnation, number, askedAtMs, isBegun: false, isHandedOver: false };
    if (!isSame) this.#begun += 1;
    request.askedAtMs = askedAtMs;
    this.#requests.set(key, request);
    return request;
  }

  /** Whether the place owns nothing by the own view: only then others own what it had. */
  #isGone(place: Place): boolean {
    const { life, table } = this.#core;
    // Of itself an agent knows that it leaves before anybody else does.
    if (place.id === life.id) return place.generation < life.generation || !life.isInRing;
    return table.at(place)?.isInRing !== true;
  }

  /** Somebody takes over what the place had. If it is dead to this agent too, it is given up here as well. */
  #agree(place: Place): void {
    const entry = this.#core.table.at(place);
    // With a fence the majority decides; a leaver is taken over without being given up.
    const isOurs = !this.#parts.electorate.isFenced && entry?.state !== "leaving";
    if (entry !== undefined && isOurs) entry.isTakenOver = true;
  }

  #reply({ number }: Sync, { isBegun, isHandedOver: isDone }: Request): SyncReply {
    // Nobody takes part in a crawl that has not begun, so nobody is established by its founder.
    const isEstablished = this.#core.life.isEstablished && !this.#parts.isShort();
    const { isVoter } = this.#parts.electorate;
    const elapsedMs = this.#core.listener.elapsedMs();
    const said = { number, isDone, isBegun, isEstablished, isVoter, elapsedMs };
    if (!isDone) return { ...said, ring: [], absences: [], seeds: [], condemned: [] };
    const { seeds, majority, absences } = this.#parts;
    const { condemned } = majority;
    return { ...said, ring: this.#ring(), absences: absences(), seeds: seeds(), condemned };
  }

  #ring(): RingRow[] {
    const { life, table, detector, clock } = this.#core;
    const nowMs = clock.nowMs();
    const others = table.entries().filter(({ isInRing }) => isInRing);
    const rows = others.map((entry) => {
      const { place, incarnation, capacity } = entry;
      const isDead = detector.standingOf(entry, nowMs) === "dead";
      return { place, incarnation, capacity, isDead };
    });
    // Who is joining will ask for itself to be put into the ring.
    if (life.state !== "active") return rows;
    const { place, incarnation, capacity } = life;
    return [...rows, { place, incarnation, capacity, isDead: false }];
  }
}
