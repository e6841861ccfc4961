/**
 * The verdict on a crawl: what the server saw, compared with what was due. It is computed anew from
 * the access log whenever it is asked for, in one pass, and changes nothing.
 */
import type { AccessEntry, AccessLog } from "../serve/access-log.ts";
import type { CrawlTruth, Standing } from "../truth/crawl-truth.ts";
import type { SyntheticWeb } from "../web/synthetic-web.ts";
import { IdentityExaminer } from "./identity-examiner.ts";
import { OrderExaminer, type OrderFacts } from "./order-examiner.ts";
import { type FetchFacts, PageExaminer, type PageFacts } from "./page-examiner.ts";
import { RobotsExaminer } from "./robots-examiner.ts";
import { SinList, type SinReport } from "./sin.ts";
import type { VerdictRules } from "./verdict-rules.ts";
import { urlOf, VisitExaminer, type VisitFacts } from "./visit-examiner.ts";

export interface Verdict {
  /** Whether there is no sin. */
  readonly clean: boolean;
  /** Pages covered of pages due. */
  readonly coverage: number;
  /** Needless fetches for each page due. */
  readonly overlap: number;
  readonly pages: PageFacts;
  readonly fetches: FetchFacts & { readonly robots: number };
  readonly visits: VisitFacts & { readonly connectionsAtOnceMax: number };
  readonly userAgents: Readonly<Record<string, number>>;
  readonly order: OrderFacts;
  /** Requests that the log had no room for, so that nothing is known of them. */
  readonly unlogged: number;
  readonly sins: readonly SinReport[];
}

export interface Evidence {
  readonly log: AccessLog;
  readonly web: SyntheticWeb;
  readonly truth: CrawlTruth;
  readonly rules: VerdictRules;
}

export function judge(evidence: Evidence): Verdict {
  return new Judge(evidence).judge();
}

class Judge {
  readonly #evidence: Evidence;
  readonly #sins = new SinList();
  readonly #visits: VisitExaminer;
  readonly #robots: RobotsExaminer;
  readonly #pages: PageExaminer;
  readonly #identity: IdentityExaminer;
  readonly #order = new OrderExaminer();
  /** Of each host, by its number in the log. */
  readonly #addresses = new Map<number, readonly string[] | null>();

  constructor(evidence: Evidence) {
    const { rules, truth, web } = evidence;
    const serverOf = (host: string): string => web.hostNamed(host)?.dns.aliases.at(-1) ?? host;
    this.#evidence = evidence;
    this.#visits = new VisitExaminer({ rules, truth, serverOf }, this.#sins);
    this.#robots = new RobotsExaminer(rules, this.#sins);
    this.#pages = new PageExaminer(rules, truth, this.#sins);
    this.#identity = new IdentityExaminer(rules, this.#sins);
  }

  judge(): Verdict {
    const { log } = this.#evidence;
    const latestMs = latestStartMs(log) + 1;
    for (const row of rowsByStart(log)) {
      const entry = log.entry(row);
      // What is still going on has lasted at least until now.
      this.#see(entry.ending === "open" ? { ...entry, endMs: latestMs } : entry);
    }
    this.#judgeRefusals();
    const pages = this.#pages.finish();
    const fetches = this.#pages.fetchFacts();
    const sins = this.#sins.reports();
    return {
      clean: sins.length === 0,
      coverage: pages.due === 0 ? 1 : pages.covered / pages.due,
      overlap: fetches.again / Math.max(1, pages.due),
      pages,
      fetches: { ...fetches, robots: this.#robots.fetches },
      visits: { ...this.#visits.facts(), connectionsAtOnceMax: mostAtOnce(log) },
      userAgents: this.#identity.userAgents(),
      order: this.#order.facts(),
      unlogged: log.unlogged,
      sins,
    };
  }

  #see(entry: AccessEntry): void {
    const { truth } = this.#evidence;
    const key = truth.keyOf(entry.host, entry.target);
    const standing: Standing = entry.isRobots ? { kind: "robots" } : truth.standingOf(key);
    this.#visits.see(entry);
    this.#identity.see(entry);
    this.#judgeAddress(entry);
    if (standing.kind === "robots") {
      this.#robots.seeRobots(entry);
      return;
    }
    this.#robots.seePage(entry);
    const isFirst = this.#pages.see(entry, key, standing);
    if (isFirst) this.#order.see(entry.hostId, truth.depthOf(key), truth.inLinksOf(key));
  }

  #judgeRefusals(): void {
    const { count, problems } = this.#evidence.log.refusals;
    for (let index = 0; index < count; index += 1) {
      const detail = problems[index] ?? "";
      this.#sins.add("malformed-request", () => ({ what: "a connection", detail }));
    }
  }

  #judgeAddress(entry: AccessEntry): void {
    const addresses = this.#addressesOf(entry);
    if (addresses === null || addresses.includes(entry.address)) return;
    this.#sins.add("wrong-address", () => ({
      what: urlOf(entry),
      detail: `asked at ${entry.address}, its addresses are ${addresses.join(", ")}`,
    }));
  }

  /** Null for a host that does not exist. */
  #addressesOf({ host, hostId }: AccessEntry): readonly string[] | null {
    const known = this.#addresses.get(hostId);
    if (known !== undefined) return known;
    const addresses = this.#evidence.web.hostNamed(host)?.addresses ?? null;
    this.#addresses.set(hostId, addresses);
    return addresses;
  }
}

function latestStartMs(log: AccessLog): number {
  let latestMs = 0;
  for (let row = 0; row < log.size; row += 1) latestMs = Math.max(latestMs, log.startMs(row));
  return latestMs;
}

/**
 * Rows stand in the order in which requests were complete; a request that was sent ahead or slowly
 * began before others that stand above it.
 */
function rowsByStart(log: AccessLog): Uint32Array {
  const rows = Uint32Array.from({ length: log.size }, (_, row) => row);
  const isSorted = rows.every((row) => row === 0 || log.startMs(row - 1) <= log.startMs(row));
  return isSorted
    ? rows
    : rows.sort((one, other) => log.startMs(one) - log.startMs(other) || one - other);
}

/** The most connections, idle ones included, that were open to one address at the same time. */
function mostAtOnce(log: AccessLog): number {
  const changes = new Map<string, { readonly atMs: number; readonly by: number }[]>();
  for (const { address, openedMs, closedMs } of log.connections()) {
    const list = changes.get(address) ?? [];
    list.push({ atMs: openedMs, by: 1 }, { atMs: closedMs, by: -1 });
    changes.set(address, list);
  }
  let most = 0;
  for (const list of changes.values()) {
    let open = 0;
    for (const { by } of list.sort((one, other) => one.atMs - other.atMs || one.by - other.by)) {
      open += by;
      most = Math.max(most, open);
    }
  }
  return most;
}
