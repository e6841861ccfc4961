/**
 * The two distributions that measurements of the web keep finding. How often pages are linked to
 * falls with their rank like a power of it; sizes are log-normal (Barford and Crovella, 1998).
 *
 * The rank exponent is 0.95, which gives an in-degree with exponent 1 + 1 / 0.95 = 2.05 within one
 * large host and, over hosts of all sizes, between 2.1 and 2.4; measured was 2.1 (Broder and
 * others, "Graph structure in the Web", 2000). With 0.95 the inverse of the cumulative distribution is a
 * twentieth power: a rank costs five multiplications, and is the same on every machine.
 */

/** How wide the twentieth roots of ranks below `count` are spread; made once for many draws. */
export function rankSpread(count: number): number {
  return (count + 1) ** 0.05 - 1;
}

/** A rank in [0, count), small ones most often; `unit` is in [0, 1). */
export function drawRank(unit: number, spread: number, count: number): number {
  const root = 1 + unit * spread;
  const square = root * root;
  const fourth = square * square;
  const eighth = fourth * fourth;
  return Math.min(count - 1, Math.floor(eighth * eighth * fourth) - 1);
}

/**
 * Spreads ranks over the numbers below `count`, one to one; rank 0 stays 0. A prime larger than
 * any count has no factor in common with it.
 */
export function spreadRank(rank: number, count: number): number {
  return (rank * SPREADING_PRIME) % count;
}

const SPREADING_PRIME = 2_654_435_761;

export interface LogNormal {
  readonly median: number;
  /** Standard deviation of the logarithm. */
  readonly spread: number;
  readonly max: number;
}

const QUANTILES = 4096;

/** Quantiles of the distribution, so that a draw is one look-up. */
export class LogNormalTable {
  readonly #quantiles: Float64Array;

  constructor({ median, spread, max }: LogNormal) {
    this.#quantiles = NORMAL_QUANTILES.map((z) => Math.min(max, median * Math.exp(spread * z)));
  }

  /** The value that a word in [0, 2^32) chooses. */
  choose(word: number): number {
    return this.#quantiles[word >>> 20] ?? 0;
  }

  get mean(): number {
    return this.#quantiles.reduce((sum, value) => sum + value, 0) / QUANTILES;
  }
}

/** Quantiles of the standard normal distribution at (i + 1/2) / 4096, by summing its density. */
const NORMAL_QUANTILES: Float64Array = normalQuantiles();

function normalQuantiles(): Float64Array {
  const step = 1 / 1024;
  const quantiles = new Float64Array(QUANTILES);
  let cumulative = 0;
  let filled = 0;
  for (let z = -8; z < 8 && filled < QUANTILES; z += step) {
    cumulative += (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * step;
    while (filled < QUANTILES && cumulative >= (filled + 0.5) / QUANTILES) {
      quantiles[filled] = z;
      filled += 1;
    }
  }
  return quantiles.fill(4, filled);
}
