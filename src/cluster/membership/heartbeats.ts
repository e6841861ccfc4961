/**
 * Signs of life. Each agent tells all others, once in a while and whenever something of it has changed,
 * that it is there, what it is doing, whom it misses, and what it holds; and learns the same of them.
 */
import type { Sender } from "../messages/index.ts";
import type { Core } from "./core.ts";
import type { Majority } from "./majority.ts";
import type { MemberEntry } from "./member-table.ts";
import { BEAT, type Beat, REJOIN } from "./membership-messages.ts";
import type { RingChanges } from "./ring-changes.ts";

export interface HeartbeatParts {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly majority: Majority;
  readonly seedsHash: () => string;
  /** Somebody has said what it holds. */
  readonly heard: (entry: MemberEntry) => void;
}

export class Heartbeats {
  readonly #parts: HeartbeatParts;
  readonly #core: Core;
  #dueAtMs: number = Number.NEGATIVE_INFINITY;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#core = parts.core;
    this.#core.messenger.serve(BEAT, (from, beat, respond) => {
      respond(null);
      this.#take(from, beat);
    });
  }

  /** Tells all, and again after the usual time. */
  beat(): void {
    const { life, messenger, detector, clock, settings } = this.#core;
    if (!life.isPresent || life.configuration === null) return;
    const nowMs = clock.nowMs();
    const { majority } = this.#parts;
    this.#dueAtMs = nowMs + settings.heartbeatMs;
    messenger.tell(BEAT, {
      state: life.memberState,
      isFull: life.isFull,
      seedsHash: this.#parts.seedsHash(),
      configuration: life.configuration.version,
      missing: detector.missing(nowMs),
      heard: detector.vouchedFor(nowMs),
      number: majority.nextBeat(),
      seats: majority.seats,
    });
  }

  tick(): void {
    // A tick that comes a little too early must not make the next beat late by a whole tick.
    const { clock, times } = this.#core;
    if (clock.nowMs() >= this.#dueAtMs - times.tickMs / 2) this.beat();
  }

  #take({ place }: Sender, beat: Beat): void {
    const { table, detector, clock } = this.#core;
    const { changes, heard } = this.#parts;
    for (const named of [...beat.missing.map((one) => one.place), ...beat.heard]) {
      changes.named(named);
    }
    detector.learn(beat.missing, beat.heard, clock.nowMs());
    const entry = table.at(place);
    // What a late beat says of its sender is no longer true.
    if (entry === undefined || beat.number < entry.beat) return;
    this.#parts.majority.heard(entry, beat);
    entry.seedsHash = beat.seedsHash;
    entry.configuration = beat.configuration;
    const isAnother = entry.state !== beat.state || entry.isFull !== beat.isFull;
    entry.state = beat.state;
    entry.isFull = beat.isFull;
    if (beat.state === "leaving" && entry.isInRing) changes.withdraw(entry);
    else if (isAnother) changes.changed();
    if (beat.state === "active") this.#takeActive(entry);
    heard(entry);
  }

  /** It owns hosts, by its own view. Unless it does here as well, it is told to join again (G4). */
  #takeActive(entry: MemberEntry): void {
    const { life, messenger, times, file } = this.#core;
    if (entry.isInRing) {
      if (entry.seat === "taken") return;
      entry.seat = "taken";
      file.changed();
    } else if (life.state === "active" || entry.isGivenUp) {
      const { place, incarnation } = entry;
      const question = { body: { place, incarnation }, timeoutMs: times.replyMs };
      messenger.ask(place, REJOIN, question, () => undefined);
    }
  }
}
