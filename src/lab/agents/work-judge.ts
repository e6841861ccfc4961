/** The judge of work counters (T1): whoever was idle and is not has counted something since. */
import type { ClusterNode } from "../../cluster/node/index.ts";
import type { SimMachine } from "./sim-machine.ts";

export class WorkJudge {
  readonly #idle = new Map<ClusterNode, number>();

  /** Looks at all agents again; null, or which of them has work that it has not counted. */
  look(machines: Iterable<SimMachine>): string | null {
    for (const { id, agent } of machines) {
      const node = agent?.node ?? null;
      if (node === null) continue;
      const before = this.#idle.get(node);
      // Who is silent is dead from one moment to the next, which counts when it is noticed.
      const isWhole = [...node.view.members()].every(({ standing }) => standing === "alive");
      if (node.isIdle) this.#idle.set(node, node.changes);
      else if (isWhole && before === node.changes)
        return `${id} is not idle, and has counted nothing`;
    }
    return null;
  }
}
