/**
 * Claim: hosts are divided as evenly as in figure 1 of the UbiCrawler paper: the shares of agents
 * deviate from their due shares by less than 6 % on average with 100 points an agent and by less
 * than 4.5 % with 200, for 8 to 1,000 agents; and finding the owner of a host takes at most three
 * times as long as looking it up in a `Map` of 100,000 hosts.
 *
 * Deviations are printed as "mean (worst)": the mean absolute deviation over all agents of all sets
 * of ids, and that of the worst set; then the largest deviation of any agent. They are measured by
 * arc length, by hosts (5,000 for each agent), and by URLs, whose number on a host follows a power
 * law cut off at 1,000 and at 100,000 pages (`bench/support/ring-balance.ts` says which). Small
 * clusters are measured with more sets, so that each row has a thousand agents at least.
 *
 *     node bench/ring.ts [--agents 8,16,…] [--sets 5] [--hosts 5000] [--plot FILE]
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type IsIn, Ring, type RingMember } from "../src/cluster/ring/index.ts";
import { HostHasher, type KeyHost } from "../src/formats/url/index.ts";
import { type Line, linePlot } from "./support/line-plot.ts";
import {
  DIVIDED,
  deviations,
  largest,
  meanAbsolute,
  nameOf,
  pagesOfHosts,
} from "./support/ring-balance.ts";
import { compare } from "./support/rounds.ts";

const { values } = parseArgs({
  options: {
    agents: { type: "string", default: "8,16,32,64,128,256,512,1000" },
    sets: { type: "string", default: "5" },
    hosts: { type: "string", default: "5000" },
    plot: { type: "string" },
  },
});
const AGENTS = values.agents.split(",").map(Number);
const SETS_MIN = Number(values.sets);
const HOSTS = Number(values.hosts);
const ASKED: readonly (readonly [replicas: number, bound: number])[] = [
  [100, 0.06],
  [200, 0.045],
];
const ROW_AGENTS_MIN = 1_000;
const pages = pagesOfHosts(HOSTS * Math.max(...AGENTS, 96));

const percent = (value: number): string => `${(100 * value).toFixed(2)} %`;

function agentsOf(set: number, count: number): RingMember[] {
  return Array.from({ length: count }, (_, at) => ({ id: `set-${set}.agent-${at}`, capacity: 1 }));
}

/** Mean absolute deviations of rings of one size, by what is divided. */
function balanceOf(count: number, replicas: number): number[] {
  const sets = Math.max(SETS_MIN, Math.ceil(ROW_AGENTS_MIN / count));
  const rings = Array.from({ length: sets }, (_, set) =>
    deviations(agentsOf(set, count), { replicas, hosts: HOSTS * count, pages }),
  );
  return DIVIDED.map((name, at) => {
    const bySet = rings.map((ring) => ring[at] ?? []);
    const mean = meanAbsolute(bySet.flat());
    const worst = largest(bySet.map(meanAbsolute));
    const most = largest(bySet.flat());
    console.log(
      `  ${String(count).padStart(5)} agents, ${String(sets).padStart(3)} sets, ${name.padEnd(20)} ` +
        `mean ${percent(mean)} (${percent(worst)}), any agent ${percent(most)}`,
    );
    return mean;
  });
}

function printBalance(): Line[] {
  return ASKED.flatMap(([replicas, bound], thickness) => {
    console.log(`${replicas} points an agent:`);
    const rows = AGENTS.map((count) => balanceOf(count, replicas));
    return DIVIDED.slice(0, 2).map((name, at) => {
      const means = rows.map((row) => row[at] as number);
      const verdict = largest(means) < bound ? "kept" : "BROKEN";
      console.log(`  by ${name}: asked below ${percent(bound)} on average (${verdict})`);
      return {
        name: `${replicas} points, by ${name === "arc" ? "arc length" : name}`,
        values: means.map((mean) => 100 * mean),
        colour: at === 0 ? "#1f6fb4" : "#c4551d",
        width: 1 + 2 * thickness,
        dashes: at === 0 ? "" : "6 3",
      };
    });
  });
}

