/**
 * How many pages a second politeness allows at most, from the hosts that could be fetched from now: each
 * host gives one page per delay, and the hosts of an address share one per delay of the address. Hosts
 * of one server, where these count as one, share its slowest host's page per delay. Fetches take time
 * too, so a crawl stays below.
 *
 * Lanes have hosts at the same addresses, so each gives its *allowance*, from which the rate of all is
 * counted. An allowance is taken when somebody asks, over a bounded number of hosts: of a larger front
 * these stand for the rest.
 */
import { SECOND_MS } from "../../../base/units/index.ts";
import type { VisitPhase } from "./state/visit-place.ts";

/** A visit state, as far as it matters here. */
export interface PacedHost {
  readonly phase: VisitPhase;
  /** Null where none is known: for files, or behind a proxy. */
  readonly address: string | null;
  readonly delayMs: number;
  /** Its `canonical` name is null where it is a host by itself. */
  readonly server?: { readonly canonical: string | null };
}

/** What the hosts of a lane could give, as plain values. */
export interface Allowance {
  /** Pages a second of hosts whose address does not matter. */
  readonly apart: number;
  /** The rows of addresses in the table that all lanes share. */
  readonly rows: Int32Array;
  /** Pages a second that the hosts of each address would give. */
  readonly rates: Float64Array;
  readonly addressDelayMs: number;
  /** Hosts that were looked at, of how many. */
  readonly looks: number;
  readonly hosts: number;
}

/** This many visit states are looked at. */
const LOOKS_MAX = 10_000;

/** Those from which a page can come next; others wait for something else than politeness. */
const PACED: ReadonlySet<VisitPhase> = new Set(["polite", "visited", "filling"]);

type Paced = Pick<PacedHost, "address" | "delayMs">;

interface PacedHosts {
  /** A part of the front, or all of it. */
  readonly paced: Iterable<PacedHost>;
  /** How many there are. */
  readonly hosts: number;
  readonly addressDelayMs: number;
  rowOf(address: string): number;
}

export function allowanceOf({ paced, hosts, addressDelayMs, rowOf }: PacedHosts): Allowance {
  const byAddress = new Map<string, number>();
  const servers = new Map<string, Paced>();
  let apart = 0;
  let looks = 0;
  const count = ({ address, delayMs }: Paced): void => {
    const own = SECOND_MS / delayMs;
    if (address === null || addressDelayMs === 0) apart += own;
    else byAddress.set(address, (byAddress.get(address) ?? 0) + own);
  };
  for (const host of paced) {
    looks += 1;
    if (PACED.has(host.phase)) {
      const canonical = host.server?.canonical ?? null;
      if (canonical === null) count(host);
      else servers.set(canonical, slower(host, servers.get(canonical)));
    }
    if (looks === LOOKS_MAX) break;
  }
  for (const slowest of servers.values()) count(slowest);
  const rows = Int32Array.from(byAddress.keys(), rowOf);
  const rates = Float64Array.from(byAddress.values());
  return { apart, rows, rates, addressDelayMs, looks, hosts };
}

/**
 * Pages a second of lanes that share their addresses, to a tenth; null if nothing has to wait, or if
 * nothing is known.
 */
export function politeRate(allowances: readonly Allowance[]): number | null {
  const byRow = new Map<number, number>();
  let [rate, looks, hosts] = [0, 0, 0];
  for (const allowance of allowances) {
    rate += allowance.apart;
    looks += allowance.looks;
    hosts += allowance.hosts;
    const addressRate = SECOND_MS / allowance.addressDelayMs;
    for (const [at, row] of allowance.rows.entries()) {
      const before = byRow.get(row) ?? 0;
      const together = Math.min(before + (allowance.rates[at] as number), addressRate);
      byRow.set(row, together);
      rate += together - before;
    }
  }
  if (allowances.length === 0 || !Number.isFinite(rate)) return null;
  return looks === 0 ? 0 : Math.round(((rate * hosts) / looks) * 10) / 10;
}

function slower(one: Paced, other: Paced | undefined): Paced {
  return other === undefined || one.delayMs > other.delayMs ? one : other;
}
