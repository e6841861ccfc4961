/**
 * Who could not know of whom, and when: agents that were down, stopped, or cut off from others, as the
 * faults of a schedule have made them. What agents do while they are apart, and for a while afterwards, is
 * judged less strictly; which pairs that is about is as narrow here as it can be.
 */

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Parting extends Span {
  readonly parts: (one: string, other: string) => boolean;
}

/** For so long after agents can hear each other again they may not have agreed yet. */
const HEALING_MS = 6000;

export class Absences {
  readonly #partings: Parting[] = [];
  readonly #away = new Map<string, Span[]>();

  /** These, a group, cannot be heard by all others for this time. */
  partGroup(group: readonly string[], span: Span): void {
    const inside = new Set(group);
    this.#partings.push({ ...span, parts: (one, other) => inside.has(one) !== inside.has(other) });
  }

  /** These can hear nobody at all. */
  isolate(ids: readonly string[], span: Span): void {
    const alone = new Set(ids);
    this.#partings.push({ ...span, parts: (one, other) => alone.has(one) || alone.has(other) });
  }

  partPair([one, other]: readonly string[], span: Span): void {
    const both = new Set([one, other]);
    this.#partings.push({ ...span, parts: (a, b) => both.has(a) && both.has(b) });
  }

  /** The agent does nothing: its process is down or stopped. */
  isAway(id: string, span: Span): void {
    const spans = this.#away.get(id) ?? [];
    this.#away.set(id, [...spans, span]);
  }

  /** Whether two agents could not hear each other at this moment, or have not agreed since. */
  areApart(one: string, other: string, atMs: number): boolean {
    return this.#partings.some(
      ({ fromMs, toMs, parts }) => atMs >= fromMs && atMs <= toMs + HEALING_MS && parts(one, other),
    );
  }

  /**
   * The same for what each of them holds: agents that were parted for so long that they may have given each
   * other up tell that anew, as one does that was away.
   */
  areStrange(one: string, other: string, atMs: number, patienceMs: number): boolean {
    const wereLong = this.#partings.some(
      ({ fromMs, toMs, parts }) =>
        toMs - fromMs >= patienceMs &&
        atMs >= fromMs &&
        atMs <= toMs + 2 * HEALING_MS &&
        parts(one, other),
    );
    return wereLong || this.areApart(one, other, atMs);
  }

  /** Whether two agents cannot hear each other directly at this moment, and could not for a while. */
  areCutOff(one: string, other: string, atMs: number, forMs: number): boolean {
    return this.#partings.some(
      ({ fromMs, toMs, parts }) => atMs >= fromMs + forMs && atMs <= toMs && parts(one, other),
    );
  }

  /**
   * Whether an agent was away for so long that others may have given it up, and not been back for long
   * enough to have told what it holds.
   */
  wasGivenUp(id: string, atMs: number, patienceMs: number): boolean {
    let beganMs = 0;
    let endedMs = Number.NEGATIVE_INFINITY;
    const spans = (this.#away.get(id) ?? []).toSorted((one, other) => one.fromMs - other.fromMs);
    for (const { fromMs, toMs } of spans) {
      if (fromMs > atMs) break;
      // Away again before anybody has heard it: away all the time.
      if (fromMs > endedMs + HEALING_MS) beganMs = fromMs;
      endedMs = Math.max(endedMs, toMs);
      const isLong = Math.min(endedMs, atMs) - beganMs >= patienceMs;
      if (isLong && atMs <= endedMs + 2 * HEALING_MS) return true;
    }
    return false;
  }
}
