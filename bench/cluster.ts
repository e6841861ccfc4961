/**
 * Claim: where politeness is the limit, pages a second and agent are the same within 15 % for 1 to 16 agents on
 * one machine, and so are the URLs told for each page and link to a host of another agent. That is figure 3a of
 * the UbiCrawler paper. Figure 3b there is about threads: here pages a second and lane are the same as agents
 * have more lanes, and pages a second and connection as they have more connections, each within 15 %.
 *
 * Agents are processes with a directory and a `nats-server` each, and crawl an endless web (`support/cluster`)
 * with as many hosts for each agent, or each lane. Politeness allows one visit of a host in the delay. With
 * connections the web answers after a second and there are hosts enough, so that connections are the limit. What
 * is counted was seen by the web in some seconds after every host was visited several times.
 *
 * Printed are also the messages that agents send and that servers pass on for each page, and processor time: the
 * limit is politeness only as long as that is well below a core.
 * `node bench/cluster.ts [--quick] [--part agents|lanes|connections] [--agents 1,2,4,8,16] [--lanes 1,2,4,8]
 * [--connections 1,4,16,64] [--hosts 32] [--delay 4] [--seconds 40] [--plots FOLDER]`
 */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BenchCluster, type ClusterPlan } from "./support/cluster/bench-cluster.ts";
import { type Window, watchFor } from "./support/cluster/cluster-window.ts";
import { type Line, linePlot } from "./support/line-plot.ts";

const usual = {
  ...{ agents: "1,2,4,8,16", lanes: "1,2,4,8", connections: "1,4,16,64" },
  ...{ hosts: "32", delay: "4", seconds: "40" },
};
const QUICK = {
  ...{ agents: "1,2", lanes: "1,2", connections: "1,4" },
  ...{ hosts: "8", delay: "2", seconds: "10" },
};
const text = { type: "string" } as const;
const { values: given } = parseArgs({
  options: {
    ...{ agents: text, lanes: text, connections: text, hosts: text, delay: text, seconds: text },
    ...{ part: text, plots: text, quick: { type: "boolean", default: false } },
  },
});
const values = { ...usual, ...(given.quick ? QUICK : {}), ...given };
const HOSTS = Number(values.hosts);
const DELAY_SECONDS = Number(values.delay);
const PROMISED_DEVIATION = 0.15;
const PAGE_BYTES = 6000;
const VISITS_BEFORE = 4;
const START_SECONDS_MAX = 600;
/** Lanes and connections are those of each of so many agents. */
const AGENTS_OF_3B = 2;
const ANSWER_MS = 1000;

interface Trial {
  readonly plan: ClusterPlan;
  /** What pages a second are divided by, and called after. */
  readonly units: number;
  readonly unit: string;
}

const numbersIn = (list: string): readonly number[] => list.split(",").map(Number);

async function measured({ plan }: Trial): Promise<Window> {
  const cluster = await BenchCluster.start(plan);
  try {
    const { hosts } = plan.web;
    await cluster.until(
      (seen) => seen.hosts === hosts && seen.visits >= VISITS_BEFORE * hosts,
      START_SECONDS_MAX,
    );
    const [window] = await watchFor(Number(values.seconds), [cluster]);
    return window as Window;
  } finally {
    await cluster.close();
  }
}

/** Pages a second and unit. */
function rateOf({ pages, seconds }: Window, { units }: Trial): number {
  return pages / seconds / units;
}

function print(trial: Trial, window: Window): void {
  const { plan, units, unit } = trial;
  const { agents } = plan;
  const cores =
    (window.pages * (window.agentsMicros + window.serversMicros)) / window.seconds / 1e6;
  console.log(
    `${units} ${unit}${units === 1 ? "" : "s"}, ${agents} agent${agents === 1 ? "" : "s"}: ` +
      `${rateOf(window, trial).toFixed(2)} pages/s each; a page: ${window.told.toFixed(2)} URLs told, ` +
      `${window.sent.toFixed(2)} messages sent, ${window.passed.toFixed(2)} passed on with ` +
      `${window.passedBytes.toFixed(0)} bytes, ${window.agentsMicros.toFixed(0)} µs of agents and ` +
      `${window.serversMicros.toFixed(0)} of servers; ${cores.toFixed(2)} cores, load ` +
      `${loadavg()[0]?.toFixed(0)}`,
  );
}

/** Each by the first one. */
function verdict(name: string, numbers: readonly number[]): void {
  const [first = Number.NaN] = numbers;
  const ratios = numbers.map((number) => number / first);
  const isKept = ratios.every((ratio) => Math.abs(ratio - 1) <= PROMISED_DEVIATION);
  const list = ratios.map((ratio) => ratio.toFixed(3)).join(", ");
  console.log(`${name}, by the first: ${list} (within 15 %: ${isKept ? "kept" : "BROKEN"})`);
}

async function series(trials: readonly Trial[]): Promise<readonly Window[]> {
  const windows: Window[] = [];
  for (const trial of trials) {
    const window = await measured(trial);
    print(trial, window);
    windows.push(window);
  }
  const rates = windows.map((window, at) => rateOf(window, trials[at] as Trial));
  verdict(`pages a second and ${trials[0]?.unit}`, rates);
  return windows;
}

