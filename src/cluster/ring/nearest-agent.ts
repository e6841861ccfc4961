/**
 * Who is nearest to a place of the circle, in either direction. The two neighbours of the place are
 * found by binary search among the points that begin with the same bits; the nearer of them has it. When both are equally near, or when points
 * coincide, the agent with the smaller number, hence the smaller id, has it.
 *
 * Places and distances are pairs of unsigned halves: this runs for every link of every page, and a
 * BigInt would be an allocation. Other columns were measured: docs/adr/0059.
 */
import type { Circle } from "./circle.ts";

/** A place of the circle: its high half, then its low half. */
export type Place = Uint32Array;

/** The number of the agent; the circle has a point at least. Allocates nothing. */
export function nearestAgent(circle: Circle, place: Place): number {
  const { agents } = circle;
  const after = pointsBefore(circle, place);
  const right = after === agents.length ? 0 : after;
  const last = after === 0 ? agents.length - 1 : after - 1;
  // Of points that coincide the first has the smallest number.
  const left = last + 1 - coinciding(circle, last, -1);
  const side = compareDistances(circle, place, left, right);
  const ofLeft = agents[left] as number;
  const ofRight = agents[right] as number;
  if (side === 0) return Math.min(ofLeft, ofRight);
  return side < 0 ? ofLeft : ofRight;
}

/**
 * The numbers of all agents, each when the first of its points is met on a walk from the place in
 * both directions at once. So the order of two agents does not depend on who else is there.
 */
export function* agentsOutward(circle: Circle, place: Place): Generator<number, void> {
  const { agents, ids } = circle;
  const points = agents.length;
  const met = new Uint8Array(ids.length);
  const start = pointsBefore(circle, place);
  const tied: number[] = [];
  let waiting = ids.length;
  let passedLeft = 0;
  let passedRight = 0;
  const meet = (at: number): void => {
    const agent = agents[at] as number;
    if (met[agent] === 0) tied.push(agent);
    met[agent] = 1;
  };
  while (waiting > 0) {
    const left = (start + points - 1 - passedLeft) % points;
    const right = (start + passedRight) % points;
    const side = compareDistances(circle, place, left, right);
    const toLeft = side <= 0 ? coinciding(circle, left, -1) : 0;
    const toRight = side >= 0 ? coinciding(circle, right, 1) : 0;
    for (let step = 0; step < toLeft; step += 1) meet(left - step);
    for (let step = 0; step < toRight; step += 1) meet(right + step);
    passedLeft += toLeft;
    passedRight += toRight;
    if (tied.length === 0) continue;
    waiting -= tied.length;
    yield* tied.sort((one, other) => one - other);
    tied.length = 0;
  }
}

/** How many points come before the place, counted from zero of the circle. */
function pointsBefore({ highs, lows, starts, shift }: Circle, place: Place): number {
  const high = place[0] as number;
  const low = place[1] as number;
  let from = starts[high >>> shift] as number;
  let to = starts[(high >>> shift) + 1] as number;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const other = highs[middle] as number;
    const isBefore = other < high || (other === high && (lows[middle] as number) < low);
    if (isBefore) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** How many points, from point `at` on in one direction, lie where it lies; itself included. */
function coinciding({ highs, lows }: Circle, at: number, step: 1 | -1): number {
  let next = at + step;
  while (highs[next] === highs[at] && lows[next] === lows[at]) next += step;
  return (next - at) * step;
}

/** Negative when point `left`, to the left of the place, is nearer than `right`, to the right. */
function compareDistances(
  { highs, lows }: Circle,
  place: Place,
  left: number,
  right: number,
): number {
  const high = place[0] as number;
  const low = place[1] as number;
  const leftLow = lows[left] as number;
  const rightLow = lows[right] as number;
  const toLeft = (high - (highs[left] as number) - Number(low < leftLow)) >>> 0;
  const toRight = ((highs[right] as number) - high - Number(rightLow < low)) >>> 0;
  if (toLeft !== toRight) return toLeft - toRight;
  return ((low - leftLow) >>> 0) - ((rightLow - low) >>> 0);
}
