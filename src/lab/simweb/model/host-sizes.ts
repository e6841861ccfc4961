/** How many URLs each host has: Zipf's law over the hosts in their order; host 0 is the largest. */
import type { Profile } from "../profile/profile.ts";

/**
 * Sizes that fall with the rank to the profile's power, at least 1 and at most `pagesMax`, and add
 * up to about `pages`. The factor is found by halving; a hundred thousand hosts take milliseconds.
 */
export function hostSizes({ count, pages, exponent, pagesMax }: Profile["hosts"]): Uint32Array {
  const weights = Float64Array.from({ length: count }, (_, rank) =>
    exponent === 1 ? 1 / (rank + 1) : (rank + 1) ** -exponent,
  );
  const sizeBy = (factor: number, weight: number) =>
    Math.max(1, Math.min(pagesMax, Math.floor(factor * weight)));
  let low = 0;
  let high = pages;
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (const weight of weights) sum += sizeBy(middle, weight);
    if (sum > pages) high = middle;
    else low = middle;
  }
  return Uint32Array.from(weights, (weight) => sizeBy(low, weight));
}
