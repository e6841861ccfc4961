/**
 * The named moments at which crawls are killed: before, in the middle of and after each kind of write,
 * sync, rename, cut, removal and transaction. The preloaded module counts how often each comes.
 */
import { fileURLToPath } from "node:url";
import type { Random } from "../../src/base/seams/index.ts";

export interface Failpoint {
  /** What is changed, how, and when: `crawl-log.append.before`. */
  readonly name: string;
  /** It comes at least this often in a crawl. */
  readonly times: number;
  /** Where a crawl has it: anywhere, only when its directory is made, only at its end. */
  readonly phase: "any" | "beginning" | "end";
  /** Whether it takes a page so large that bodies, sieve and queues do not fit into memory. */
  readonly isHeavy: boolean;
  /** A moment that the process which goes on after it has; null if none in particular. */
  readonly next: string | null;
}

type Changes = Partial<Omit<Failpoint, "name">>;

/** `part.action` with each of some moments, as in `warc.append before after`. */
function points(text: string, changes: Changes = {}): Failpoint[] {
  const [at = "", ...moments] = text.split(" ");
  return moments.map((moment) => ({
    ...{ name: `${at}.${moment}`, times: 1, phase: "any", isHeavy: false, next: null },
    ...changes,
  }));
}

const BEGINNING: Changes = { phase: "beginning" };
const END: Changes = { phase: "end" };
const HEAVY: Changes = { isHeavy: true };
const HEAVY_FIRST: Changes = { isHeavy: true, phase: "beginning" };

/** At each of them a crawl is killed in every run of the tests. */
export const FAILPOINTS: readonly Failpoint[] = [
  ...points("lock-holder.append middle", { ...BEGINNING, next: "lock-holder.rename.before" }),
  ...points("config.rename before", { ...BEGINNING, next: "config.append.middle" }),
  ...points("crawl-json.append middle", { ...BEGINNING, next: "crawl-json.rename.before" }),
  ...points("sieve-text-manifest.rename after", { ...BEGINNING, next: "pushes.remove.after" }),
  ...points("crawl-log-manifest.rename before", BEGINNING),
  // The first checkpoint.
  ...points("checkpoint.commit before", { ...BEGINNING, next: "crawl-json.remove.before" }),
  ...points("checkpoint.commit after", BEGINNING),
  ...points("host-names.append middle", BEGINNING),
  ...points("warc.append middle", { times: 6, next: "warc.cut.before" }),
  ...points("warc.append after", { times: 6, next: "warc.cut.after" }),
  ...points("warc.sync before", { times: 3 }),
  ...points("crawl-log.append after", { times: 6 }),
  ...points("crawl-log.append middle", { times: 6, next: "crawl-log.cut.before" }),
  ...points("crawl-log.sync after", { times: 3 }),
  ...points("sieve-text.append middle after"),
  ...points("sieve-text.sync after", { times: 2 }),
  ...points("depths.append middle", { next: "depths.remove.before" }),
  ...points("links.append middle"),
  ...points("same-texts.append middle"),
  ...points("bodies.append middle"),
  ...points("bodies.sync after"),
  ...points("graph-log.append middle", { times: 2 }),
  ...points("graph-run.sync after", { times: 4 }),
  ...points("graph-marks.rename before after", { times: 2 }),
  ...points("texts.append middle", { times: 2 }),
  ...points("rows.commit before after", { times: 2 }),
  ...points("checkpoint.put after", { times: 8 }),
  ...points("checkpoint.commit before after", { times: 3 }),
  ...points("index-run.append middle", { ...END, next: "index-run.remove.before" }),
  ...points("warc.rename before", END),
  ...points("spool.append middle", { ...HEAVY_FIRST, times: 20 }),
  ...points("sieve-run.append middle", { ...HEAVY_FIRST, times: 2 }),
  ...points("pushes.append middle", { ...HEAVY_FIRST, times: 3 }),
  ...points("bundle.append middle", { ...HEAVY, times: 4 }),
  ...points("bundle.sync after", { ...HEAVY, times: 4 }),
  ...points("bundle.remove before", { ...HEAVY, times: 4 }),
  ...points("takes.append middle", HEAVY),
];

