/**
 * Claim: the linear-time engine costs less than a microsecond for a pattern and a URL. Printed is
 * its cost beside JavaScript's own, which backtracks, as a ratio for patterns as people write them,
 * and for one on which backtracking is slow. Patterns that are lists of words skip the engine. The
 * figures stand behind docs/adr/0012.
 *
 *     node bench/regular-expression.ts
 */
import { FILTER_PLACES, loadFilter } from "../src/rules/filter/index.ts";
import { compare } from "./support/rounds.ts";
import { benchPages } from "./support/urls.ts";

const pages = benchPages(50_000, 1);

const PATTERNS: readonly { readonly pattern: string; readonly promised: number }[] = [
  // Lists of words: compared as strings.
  { pattern: "login", promised: 0.5 },
  { pattern: "^https://www\\.news", promised: 0.5 },
  { pattern: "\\.(jpg|png|gif|pdf)$", promised: 0.5 },
  // The engine.
  { pattern: "^https://[^/]*\\.it/", promised: 0.1 },
  { pattern: "[?&]page=[0-9]+", promised: 0.1 },
  { pattern: "(news|shop|article)[0-9]+/", promised: 0.05 },
  { pattern: "/20[0-9]{2}/.*\\.html$", promised: 0.05 },
  // Where backtracking is already quadratic on innocent URLs.
  { pattern: ".*/wiki/.*[0-9]+\\.html", promised: 2 },
];

for (const { pattern, promised } of PATTERNS) {
  const filter = await loadFilter(`URLMatches('${pattern}')`, FILTER_PLACES.fetch);
  const native = new RegExp(pattern);
  const count = (accepts: (href: (typeof pages)[number]) => boolean) => () =>
    pages.filter(accepts).length;
  compare({
    name: pattern,
    rounds: 7,
    ours: count(filter.accepts),
    reference: count((page) => native.test(page.href)),
    promised,
  });
}
