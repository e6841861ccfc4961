/**
 * The points of some agents on a circle of 2^64 places, in order. Two sets of points are joined, and
 * an agent is taken off, by one pass over columns that are sorted already.
 *
 * Invariant: points ascend; points that coincide are all there, in the order of their agents' ids. A
 * circle never changes.
 */
import assert from "node:assert/strict";
import type { AgentId } from "../../base/transport/index.ts";

/** Columns of one length. A point takes ten bytes; as BigInts they would be garbage to look at. */
export interface Points {
  /** Ascending. An agent's number is its place here, so the smaller number has the smaller id. */
  readonly ids: readonly AgentId[];
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  /** The number of the agent whose point it is. */
  readonly agents: Uint16Array;
}

/** Points that can be searched quickly; the table takes two to four bytes a point more. */
export interface Circle extends Points {
  /** How many points come before the places that begin with these bits, for each value of them. */
  readonly starts: Uint32Array;
  /** How far the high half of a place is shifted to leave these bits. */
  readonly shift: number;
}

const AGENTS_MAX = 65_536;
const TABLE_BITS_MAX = 24;

/** Room for `count` points. */
export function blankPoints(ids: readonly AgentId[], count: number): Points {
  assert(ids.length <= AGENTS_MAX, "a circle has at most 65,536 agents");
  return {
    ids,
    highs: new Uint32Array(count),
    lows: new Uint32Array(count),
    agents: new Uint16Array(count),
  };
}

/** Makes the table; it has about as many entries as there are points. */
export function circleOf(points: Points): Circle {
  const { highs } = points;
  const bits = Math.min(TABLE_BITS_MAX, Math.max(1, Math.floor(Math.log2(highs.length))));
  const shift = 32 - bits;
  const starts = new Uint32Array(2 ** bits + 1);
  let before = 0;
  for (let value = 0; value < starts.length; value += 1) {
    while (before < highs.length && (highs[before] as number) >>> shift < value) before += 1;
    starts[value] = before;
  }
  return { ...points, starts, shift };
}

/** The points of the agents of both, of which none is in both. */
export function joined(one: Points, other: Points): Points {
  const ids = [...one.ids, ...other.ids].sort(byBytes);
  const points = blankPoints(ids, one.agents.length + other.agents.length);
  const numbers = new Map(ids.map((id, number) => [id, number]));
  assert(numbers.size === ids.length, "an agent is on a circle once");
  const numberOf = (id: AgentId): number => numbers.get(id) as number;
  const left = { points: one, numbers: Uint16Array.from(one.ids, numberOf), at: 0 };
  const right = { points: other, numbers: Uint16Array.from(other.ids, numberOf), at: 0 };
  for (let at = 0; at < points.agents.length; at += 1) {
    move(isFirst(left, right) ? left : right, points, at);
  }
  return points;
}

/** The points of all agents of the list, each of which is in one part of it. */
export function joinedAll(parts: readonly Points[]): Points {
  const [first, second] = parts;
  if (first === undefined) return blankPoints([], 0);
  if (second === undefined) return first;
  const half = parts.length >> 1;
  return joined(joinedAll(parts.slice(0, half)), joinedAll(parts.slice(half)));
}

/** The points of all agents but one of them. */
export function withoutAgent(points: Points, id: AgentId): Points {
  const { ids, agents } = points;
  const gone = ids.indexOf(id);
  assert(gone >= 0, "an agent that is taken off a circle is on it");
  const count = agents.reduce((sum, agent) => (agent === gone ? sum : sum + 1), 0);
  const rest = blankPoints(ids.toSpliced(gone, 1), count);
  const numbers = Uint16Array.from(ids, (_, number) => number - Number(number > gone));
  const source = { points, numbers, at: 0 };
  for (let at = 0; at < count; at += 1) {
    while (agents[source.at] === gone) source.at += 1;
    move(source, rest, at);
  }
  return rest;
}

/** Points that are copied to others, one after the other. */
interface Source {
  readonly points: Points;
  /** The new number of each agent. */
  readonly numbers: Uint16Array;
  at: number;
}

/** Whether the next point of `one` comes before the next one of `other`. */
function isFirst(one: Source, other: Source): boolean {
  if (one.at === one.points.agents.length) return false;
  if (other.at === other.points.agents.length) return true;
  const byHigh = (one.points.highs[one.at] as number) - (other.points.highs[other.at] as number);
  if (byHigh !== 0) return byHigh < 0;
  const byLow = (one.points.lows[one.at] as number) - (other.points.lows[other.at] as number);
  return byLow === 0 ? agentOf(one) < agentOf(other) : byLow < 0;
}

function agentOf({ points, numbers, at }: Source): number {
  return numbers[points.agents[at] as number] as number;
}

/** Copies the next point of `source` to place `at` of `points`. */
function move(source: Source, points: Points, at: number): void {
  points.highs[at] = source.points.highs[source.at] as number;
  points.lows[at] = source.points.lows[source.at] as number;
  points.agents[at] = agentOf(source);
  source.at += 1;
}

/** Permitted ids are ASCII, for which this is the order of their bytes. */
function byBytes(one: AgentId, other: AgentId): number {
  return one < other ? -1 : Number(one > other);
}
