/** Points that are chosen, and what they must answer, computed from the definition. */
import type { AgentId } from "../../base/transport/index.ts";
import { blankPoints, joinedAll, type Points } from "./circle.ts";

const CIRCLE = 1n << 64n;

/** The points of each agent, by id. */
export type Chosen = Readonly<Record<AgentId, readonly bigint[]>>;

export function pointsOf(chosen: Chosen): Points {
  return joinedAll(Object.entries(chosen).map(([id, own]) => lone(id, own)));
}

function lone(id: AgentId, own: readonly bigint[]): Points {
  const points = blankPoints([id], own.length);
  const sorted = own.toSorted((one, other) => Number(one > other) - Number(one < other));
  for (const [at, point] of sorted.entries()) {
    points.highs[at] = Number(point >> 32n);
    points.lows[at] = Number(point & 0xffffffffn);
  }
  return points;
}

/** The points as `agent:place`, in their order. */
export function listed({ ids, highs, lows, agents }: Points): string[] {
  return [...agents].map((agent, at) => {
    const point = (BigInt(highs[at] ?? 0) << 32n) | BigInt(lows[at] ?? 0);
    return `${ids[agent]}:${point.toString(16)}`;
  });
}

export function placeAt(point: bigint): Uint32Array {
  return Uint32Array.of(Number(point >> 32n), Number(point & 0xffffffffn));
}

/** All agents by the distance of their nearest point, then by id. */
export function orderByDefinition(chosen: Chosen, place: bigint): AgentId[] {
  const distances = Object.entries(chosen).map(([id, own]) => ({
    id,
    distance: own.map((point) => distance(point, place)).reduce((a, b) => (a < b ? a : b)),
  }));
  return distances
    .sort(
      (one, other) =>
        Number(one.distance > other.distance) - Number(one.distance < other.distance) ||
        Number(one.id > other.id) - Number(one.id < other.id),
    )
    .map(({ id }) => id);
}

function distance(one: bigint, other: bigint): bigint {
  const right = (one - other + CIRCLE) % CIRCLE;
  const left = (other - one + CIRCLE) % CIRCLE;
  return left < right ? left : right;
}
