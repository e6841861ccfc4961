/** Sizes in bytes: `10Mi` is 10 × 1,048,576; `10M` is 10,000,000. A closing `B` may be written. */
import { type Measure, type Parsed, parseMagnitude, printMagnitude } from "./magnitude.ts";

/** A whole number of bytes. An alias, so that arithmetic stays plain; the name is for readers. */
export type Bytes = number;

export const KIB: Bytes = 2 ** 10;
export const MIB: Bytes = 2 ** 20;
export const GIB: Bytes = 2 ** 30;
const TIB: Bytes = 2 ** 40;

const BINARY = [
  ["Ti", TIB],
  ["Gi", GIB],
  ["Mi", MIB],
  ["Ki", KIB],
] as const;
const DECIMAL = [
  ["T", 1e12],
  ["G", 1e9],
  ["M", 1e6],
  ["k", 1e3],
] as const;

const SUFFIXES: readonly (readonly [string, number])[] = [
  ...BINARY,
  ...DECIMAL,
  ["K", 1e3],
  ["", 1],
];

const BYTE_SIZE: Measure = {
  factors: new Map(
    SUFFIXES.flatMap(([suffix, factor]) => [
      [suffix, factor],
      [`${suffix}B`, factor],
    ]),
  ),
  name: "size",
  of: "of bytes",
  examples: "500, 64Ki, 10Mi, 1Gi",
  units: "k, M, G, T, Ki, Mi, Gi, Ti",
};

export function parseBytes(text: string): Parsed {
  return parseMagnitude(text, BYTE_SIZE);
}

/** Whole and not negative. Powers of two are preferred, as is usual for memory and files. */
export function printBytes(bytes: Bytes): string {
  return printMagnitude(bytes, [...BINARY, ...DECIMAL]);
}
