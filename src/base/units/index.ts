/**
 * Units: how people write numbers, sizes and spans of time, and how the code represents them.
 *
 * A configuration says `100k`, `10Mi`, `250ms`; the code holds whole numbers of things, bytes and
 * milliseconds, and nothing else. Reading never throws: it gives the number, or a refusal that says
 * what is wrong with the text. Reading is exact (no rounding, nothing beyond 2^53), and what is
 * printed reads back as the same number.
 *
 * | kind     | suffixes                        | in code            |
 * |----------|---------------------------------|--------------------|
 * | count    | k M G, Ki Mi Gi                 | a whole number     |
 * | bytes    | k M G T, Ki Mi Gi Ti, then B    | `Bytes`            |
 * | duration | ms s m h d                      | `Ms`, milliseconds |
 *
 * Read `magnitude.ts` first; the other three only choose the suffixes.
 */
export { type Bytes, GIB, KIB, MIB, parseBytes, printBytes } from "./byte-size.ts";
export { MILLION, parseCount, printCount, THOUSAND } from "./count.ts";
export {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type Ms,
  parseDuration,
  printDuration,
  SECOND_MS,
} from "./duration.ts";
export type { Parsed } from "./magnitude.ts";
