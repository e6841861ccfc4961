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
      if (node.isIdle) this.#idle.set(node, node.changes);
      else if (this.#idle.get(node) === node.changes && isWhole(node))
        return `${id} is not idle, and has counted nothing`;
    }
    return null;
  }
}

/** Who is silent is dead from one moment to the next, which counts when it is noticed. */
function isWhole({ view }: ClusterNode): boolean {
  return [...view.members()].every(({ standing }) => standing === "alive");
}
