/**
 * Who is there. An agent that is silent is suspected, then dead, then overdue: it may be given up,
 * unless somebody else hears it. Silence is measured by the monotonic clock of the listener.
 *
 * *Vouching* (G6): a heartbeat names the places that its sender misses. Whoever hears one of them
 * directly says so in its own heartbeats, and a place that somebody else hears is not given up. Only
 * what was heard directly is said, or two agents would vouch for a dead one for ever. It counts for as long
 * as a silence that is not death, so that it outlasts late and lost heartbeats; that delays no giving up,
 * if that comes a few beats later than death. While nobody is missing both lists are empty, so that heartbeats stay small however many agents there are.
 */
import { type Place, placeText } from "../../messages/index.ts";
import type { Told } from "../membership-listener.ts";
import type { LifeNamed } from "../membership-messages.ts";
import { type MembershipSettings, type MembershipTimes, timesOf } from "../membership-settings.ts";
import { MEMBERS_MAX, type MemberEntry, type MemberTable } from "./member-table.ts";

/** How an agent seems to be, from outside. */
export type Standing = "alive" | "suspect" | "dead" | "given-up";

/** An agent that has ended is given up later than others, by as many times as long as death takes. */
const ENDING_DEATHS = 4;

/** What this agent knows, and what others were told by it, that can make work (T2). */
export interface OwnKnowledge {
  knowledge(): string;
  toldTo(place: Place): Told | null;
}

export class FailureDetector {
  readonly #table: MemberTable;
  readonly #settings: MembershipSettings;
  readonly #times: MembershipTimes;
  readonly #own: OwnKnowledge;
  /** Places that somebody misses, and until when that is worth an answer. */
  readonly #asked = new Map<string, { readonly place: Place; readonly untilMs: number }>();

  constructor(table: MemberTable, settings: MembershipSettings, own: OwnKnowledge) {
    this.#own = own;
    this.#table = table;
    this.#settings = settings;
    this.#times = timesOf(settings);
  }

  standingOf(entry: MemberEntry, nowMs: number): Standing {
    if (entry.isGivenUp) return "given-up";
    const silentMs = nowMs - entry.silentSinceMs;
    if (silentMs > this.#settings.deadAfterMs) return "dead";
    return silentMs > this.#settings.suspectAfterMs ? "suspect" : "alive";
  }

  /**
   * Whether answers are waited for: not dead, or given up and heard again. If partitions are fenced,
   * one that others hear is waited for as well: it may go on fetching.
   */
  isLive(entry: MemberEntry, nowMs: number): boolean {
    const { deadAfterMs, partition } = this.#settings;
    if (nowMs - entry.silentSinceMs <= deadAfterMs) return true;
    return partition === "fence" && entry.vouchedUntilMs >= nowMs;
  }

  /**
   * Whether it has ended with the crawl, knowing all that is known here, and was told nothing since, so that
   * nobody need wait for it (T2). One that said so to an earlier process only may be about to start again, and is waited for as long as
   * anybody who is away.
   */
  hasEnded(entry: MemberEntry, nowMs: number): boolean {
    const { endedWith, toldAtEnd, saidEnd, silentSinceMs, place } = entry;
    if (endedWith === null || endedWith !== this.#own.knowledge()) return false;
    if (toldAtEnd === null || toldAtEnd !== this.#own.toldTo(place)?.entries) return false;
    return saidEnd || nowMs - silentSinceMs > this.#settings.giveUpAfterMs;
  }

  /** All of whom answers are waited for; not those who were only named. */
  present(nowMs: number): MemberEntry[] {
    return this.#table
      .entries()
      .filter((entry) => this.isLive(entry, nowMs) && (entry.isInRing || entry.wasHeard))
      .filter((entry) => !this.hasEnded(entry, nowMs));
  }

  /** Whether it was heard directly a moment ago. */
  hears(entry: MemberEntry, nowMs: number): boolean {
    return nowMs - entry.heardAtMs <= this.#times.listenMs;
  }

  /** Whom this agent misses, for its heartbeat. */
  missing(nowMs: number): LifeNamed[] {
    return this.#table
      .entries()
      .filter((entry) => !entry.isGivenUp && !this.hears(entry, nowMs))
      .map(({ place, incarnation }) => ({ place, incarnation }));
  }

  /** Whom it hears of those that others miss, for its heartbeat. */
  vouchedFor(nowMs: number): Place[] {
    for (const [text, { untilMs }] of this.#asked) if (untilMs < nowMs) this.#asked.delete(text);
    return [...this.#asked.values()]
      .map(({ place }) => place)
      .filter((place) => {
        const entry = this.#table.at(place);
        return entry !== undefined && this.hears(entry, nowMs);
      });
  }

  /** What a heartbeat of another agent says about third ones. */
  learn(missing: readonly LifeNamed[], heard: readonly Place[], nowMs: number): void {
    // What somebody says counts until that one would be dead itself: beats may be late on all links at once.
    const untilMs = nowMs + this.#settings.deadAfterMs;
    for (const { place } of missing) this.#ask(place, untilMs);
    for (const place of heard) {
      const entry = this.#table.at(place);
      if (entry !== undefined) entry.vouchedUntilMs = untilMs;
    }
  }

  #ask(place: Place, untilMs: number): void {
    const text = placeText(place);
    if (this.#asked.size < MEMBERS_MAX || this.#asked.has(text)) {
      this.#asked.set(text, { place, untilMs });
    }
  }

  /** Places to be given up for their silence: who is dead, if others have given it up, and see to its hosts. */
  overdue(nowMs: number): MemberEntry[] {
    const { giveUpAfterMs, deadAfterMs } = this.#settings;
    return this.#table.entries().filter((entry) => {
      if (entry.isGivenUp || entry.vouchedUntilMs >= nowMs) return false;
      const afterMs = entry.isTakenOver ? deadAfterMs : giveUpAfterMs;
      // Time to end without it, before its pages are fetched again.
      const graceMs = this.hasEnded(entry, nowMs) ? ENDING_DEATHS * deadAfterMs : 0;
      return nowMs - entry.silentSinceMs > afterMs + graceMs;
    });
  }
}