function politeFlags(lanes: number): readonly string[] {
  return ["--delay", `${DELAY_SECONDS}s`, "--lanes", `${lanes}`];
}

/** Figure 3a. */
async function agentSeries(): Promise<void> {
  const counts = numbersIn(values.agents);
  console.log(`politeness allows ${(HOSTS / DELAY_SECONDS).toFixed(2)} pages/s and agent`);
  const trials = counts.map((agents) => {
    const web = { hosts: HOSTS * agents, pageBytes: PAGE_BYTES, delayMs: 0 };
    return { plan: { agents, flags: politeFlags(1), web }, units: agents, unit: "agent" };
  });
  const windows = await series(trials);
  // With n agents a link leads to a host of another one with the probability (n - 1) / n.
  const told = windows.map(({ told: each }, at) => {
    const agents = counts[at] ?? 1;
    return (each * agents) / (agents - 1);
  });
  verdict("URLs told for a page and foreign link", told.slice(counts[0] === 1 ? 1 : 0));
  plot("cluster-agents.svg", {
    title: "What an agent does among others, where politeness is the limit",
    below: "agents",
    counts,
    most: HOSTS / DELAY_SECONDS,
    lines: [
      line(
        "pages a second and agent",
        windows.map((window, at) => rateOf(window, trials[at] as Trial)),
        "#1f6fb4",
      ),
      line(
        "what politeness allows",
        counts.map(() => HOSTS / DELAY_SECONDS),
        "#888",
      ),
      line(
        "URLs told for a page",
        windows.map(({ told: each }) => each),
        "#c4551d",
      ),
      line(
        "messages sent for a page",
        windows.map(({ sent }) => sent),
        "#2d8a4e",
      ),
    ],
  });
}

/** Figure 3b, with lanes in the place of threads. */
async function laneSeries(): Promise<Line> {
  const counts = numbersIn(values.lanes);
  const windows = await series(
    counts.map((lanes) => {
      const units = AGENTS_OF_3B * lanes;
      const web = { hosts: HOSTS * units, pageBytes: PAGE_BYTES, delayMs: 0 };
      return {
        plan: { agents: AGENTS_OF_3B, flags: politeFlags(lanes), web },
        units,
        unit: "lane",
      };
    }),
  );
  return line(
    "pages a second and lane",
    windows.map(({ pages, seconds }, at) => {
      return pages / seconds / AGENTS_OF_3B / (counts[at] ?? 1);
    }),
    "#1f6fb4",
  );
}

/** Hosts for each connection, with a delay as long as an answer: twice as many as can be visited. */
const HOSTS_PER_CONNECTION = 4;

/** Figure 3b, with connections. */
async function connectionSeries(): Promise<Line> {
  const counts = numbersIn(values.connections);
  const windows = await series(
    counts.map((connections) => {
      const units = AGENTS_OF_3B * connections;
      const hosts = HOSTS_PER_CONNECTION * units;
      const web = { hosts, pageBytes: PAGE_BYTES, delayMs: ANSWER_MS };
      // By its key: it is a setting of each agent.
      const limit = ["--set", `fetch.concurrency=${connections}`];
      const flags = ["--delay", `${ANSWER_MS}ms`, "--lanes", "1", ...limit];
      return { plan: { agents: AGENTS_OF_3B, flags, web }, units, unit: "connection" };
    }),
  );
  return line(
    "pages a second and connection, answers after a second",
    windows.map(({ pages, seconds }, at) => {
      return pages / seconds / AGENTS_OF_3B / (counts[at] ?? 1);
    }),
    "#c4551d",
  );
}

function line(name: string, numbers: readonly number[], colour: string): Line {
  const isBound = colour === "#888";
  return { name, values: numbers, colour, width: isBound ? 1 : 2, dashes: isBound ? "1 4" : "" };
}

interface Plot {
  readonly title: string;
  readonly below: string;
  readonly counts: readonly number[];
  /** The axis leaves room for the names of the lines above this. */
  readonly most: number;
  readonly lines: readonly Line[];
}

function plot(file: string, { title, below, counts, most, lines }: Plot): void {
  if (values.plots === undefined) return;
  const beside = { name: "", max: Math.ceil(1.5 * most), step: 1, unit: "" };
  const axes = { title, below: { name: below, values: counts }, beside };
  writeFileSync(join(values.plots, file), linePlot({ ...axes, lines, isNamedAbove: true }));
}

const { part } = values;
if (part === undefined || part === "agents") await agentSeries();
const lanes = part === undefined || part === "lanes" ? await laneSeries() : null;
const connections = part === undefined || part === "connections" ? await connectionSeries() : null;
if (lanes !== null) {
  plot("cluster-lanes.svg", {
    ...{ title: "What a lane does, as agents have more of them", below: "lanes of each agent" },
    ...{ counts: numbersIn(values.lanes), most: HOSTS / DELAY_SECONDS, lines: [lanes] },
  });
}
if (connections !== null) {
  plot("cluster-connections.svg", {
    title: "What a connection does, as agents have more of them",
    ...{ below: "connections of each agent", counts: numbersIn(values.connections) },
    ...{ most: 1, lines: [connections] },
  });
}
