/** Amounts of what is limited and lent: pages and bytes. They move together, in one transfer. */
import { type Codec, codec } from "../../topology/items/index.ts";

export interface Amounts {
  readonly pages: number;
  readonly bytes: number;
}

export type Currency = keyof Amounts;

export const CURRENCIES: readonly Currency[] = ["pages", "bytes"];

export const NO_AMOUNTS: Amounts = { pages: 0, bytes: 0 };

export const AMOUNTS: Codec<Amounts> = codec.struct<Amounts>({
  pages: codec.count,
  bytes: codec.count,
});

export function amountsOf(each: (currency: Currency) => number): Amounts {
  return { pages: each("pages"), bytes: each("bytes") };
}

export function plus(one: Amounts, other: Amounts): Amounts {
  return amountsOf((currency) => one[currency] + other[currency]);
}

export function minus(one: Amounts, other: Amounts): Amounts {
  return amountsOf((currency) => one[currency] - other[currency]);
}

export function isNothing({ pages, bytes }: Amounts): boolean {
  return pages === 0 && bytes === 0;
}
