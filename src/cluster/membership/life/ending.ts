/**
 * How an agent ends with its crawl (T2). When all know that the crawl has ended, each tells the others that
 * it stops, and what it knew: its seeds, and the version of the configuration. From then on it stops,
 * whatever comes, so that this stays true. Whoever hears it writes it down, and waits for that agent no more
 * as long as it knows nothing else itself: neither with the end, if somebody has joined meanwhile and it goes
 * on, nor with a barrier. If it knows more by then, as when seeds have come, that agent is away like any
 * other.
 *
 * An agent stops when all who are there have the word, and it has theirs; it waits for some beats, since
 * others may go on.
 */
import assert from "node:assert/strict";
import { placeText } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import { ENDED } from "../membership-messages.ts";
import type { MemberEntry } from "../view/member-table.ts";
import type { RingChanges } from "../view/ring-changes.ts";

/** It waits for the others no longer than this, or than until a silent one would be suspected. */
const ENDING_BEATS = 4;

export interface EndingParts {
  readonly core: Core;
  readonly changes: RingChanges;
  /** Stands for what this agent knows that can make work. */
  readonly knowledge: () => string;
}

export class Ending {
  readonly #parts: EndingParts;
  /** Who has the word of this agent. */
  readonly #told = new Set<string>();
  #beganAtMs: number | null = null;
  #knowledge = "";
  #done: (() => void) | null = null;

  constructor(parts: EndingParts) {
    const { core, changes } = parts;
    this.#parts = parts;
    core.messenger.serve(ENDED, ({ place }, { knowledge }, respond) => {
      const entry = core.table.at(place);
      if (entry === undefined) return;
      const isNews = entry.endedWith !== knowledge || !entry.saidEnd;
      const told = core.listener.toldTo(place);
      entry.endedWith = knowledge;
      entry.toldAtEnd = told?.isTaken === true ? told.entries : null;
      entry.saidEnd = true;
      if (isNews) changes.changed();
      core.file.whenSaved(() => respond(null));
      this.#look();
    });
  }

  /** The crawl has ended: tells the others, once and for all; `done` when this agent may stop. */
  begin(done: () => void): void {
    assert(this.#beganAtMs === null, "an agent ends once");
    this.#done = done;
    this.#beganAtMs = this.#parts.core.clock.nowMs();
    this.#knowledge = this.#parts.knowledge();
    this.tick();
  }

  tick(): void {
    if (this.#beganAtMs === null) return;
    const { messenger, times } = this.#parts.core;
    const question = { body: { knowledge: this.#knowledge }, timeoutMs: times.replyMs };
    for (const { place } of this.#there()) {
      if (this.#told.has(placeText(place))) continue;
      messenger.ask(place, ENDED, question, (replied) => {
        if (replied.kind === "reply") this.#told.add(placeText(place));
        this.#look();
      });
    }
    this.#look();
  }

  #there(): MemberEntry[] {
    const { clock, detector, table } = this.#parts.core;
    const nowMs = clock.nowMs();
    const isThere = (entry: MemberEntry): boolean =>
      entry.wasHeard && detector.standingOf(entry, nowMs) === "alive";
    return table.entries().filter(isThere);
  }

  /** Whether it may stop. */
  #look(): void {
    if (this.#beganAtMs === null || this.#done === null) return;
    const { clock, settings, file } = this.#parts.core;
    const isOver = this.#there().every(
      ({ place, saidEnd }) => saidEnd && this.#told.has(placeText(place)),
    );
    const { heartbeatMs, suspectAfterMs } = settings;
    const patienceMs = Math.max(ENDING_BEATS * heartbeatMs, suspectAfterMs);
    const isLate = clock.nowMs() - this.#beganAtMs >= patienceMs;
    if (isLate) this.#stop();
    // Whoever has told this agent is answered first.
    else if (isOver) file.whenSaved(() => clock.after(0, () => this.#stop()));
  }

  #stop(): void {
    this.#done?.();
    this.#done = null;
  }
}
