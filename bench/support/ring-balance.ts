/**
 * How evenly a ring divides the circle, hosts and URLs: deviations of each agent's share from its due
 * share, relative to the due share, which goes by capacity.
 */
import { SeededRandom } from "../../src/base/random/index.ts";
import { arcShares, Ring, type RingMember } from "../../src/cluster/ring/index.ts";
import type { KeyHost } from "../../src/formats/url/index.ts";

/** What is divided: the circle itself, hosts, and URLs of hosts of limited size. */
export const DIVIDED = ["arc", "hosts", "URLs, 1,000 a host", "URLs, 100,000 a host"] as const;
const PAGES_MAX: readonly number[] = [1_000, 100_000];

/**
 * Pages of a host: a power law whose density falls with the exponent 1.85, as Huberman and Adamic
 * found for sites ("Growth dynamics of the World-Wide Web", Nature 401, 1999), cut off at the limit.
 */
const TAIL = 0.85;

/** Pages of each host up to either limit. */
export function pagesOfHosts(hosts: number): readonly Uint32Array[] {
  const random = new SeededRandom("pages of hosts");
  const pages = PAGES_MAX.map(() => new Uint32Array(hosts));
  for (let host = 0; host < hosts; host += 1) {
    const drawn = (1 - random.unit()) ** (-1 / TAIL);
    for (const [at, limit] of PAGES_MAX.entries()) {
      (pages[at] as Uint32Array)[host] = Math.min(limit, drawn);
    }
  }
  return pages;
}

export function nameOf(host: number): KeyHost {
  return `www.site-${host}.example` as KeyHost;
}

/** The relative deviation of each agent, for each of `DIVIDED`, in the order of the members. */
export function deviations(
  members: readonly RingMember[],
  options: {
    readonly replicas: number;
    readonly hosts: number;
    readonly pages: readonly Uint32Array[];
  },
): number[][] {
  const ring = Ring.of(members, options.replicas);
  const numbers = new Map(members.map(({ id }, number) => [id, number]));
  const got = DIVIDED.map(() => new Float64Array(members.length));
  const [arc, hosts, ...urls] = got as [Float64Array, Float64Array, ...Float64Array[]];
  for (const [id, share] of arcShares(ring)) arc[numbers.get(id) ?? -1] = share;
  for (let host = 0; host < options.hosts; host += 1) {
    const number = numbers.get(ring.ownerOf(nameOf(host)) ?? "") as number;
    hosts[number] = (hosts[number] as number) + 1;
    for (const [at, counts] of urls.entries()) {
      counts[number] = (counts[number] as number) + (options.pages[at]?.[host] as number);
    }
  }
  const capacity = sumOf(members.map((member) => member.capacity));
  return got.map((counts) => {
    const whole = sumOf(counts);
    return members.map((member, number) => {
      return ((counts[number] as number) / whole) * (capacity / member.capacity) - 1;
    });
  });
}

export function meanAbsolute(values: readonly number[]): number {
  return sumOf(values.map(Math.abs)) / values.length;
}

export function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
