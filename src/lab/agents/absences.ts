/**
 * Who could not know of whom, and when: agents that were down, stopped, or cut off from others, as the
 * faults of a schedule have made them. What agents do while they are apart, and for a while afterwards, is
 * judged less strictly; which pairs that is about is as narrow here as it can be. What is too short for
 * anybody to seem dead excuses nothing, nor does anything before somebody can.
 */

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Parting extends Span {
  readonly parts: (one: string, other: string) => boolean;
}

/** Nobody seems dead, and can be given up by command, before: silences come with late messages at both ends. */
const NOTICED_MS = 3000;
/** For so long after agents can hear each other again they may not have agreed yet. */
const HEALING_MS = 6000;
/** For so long after that an agent may not have told what it holds. */
const TELLING_MS = 12_000;

export class Absences {
  readonly #tellingMs: number;
  readonly #partings: Parting[] = [];
  readonly #stops: Parting[] = [];
  readonly #away = new Map<string, Span[]>();
  readonly #gone = new Map<string, Span[]>();

  constructor(tellingMs: number = TELLING_MS) {
    this.#tellingMs = tellingMs;
  }

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

  /** The agent does nothing: its process is down. */
  isAway(id: string, span: Span): void {
    addTo(this.#away, id, span);
  }

  /** It has left, and all have given it up at its own word, however soon it is back with its disk. */
  isGone(id: string, span: Span): void {
    addTo(this.#gone, id, span);
  }

  /**
   * The process is stopped, and wakes up with old plans. That excuses nothing but what its absence does: before
   * it does anything it must know that others may have taken its hosts over (B5).
   */
  isStopped(id: string, span: Span): void {
    this.#stops.push({ ...span, parts: (one, other) => one === id || other === id });
    this.isAway(id, span);
  }

  /** Whether two agents may not know of each other at this moment: they were parted, and have not agreed since. */
  areApart(one: string, other: string, atMs: number): boolean {
    return lasts(this.#parted(one, other), atMs, NOTICED_MS, HEALING_MS);
  }

  /**
   * The same for what each of them holds: agents that were parted for so long that they may have given each
   * other up tell that anew, as one does that was away.
   */
  areStrange(one: string, other: string, atMs: number, patienceMs: number): boolean {
    const parted = this.#parted(one, other);
    return lasts(parted, atMs, patienceMs, this.#tellingMs) || this.areApart(one, other, atMs);
  }

  /** Whether two agents cannot hear each other directly at this moment, and could not for a while. */
  areCutOff(one: string, other: string, atMs: number, forMs: number): boolean {
    return [...this.#partings, ...this.#stops].some(
      ({ fromMs, toMs, parts }) => atMs >= fromMs + forMs && atMs <= toMs && parts(one, other),
    );
  }

  /**
   * Whether an agent was away for so long that others may have given it up, and not been back for long
   * enough to have told what it holds.
   */
  wasGivenUp(id: string, atMs: number, patienceMs: number): boolean {
    const isIn = (spans: readonly Span[] = [], leastMs: number): boolean =>
      lasts(spans, atMs, leastMs, this.#tellingMs);
    return isIn(this.#away.get(id), patienceMs) || isIn(this.#gone.get(id), 0);
  }

  #parted(one: string, other: string): readonly Span[] {
    return this.#partings.filter(({ parts }) => parts(one, other));
  }
}

function addTo(spans: Map<string, Span[]>, id: string, span: Span): void {
  spans.set(id, [...(spans.get(id) ?? []), span]);
}

/** Whether one of these has lasted for so long by now, and is not over for longer than that. */
function lasts(spans: readonly Span[], atMs: number, leastMs: number, afterMs: number): boolean {
  let beganMs = 0;
  let endedMs = Number.NEGATIVE_INFINITY;
  for (const { fromMs, toMs } of spans.toSorted((one, other) => one.fromMs - other.fromMs)) {
    if (fromMs > atMs) break;
    // Again before anybody has heard it: all the time.
    if (fromMs > endedMs + HEALING_MS) beganMs = fromMs;
    endedMs = Math.max(endedMs, toMs);
    const isLong = Math.min(endedMs, atMs) - beganMs >= leastMs;
    if (isLong && atMs <= endedMs + afterMs) return true;
  }
  return false;
}