/** Further moments, most of them only a system call away from one above: for the long tests. */
export const MORE_FAILPOINTS: readonly Failpoint[] = [
  ...points("crawl-json.rename after", BEGINNING),
  ...points("sieve-text-manifest.append middle", BEGINNING),
  ...points("tables.commit after", BEGINNING),
  ...points("warc.append before", { times: 6 }),
  ...points("warc.sync after", { times: 3 }),
  ...points("crawl-log.append before", { times: 6 }),
  ...points("crawl-log.sync before", { times: 3 }),
  ...points("sieve-text.append before"),
  ...points("links-run.append middle"),
  ...points("texts.sync after", { times: 2 }),
  ...points("rows.put after", { times: 12 }),
  ...points("warc.rename after", END),
  ...points("near-run.append middle", HEAVY),
  ...points("config.append middle", { ...BEGINNING, next: "config.rename.before" }),
  ...points("config.rename after", { ...BEGINNING, next: "crawl-json.rename.before" }),
  ...points("queue-manifest.rename before", { ...BEGINNING, next: "queue-manifest.remove.after" }),
  ...points("crawl-log-manifest.rename after", {
    ...{ ...BEGINNING, next: "crawl-log-manifest.remove.before" },
  }),
  ...points("tables.commit before", BEGINNING),
  ...points("host-names.append before after", BEGINNING),
  ...points("crawl-log.append middle", { times: 2, next: "crawl-log.cut.after" }),
  ...points("sieve-text.sync before", { times: 2 }),
  ...points("depths.sync after", { next: "depths.remove.after" }),
  ...points("links.append before after"),
  ...points("links.sync after", { times: 2 }),
  ...points("graph-log.append before after", { times: 2 }),
  ...points("graph-log.sync before after", { times: 2 }),
  ...points("graph-run.append middle", { times: 4 }),
  ...points("graph-marks.append middle", { times: 2 }),
  ...points("texts.append before after", { times: 2 }),
  ...points("texts.sync before", { times: 2 }),
  ...points("database.begin after", { times: 8 }),
  ...points("database.close before after", { times: 3 }),
  ...points("index-run.sync after", { ...END, next: "index-run.remove.after" }),
  ...points("api.remove after", { ...END, times: 3 }),
  ...points("spool.remove before", HEAVY_FIRST),
  ...points("sieve-run.append before", { ...HEAVY_FIRST, times: 2 }),
  ...points("sieve-run.sync after", { ...HEAVY_FIRST, times: 2 }),
  ...points("pushes.append before after", { ...HEAVY_FIRST, times: 3 }),
  ...points("pushes.sync after", { ...HEAVY_FIRST, times: 3 }),
  ...points("bundle.append before", { ...HEAVY, times: 4 }),
  ...points("bundle.remove after", { ...HEAVY, times: 4 }),
  ...points("takes.append before after", HEAVY),
  ...points("near-run.sync after", HEAVY),
  ...points("depths.remove before after", HEAVY_FIRST),
  ...points("links-run.remove before", HEAVY_FIRST),
  ...points("same-texts.remove after", HEAVY_FIRST),
  ...points("graph-run.remove before after", { ...HEAVY, times: 4 }),
];

/** Moments of every process that goes on with a crawl, before it fetches anything. */
export const RECOVERY_POINTS: readonly string[] = [
  "database.begin.after",
  "marks.commit.before",
  "marks.commit.after",
  "pushes.sync.before",
  "sieve-text.sync.after",
  "crawl-log.sync.before",
  "warc.rename.before",
  "warc.rename.after",
  "texts.sync.after",
  "config.append.middle",
  "config.rename.after",
  "marks.put.after",
];

/** Some moments of one crawl, each followed by another that comes when the crawl goes on. */
export type Chain = readonly Failpoint[];

const CHAIN_LENGTH_MAX = 4;

/** Divides moments into chains: what is only at the beginning comes first, what is only at the end last. */
export function chainsOf(wanted: readonly Failpoint[], random: Random): Chain[] {
  const mixed = wanted
    .map((point) => ({ point, place: random.below(1_000_000) }))
    .sort((one, other) => one.place - other.place)
    .map(({ point }) => point);
  const chains: Failpoint[][] = [];
  for (const isHeavy of [true, false]) {
    const mine = mixed.filter((point) => point.isHeavy === isHeavy);
    const of = (phase: Failpoint["phase"]) => mine.filter((point) => point.phase === phase);
    const [firsts, lasts, others] = [of("beginning"), of("end"), of("any")];
    while (firsts.length + others.length + lasts.length > 0) {
      const first = firsts.splice(0, 1);
      const last = lasts.splice(0, 1);
      chains.push([
        ...first,
        ...others.splice(0, CHAIN_LENGTH_MAX - first.length - last.length),
        ...last,
      ]);
    }
  }
  return chains;
}

/** A moment of one process. */
export interface Moment {
  readonly name: string;
  readonly time: number;
  /** A file in which all threads count; not there yet. */
  readonly count: string;
  /** The crawl directory. */
  readonly root: string;
  /** A file: times count as soon as it is there. By default all do. */
  readonly armed?: string;
}

const PRELOAD = fileURLToPath(new URL("./failpoint-preload.ts", import.meta.url));

/** The environment of a command that gets a signal when the moment comes. */
export function endedAt(
  { name, time, count, root, armed = "" }: Moment,
  signal: NodeJS.Signals = "SIGKILL",
): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    FAILPOINT_FOR_TEST: name,
    FAILPOINT_TIME_FOR_TEST: String(time),
    FAILPOINT_SIGNAL_FOR_TEST: signal,
    FAILPOINT_COUNT_FOR_TEST: count,
    FAILPOINT_ROOT_FOR_TEST: root,
    FAILPOINT_ARMED_FOR_TEST: armed,
  };
}
