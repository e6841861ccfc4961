/** Numbers of things: `100k` is 100,000 and `64Ki` is 65,536. */
import { type Measure, type Parsed, parseMagnitude, printMagnitude } from "./magnitude.ts";

export const THOUSAND = 1000;
export const MILLION: number = 1000 * THOUSAND;
const BILLION = 1000 * MILLION;

const COUNT: Measure = {
  factors: new Map([
    ["", 1],
    ["k", THOUSAND],
    ["K", THOUSAND],
    ["M", MILLION],
    ["G", BILLION],
    ["Ki", 2 ** 10],
    ["Mi", 2 ** 20],
    ["Gi", 2 ** 30],
  ]),
  name: "number",
  of: "",
  examples: "50, 100k, 2M",
  units: "k, M, G, Ki, Mi, Gi",
};

export function parseCount(text: string): Parsed {
  return parseMagnitude(text, COUNT);
}

/** Whole and not negative. */
export function printCount(count: number): string {
  return printMagnitude(count, [
    ["G", BILLION],
    ["M", MILLION],
    ["k", THOUSAND],
  ]);
}
