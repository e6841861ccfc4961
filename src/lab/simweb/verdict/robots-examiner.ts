/** Whether robots.txt was asked before anything else of a host, and again when it was old. */
import type { AccessEntry } from "../serve/access-log.ts";
import type { SinList } from "./sin.ts";
import type { VerdictRules } from "./verdict-rules.ts";
import { urlOf } from "./visit-examiner.ts";

export class RobotsExaminer {
  readonly #rules: VerdictRules;
  readonly #sins: SinList;
  /** When robots.txt was last answered, by host. */
  readonly #hadMs = new Map<number, number>();
  #fetches = 0;

  constructor(rules: VerdictRules, sins: SinList) {
    this.#rules = rules;
    this.#sins = sins;
  }

  get fetches(): number {
    return this.#fetches;
  }

  /** A request for robots.txt itself. Only an answer that settles the matter opens the host. */
  seeRobots(entry: AccessEntry): void {
    this.#fetches += 1;
    const isAnswer = entry.status > 0 && entry.status < 500;
    if (entry.isRobots && isAnswer) this.#hadMs.set(entry.hostId, entry.endMs);
  }

  seePage(entry: AccessEntry): void {
    const { obeysRobots, robotsMaxAgeMs } = this.#rules;
    if (!obeysRobots) return;
    const hadMs = this.#hadMs.get(entry.hostId);
    if (hadMs === undefined || hadMs > entry.startMs) {
      const detail = hadMs === undefined ? "it had not been answered" : "it was still on its way";
      this.#sins.add("robots-not-first", () => ({ what: urlOf(entry), detail }));
    } else if (entry.startMs - hadMs > robotsMaxAgeMs) {
      this.#sins.add("robots-stale", () => ({
        what: urlOf(entry),
        detail: `it was ${Math.round(entry.startMs - hadMs)} ms old`,
      }));
    }
  }
}