function printCapacities(): void {
  const capacities = [1, 2, 4];
  const sets = Array.from({ length: SETS_MIN * 4 }, (_, set) =>
    agentsOf(set, 96).map(({ id }, at) => ({ id, capacity: capacities[at % 3] as number })),
  );
  const rings = sets.map((members) => {
    return deviations(members, { replicas: 200, hosts: HOSTS * 96, pages });
  });
  console.log(`96 agents, a third of each capacity, 200 points each unit, ${sets.length} sets:`);
  for (const [at, name] of DIVIDED.slice(0, 2).entries()) {
    for (const [third, capacity] of capacities.entries()) {
      const own = rings.flatMap((ring) =>
        (ring[at] ?? []).filter((_, agent) => agent % 3 === third),
      );
      const bias = own.reduce((sum, value) => sum + value, 0) / own.length;
      console.log(
        `  capacity ${capacity}, ${name.padEnd(5)} share ${(1 + bias).toFixed(4)} of what is due, ` +
          `mean deviation ${percent(meanAbsolute(own))}, any agent ${percent(largest(own))}`,
      );
    }
  }
}

/** Microseconds of the thread for one call, over a fifth of a second. */
function microseconds(work: (round: number) => unknown): number {
  const before = process.threadCpuUsage();
  let usedUs = 0;
  let calls = 0;
  for (let batch = 1; usedUs < 200_000; batch *= 2) {
    for (let call = 0; call < batch; call += 1) work(calls + call);
    calls += batch;
    const { user, system } = process.threadCpuUsage(before);
    usedUs = user + system;
  }
  return usedUs / calls;
}

function printCost(count: number): void {
  const members = agentsOf(0, count);
  const ids = members.map(({ id }) => id);
  const ring = Ring.of(members, 200);
  const points = ring.circle.agents.length;
  console.log(`${count} agents, ${points} points:`);

  const hosts = Array.from({ length: 100_000 }, (_, host) => nameOf(host));
  const owners = new Map(hosts.map((host) => [host, ring.ownerOf(host) ?? ""]));
  const lengths = (ownerOf: (host: KeyHost) => string): number =>
    hosts.reduce((total, host) => total + ownerOf(host).length, 0);
  compare({
    name: "owner of a host, against a Map of 100,000",
    rounds: 15,
    ours: () => lengths((host) => ring.ownerOf(host) ?? ""),
    reference: () => lengths((host) => owners.get(host) ?? ""),
    promised: 0.33,
  });

  const hasher = new HostHasher();
  const place = new Uint32Array(2);
  const hostAt = (at: number): KeyHost => hosts[at % hosts.length] as KeyHost;
  const idAt = (at: number): string => ids[at % count] as string;
  const isIn: IsIn = (id) => !id.endsWith("7");
  const modulo = (host: KeyHost): string => {
    hasher.ringPoint(host, place);
    return idAt(place[0] as number);
  };
  const costs: readonly (readonly [string, number])[] = [
    ["hash of the host, modulo the agents", microseconds((at) => modulo(hostAt(at)))],
    ["owner", microseconds((at) => ring.ownerOf(hostAt(at)))],
    [
      "owner, an eighth to a tenth struck out",
      microseconds((at) => ring.ownerOf(hostAt(at), isIn)),
    ],
    ["precedes", microseconds((at) => ring.precedes(hostAt(at), idAt(at), idAt(7 * at + 1)))],
    ["the whole order", microseconds((at) => [...ring.orderOf(hostAt(at))])],
    ["without a member", microseconds((at) => ring.without(idAt(at)))],
    ["with another member", microseconds((at) => ring.with({ id: `new-${at}`, capacity: 1 }))],
    ["of all members", microseconds(() => Ring.of(members, 200))],
  ];
  for (const [name, cost] of costs) console.log(`  ${name.padEnd(40)} ${cost.toFixed(2)} µs`);
  const { highs, lows, agents, starts } = ring.circle;
  const bytes = [highs, lows, agents, starts].reduce((sum, column) => sum + column.byteLength, 0);
  console.log(`  ${(bytes / points).toFixed(1)} bytes a point, ${(bytes / 1e6).toFixed(2)} MB`);
}

/** What is asked, as lines across the plot. */
const bounds: readonly Line[] = ASKED.map(([replicas, bound], thickness) => ({
  name: `asked with ${replicas} points`,
  values: AGENTS.map(() => 100 * bound),
  colour: "#888",
  width: 1 + 2 * thickness,
  dashes: "1 4",
}));

const balance = printBalance();
if (values.plot !== undefined) {
  const plot = linePlot({
    title: "Mean absolute deviation of agents' shares from due shares",
    below: { name: "agents", values: AGENTS },
    beside: { name: "deviation", max: 7, step: 1, unit: " %" },
    lines: [...balance, ...bounds],
  });
  writeFileSync(values.plot, plot);
}
printCapacities();
for (const count of [8, 1_000]) printCost(count);
