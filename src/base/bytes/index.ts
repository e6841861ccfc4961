/**
 * Memory that grows with what is put into it. A crawl of some pages then takes no megabytes when it
 * begins, and neither does each of its lanes.
 *
 * Read `grown-bytes.ts` first; it is all there is.
 */
export { grownBuffer, grownBytes } from "./grown-bytes.ts";
