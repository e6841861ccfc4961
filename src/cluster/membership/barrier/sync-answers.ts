/**
 * What an agent does that is asked to sync (B2): it puts the sender into its ring if that joins, lets
 * custody hand over what belongs to the sender, and says that it is done when all of it has been
 * acknowledged. Joining agents answer too, or two of them would wait for each other.
 *
 * The sender repeats its question until then. One that is not repeated is dropped: its sender is gone,
 * or wants something else, and what is asked of an agent keeps it from being idle.
 */
import type { AgentId } from "../../../base/transport/index.ts";
import { type Place, type Sender, samePlace } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import type { MemberEntry } from "../member-table.ts";
import {
  type RingRow,
  type SeedCount,
  SYNC,
  type Sync,
  type SyncReply,
} from "../membership-messages.ts";
import type { RingChanges } from "../ring-changes.ts";

interface Request {
  readonly place: Place;
  readonly incarnation: number;
  readonly number: number;
  askedAtMs: number;
  isBegun: boolean;
  isHandedOver: boolean;
}

export class SyncAnswers {
  readonly #core: Core;
  readonly #changes: RingChanges;
  readonly #seeds: () => readonly SeedCount[];
  /** The last request of each agent. */
  readonly #requests = new Map<AgentId, Request>();

  constructor(core: Core, changes: RingChanges, seeds: () => readonly SeedCount[]) {
    this.#core = core;
    this.#changes = changes;
    this.#seeds = seeds;
    core.messenger.serve(SYNC, (from, sync, respond) => this.#answer(from, sync, respond));
  }

  /** How many requests are being worked on. */
  get open(): number {
    return [...this.#requests.values()].filter(({ isHandedOver }) => !isHandedOver).length;
  }

  /** Drops what was not repeated. */
  tick(): void {
    const sinceMs = this.#core.clock.nowMs() - this.#core.times.requestKeptMs;
    for (const [id, { askedAtMs }] of this.#requests) {
      if (askedAtMs < sinceMs) this.#requests.delete(id);
    }
  }

  #answer(from: Sender, sync: Sync, respond: (reply: SyncReply) => void): void {
    const { table, file } = this.#core;
    const entry = table.at(from.place);
    if (entry === undefined) return;
    for (const place of sync.givenUp) this.#changes.named(place);
    if (sync.isJoin && !entry.isInRing) this.#changes.admit(entry);
    const request = this.#requestOf(from, sync.number);
    if (!request.isBegun && sync.givenUp.every((place) => this.#isGone(place))) {
      this.#begin(request, sync.isJoin ? entry : null);
    }
    if (request.isHandedOver) file.whenSaved(() => respond(this.#reply(sync, true)));
    else respond(this.#reply(sync, false));
  }

  #requestOf({ place, incarnation }: Sender, number: number): Request {
    const askedAtMs = this.#core.clock.nowMs();
    const known = this.#requests.get(place.id);
    const isSame =
      known?.number === number &&
      known.incarnation === incarnation &&
      samePlace(known.place, place);
    const request = isSame
      ? known
      : { place, incarnation, number, askedAtMs, isBegun: false, isHandedOver: false };
    request.askedAtMs = askedAtMs;
    this.#requests.set(place.id, request);
    return request;
  }

  /** `joiner` may be active as soon as it has been answered: it has a seat from then on (P2). */
  #begin(request: Request, joiner: MemberEntry | null): void {
    request.isBegun = true;
    this.#core.listener.handOver(request.place, () => {
      request.isHandedOver = true;
      if (joiner === null || joiner.seat !== "none" || !joiner.isInRing) return;
      joiner.seat = "granted";
      this.#core.file.changed();
    });
  }

  /** Whether the place owns nothing by the own view: only then others own what it had. */
  #isGone(place: Place): boolean {
    const { life, table } = this.#core;
    if (place.id === life.id) return place.generation < life.generation;
    return table.at(place)?.isInRing !== true;
  }

  #reply({ number }: Sync, isDone: boolean): SyncReply {
    const { isEstablished, isSeated } = this.#core.life;
    if (!isDone) return { number, isDone, isEstablished, isSeated, ring: [], seeds: [] };
    return { number, isDone, isEstablished, isSeated, ring: this.#ring(), seeds: this.#seeds() };
  }

  #ring(): RingRow[] {
    const { life, table } = this.#core;
    const others = table.entries().filter(({ isInRing }) => isInRing);
    const rows = others.map(({ place, incarnation, capacity, seat }) => {
      return { place, incarnation, capacity, isSeated: seat === "taken" };
    });
    // Who is joining will ask for itself to be put into the ring.
    if (life.state !== "active") return rows;
    const { place, incarnation, capacity, isSeated } = life;
    return [...rows, { place, incarnation, capacity, isSeated }];
  }
}
