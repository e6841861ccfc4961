/**
 * Why a page was fetched again. The judge looks at the disks at the moment of the request: a page that no
 * disk has was lost with one, or with the unsynced tail of one; a page that some disk has was out of reach,
 * or the fetch could have been avoided.
 */
import type { Absences } from "./absences.ts";
import type { SimMachine } from "./sim-machine.ts";
import type { Visit } from "./visit-judge.ts";

export const CAUSES = [
  "lost with the disk",
  "unsynced tail",
  "holder was down",
  "both sides crawled",
  "left behind",
  "avoidable",
] as const;

export type Cause = (typeof CAUSES)[number];

export interface FetchCausesParts {
  readonly machines: () => Iterable<SimMachine>;
  readonly absences: Absences;
  /** After a silence of this length an agent may be given up. */
  readonly patienceMs: number;
  /** Which of its disks an agent has. */
  readonly diskOf: (id: string) => number;
  /** Whether somebody has given the agent up by command. */
  readonly wasForgotten: (id: string) => boolean;
  readonly hasLostDisk: () => boolean;
}

export class FetchCauses {
  readonly counts: Map<Cause, number> = new Map();
  /** Fetches that could have been avoided, in words. */
  readonly avoidable: string[] = [];
  readonly #parts: FetchCausesParts;

  constructor(parts: FetchCausesParts) {
    this.#parts = parts;
  }

  add(visit: Visit, before: readonly Visit[]): void {
    const cause = this.#causeOf(visit, before);
    this.counts.set(cause, (this.counts.get(cause) ?? 0) + 1);
    if (cause !== "avoidable") return;
    const who = before.map(({ agent, beganAtMs }) => `${agent} at ${beganAtMs.toFixed(0)}`);
    this.avoidable.push(
      `${visit.agent} fetched ${visit.url} at ${visit.beganAtMs.toFixed(0)} after ${who.join(", ")}`,
    );
  }

  #causeOf(visit: Visit, before: readonly Visit[]): Cause {
    const { machines } = this.#parts;
    const holders = [...machines()].filter((machine) => machine.has(visit.url));
    const members = holders.filter(({ isMember }) => isMember);
    // Whoever asked last and lives may not have written the page down yet.
    const writers = before.filter((earlier) => this.#isWriting(earlier));
    if (members.length + writers.length > 0) {
      const reasons = [...members.map(({ id }) => id), ...writers.map(({ agent }) => agent)].map(
        (id) => this.#outOfReach(visit, id),
      );
      return reasons.find((reason) => reason === null) === null
        ? "avoidable"
        : (reasons[0] ?? "avoidable");
    }
    if (holders.length > 0) return this.#leftBy(holders, visit);
    const { diskOf } = this.#parts;
    const isDiskLost = before.some(({ agent, disk }) => disk !== diskOf(agent));
    return isDiskLost ? "lost with the disk" : "unsynced tail";
  }

  /** Whoever leaves while it is cut off from all others can bring them nothing. */
  #leftBy(leavers: readonly SimMachine[], { agent }: Visit): Cause {
    const { absences, patienceMs } = this.#parts;
    const wasApart = ({ id, wentAtMs }: SimMachine): boolean =>
      absences.areStrange(id, agent, wentAtMs, patienceMs);
    return leavers.every(wasApart) ? "both sides crawled" : "left behind";
  }

  /** Why the asker could not know of the copy of this agent; null if it could. */
  #outOfReach({ agent, beganAtMs }: Visit, holder: string): Cause | null {
    const { absences, patienceMs, wasForgotten, hasLostDisk } = this.#parts;
    const wasAway = (id: string): boolean =>
      absences.wasGivenUp(id, beganAtMs, wasForgotten(id) ? 0 : patienceMs);
    if (holder !== agent && absences.areStrange(holder, agent, beganAtMs, patienceMs))
      return "both sides crawled";
    if (wasAway(holder)) return "holder was down";
    // It has told that it is gone before it knew that a disk is which it had brought its pages to.
    if (hasLostDisk() && this.#machine(holder)?.isLeaving === true) return "left behind";
    return null;
  }

  #isWriting(earlier: Visit): boolean {
    const machine = this.#machine(earlier.agent);
    return machine?.isUp === true && machine.wentAtMs < earlier.beganAtMs && machine.isMember;
  }

  #machine(id: string): SimMachine | undefined {
    for (const machine of this.#parts.machines()) if (machine.id === id) return machine;
    return undefined;
  }
}
