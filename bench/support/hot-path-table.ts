/** The table of the hot path: what each stage is to cost, what it adds, what it costs alone. */
import { STAGES, type Stage } from "./hot-path-stages.ts";

/** Microseconds of processor time for each page. */
const BUDGET = 450;

/** What each stage is to cost, and what it is. */
const SHARES: Readonly<Record<Stage, readonly [share: number, what: string]>> = {
  resolve: [10, "resolve: DNS, once a visit"],
  fetch: [110, "fetch: HTTP/1.1, body in memory"],
  extract: [90, "extract: charset, links, text"],
  digests: [60, "digests: stripped page, SimHash"],
  parse: [20, "parse: SHA-1, headers, directives"],
  links: [40, "links: URL, key, fingerprint"],
  archive: [110, "archive: two WARC records, gzip"],
  log: [10, "log: one line"],
};

/** Stages that contain the one before them, also when they are measured alone. */
const WITHIN: Readonly<Partial<Record<Stage, Stage>>> = { digests: "extract", parse: "digests" };

/** Measured beside the stages, on the same bodies. */
const PARTS = ["SHA-1", "gzip 3", "gzip 1", "zstd 3", "language"];

type Rounds = ReadonlyMap<string, readonly number[]>;

/** `sums` has each stage with all before it, `alone` each by itself, one number for each round. */
export function printTable(sums: Rounds, alone: Rounds): void {
  const sha1 = lowerQuartile(alone, "SHA-1");
  console.log("| stage | share | added | alone | times SHA-1 |\n|---|--:|--:|--:|--:|");
  let before = 0;
  let aloneSum = 0;
  for (const stage of STAGES) {
    const [share, what] = SHARES[stage];
    const added = lowerQuartile(sums, stage) - before;
    const self = aloneCost(alone, stage) ?? added;
    before += added;
    aloneSum += self;
    const shown = self === added ? "" : self.toFixed(0);
    console.log(row(what, share, added.toFixed(0), shown, (self / sha1).toFixed(1)));
  }
  const times = (aloneSum / sha1).toFixed(1);
  console.log(row("**all**", BUDGET, before.toFixed(0), aloneSum.toFixed(0), times));
  for (const name of PARTS) {
    const cost = lowerQuartile(alone, name);
    console.log(row(`${name}, by itself`, "", "", cost.toFixed(0), (cost / sha1).toFixed(1)));
  }
}

/** What a stage costs by itself; undefined where it cannot be measured so. */
function aloneCost(alone: Rounds, stage: Stage): number | undefined {
  if (!alone.has(stage)) return undefined;
  const inner = WITHIN[stage];
  return lowerQuartile(alone, stage) - (inner === undefined ? 0 : lowerQuartile(alone, inner));
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Other work on the machine only ever adds. */
function lowerQuartile(rounds: Rounds, name: string): number {
  const sorted = (rounds.get(name) ?? []).toSorted((one, other) => one - other);
  return sorted[sorted.length >> 2] ?? Number.NaN;
}
