/**
 * How good the order of a crawl was, in two measures that do not depend on its size.
 *
 * *By depth*: of all pairs of pages of different depth, the share that was fetched with the
 * shallower one first. 1 is breadth-first, 1/2 is no order, 0 is the reverse. Politeness keeps
 * a crawl of few hosts from being breadth-first over all of them, so it is told within hosts too.
 *
 * *By in-links*: pages to which many links lead should come early. The share of all in-links covered
 * after each page makes a curve; the measure is where the area below it lies between that of a
 * random order (0) and that of the best order (1).
 */

export interface OrderFacts {
  /** Null where there is nothing to compare. */
  readonly byDepth: number | null;
  readonly byDepthWithinHosts: number | null;
  readonly byInLinks: number | null;
}

/** Deeper pages count as this deep: a trap may lead down for ever. */
const DEPTH_MAX = 1023;

export class OrderExaminer {
  readonly #all = new DepthOrder();
  readonly #hosts = new Map<number, DepthOrder>();
  readonly #inLinks: number[] = [];

  /** Pages in the order of their first fetch. */
  see(hostId: number, depth: number | null, inLinks: number): void {
    this.#inLinks.push(inLinks);
    if (depth === null) return;
    let host = this.#hosts.get(hostId);
    if (host === undefined) {
      host = new DepthOrder();
      this.#hosts.set(hostId, host);
    }
    this.#all.add(Math.min(depth, DEPTH_MAX));
    host.add(Math.min(depth, DEPTH_MAX));
  }

  facts(): OrderFacts {
    let right = 0;
    let wrong = 0;
    for (const host of this.#hosts.values()) {
      right += host.right;
      wrong += host.wrong;
    }
    return {
      byDepth: share(this.#all.right, this.#all.wrong),
      byDepthWithinHosts: share(right, wrong),
      byInLinks: inLinkQuality(this.#inLinks),
    };
  }
}

/** Counts pairs in right and wrong order, by how many pages of each depth have come. */
class DepthOrder {
  right = 0;
  wrong = 0;
  readonly #counts: number[] = [];

  add(depth: number): void {
    for (let other = 0; other < this.#counts.length; other += 1) {
      const count = this.#counts[other] ?? 0;
      if (other < depth) this.right += count;
      else if (other > depth) this.wrong += count;
    }
    while (this.#counts.length <= depth) this.#counts.push(0);
    this.#counts[depth] = (this.#counts[depth] ?? 0) + 1;
  }
}

function share(right: number, wrong: number): number | null {
  return right + wrong === 0 ? null : right / (right + wrong);
}

export function inLinkQuality(inLinks: readonly number[]): number | null {
  const best = curveArea([...inLinks].sort((one, other) => other - one));
  const random = (inLinks.length + 1) / 2;
  if (best === null || best - random < 1e-9) return null;
  return ((curveArea(inLinks) ?? 0) - random) / (best - random);
}

/** The sum over all pages of the share of in-links covered by then; null when there are none. */
function curveArea(inLinks: readonly number[]): number | null {
  let had = 0;
  let sum = 0;
  for (const count of inLinks) {
    had += count;
    sum += had;
  }
  return had === 0 ? null : sum / had;
}
