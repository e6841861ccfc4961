/**
 * How much of the circle belongs to each agent: the share of hosts that it gets if they are many.
 * Between two neighbouring points each has the half that is nearer to it.
 */
import type { AgentId } from "../../base/transport/index.ts";
import type { IsIn, Ring } from "./ring.ts";

const HALF_BITS = 2 ** 32;
const CIRCLE = 2 ** 64;

/** The share of every member that the view has, by id, ascending; together they are 1. */
export function arcShares(ring: Ring, isIn: IsIn = () => true): Map<AgentId, number> {
  const { ids, highs, lows, agents } = ring.circle;
  const accepted = ids.map((id) => isIn(id));
  const shares = new Float64Array(ids.length);
  let first = -1;
  let last = -1;
  const divide = (from: number, to: number): void => {
    const high = (highs[to] as number) - (highs[from] as number);
    const low = (lows[to] as number) - (lows[from] as number);
    // From the last point to the first it goes across zero; a single point has the whole circle.
    const arc = high * HALF_BITS + low + (to <= from ? CIRCLE : 0);
    for (const end of [from, to]) {
      const agent = agents[end] as number;
      shares[agent] = (shares[agent] as number) + arc / CIRCLE / 2;
    }
  };
  for (let at = 0; at < agents.length; at += 1) {
    if (accepted[agents[at] as number] !== true) continue;
    // Of points that coincide only the first, which has the smallest id, is ever the nearest.
    if (last >= 0 && highs[at] === highs[last] && lows[at] === lows[last]) continue;
    if (last >= 0) divide(last, at);
    else first = at;
    last = at;
  }
  if (last >= 0) divide(last, first);
  const pairs = ids.map((id, agent) => [id, shares[agent] as number] as const);
  return new Map(pairs.filter((_, agent) => accepted[agent] === true));
}
