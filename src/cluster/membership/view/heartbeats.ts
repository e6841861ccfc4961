/**
 * Signs of life. Each agent tells all others, once in a while and whenever something of it has changed,
 * that it is there, what it is doing, whom it misses, and what it holds; and learns the same of them.
 */
import type { Sender } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import type { Majority } from "../majority/majority.ts";
import { BEAT, type Beat, REJOIN } from "../membership-messages.ts";
import type { ConfigurationVersion } from "../shared/shared-configuration.ts";
import type { MemberEntry } from "./member-table.ts";
import type { RingChanges } from "./ring-changes.ts";

export interface HeartbeatParts {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly majority: Majority;
  readonly seedsHash: () => string;
  /** The version of the configuration that is durable here. */
  readonly configuration: () => ConfigurationVersion;
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
    this.#core.messenger.serve(BEAT, (from, beat) => this.#take(from, beat));
  }

  /** Tells all, and again after the usual time. */
  beat(): void {
    const { life, messenger, detector, clock, settings } = this.#core;
    if (!life.isPresent) return;
    const nowMs = clock.nowMs();
    const { majority } = this.#parts;
    this.#dueAtMs = nowMs + settings.heartbeatMs;
    messenger.tell(BEAT, {
      state: life.memberState,
      isFull: life.isFull,
      seedsHash: this.#parts.seedsHash(),
      configuration: this.#parts.configuration(),
      missing: detector.missing(nowMs),
      heard: detector.vouchedFor(nowMs),
      number: majority.nextBeat(),
      vote: majority.vote,
    });
  }

  tick(): void {
    // A tick that comes a little too early must not make the next beat late by a whole tick.
    const { clock, times } = this.#core;
    if (clock.nowMs() >= this.#dueAtMs - times.tickMs / 2) this.beat();
  }

  #take({ place }: Sender, beat: Beat): void {
    const { table, detector, clock } = this.#core;
    const { changes, heard, majority } = this.#parts;
    for (const named of [...beat.missing.map((one) => one.place), ...beat.heard]) {
      changes.named(named);
    }
    for (const life of beat.missing) majority.missed(life, () => changes.mention(life.place));
    detector.learn(beat.missing, beat.heard, clock.nowMs());
    const entry = table.at(place);
    // What a late beat says of its sender is no longer true.
    if (entry === undefined || beat.number < entry.beat) return;
    entry.beat = beat.number;
    majority.heard(entry, beat.vote);
    entry.seedsHash = beat.seedsHash;
    entry.configuration = beat.configuration;
    const isAnother = entry.state !== beat.state || entry.isFull !== beat.isFull;
    entry.state = beat.state;
    entry.isFull = beat.isFull;
    if (beat.state === "leaving" && entry.isInRing) changes.withdraw(entry);
    else if (isAnother) changes.changed();
    if (this.#mustRejoin(entry)) this.#tellToRejoin(entry);
    heard(entry);
  }

  /** Whether it believes to own hosts and does not here, or can never be supported again (G4, P2). */
  #mustRejoin(entry: MemberEntry): boolean {
    const { life, settings } = this.#core;
    // It has said that it is gone, and waits until all others know.
    if (entry.state === "leaving" && entry.hasLeft) return false;
    if (settings.partition === "fence" && entry.isCondemned) return true;
    // What a leaver hands over is not taken if it was given up before it had said that it is gone.
    if (entry.state === "leaving") return entry.isGivenUp;
    if (entry.state !== "active" || entry.isInRing) return false;
    return life.state === "active" || entry.isGivenUp;
  }

  #tellToRejoin({ place, incarnation }: MemberEntry): void {
    const { messenger, times } = this.#core;
    const question = { body: { place, incarnation }, timeoutMs: times.replyMs };
    messenger.ask(place, REJOIN, question, () => undefined);
  }
}
