/**
 * How fast existing crawlers are beside Trobar, on one synthetic web and one core each:
 *
 *     node bench/peers/run.ts [--rounds 3] [--pages 2000] [--seconds 30] [--hosts 300] [--only NAME]
 *
 * installs what is missing, tries the concurrencies of each, and then runs all of them in turn,
 * round after round. It prints medians with their spread; docs/peers.md has the method.
 */
import { parseArgs } from "node:util";
import { hasClients, hasProgram, installClients } from "./installation.ts";
import { PEERS, type Peer } from "./peer-table.ts";
import { type Measured, type TrialOptions, trial } from "./trial.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    pages: { type: "string", default: "2000" },
    seconds: { type: "string", default: "30" },
    hosts: { type: "string", default: "300" },
    only: { type: "string" },
  },
});

const home = installClients();
const pages = Number(values.pages);
const usual: Omit<TrialOptions, "concurrency"> = {
  pages,
  secondsMax: Number(values.seconds),
  web: { hosts: Number(values.hosts), urls: Math.max(20_000, pages * 4) },
  home,
};
const NOT_BUILT = /not part of this version|USAGE_NOT_BUILT|not built/;

/** Null, and the reason is said, when it cannot be run here. */
async function bestConcurrency(peer: Peer): Promise<number | null> {
  if (peer.needs === "npm" && !hasClients(home)) return leftOut(peer, "its packages are missing");
  if (peer.program !== undefined && !hasProgram(peer.program)) {
    return leftOut(peer, `${peer.program} is missing`);
  }
  let best = { concurrency: 0, pagesPerSecond: 0 };
  for (const concurrency of peer.concurrencies) {
    const tried = await trial(peer, { ...usual, pages: Math.ceil(pages / 4), concurrency });
    if (tried.failure !== null) {
      const isToCome = NOT_BUILT.test(tried.failure);
      return leftOut(peer, isToCome ? "the command is not built yet" : tried.failure);
    }
    const { pagesPerSecond } = tried;
    if (pagesPerSecond > best.pagesPerSecond) best = { concurrency, pagesPerSecond };
  }
  return best.concurrency === 0 ? leftOut(peer, "it fetched nothing") : best.concurrency;
}

function leftOut(peer: Peer, reason: string): null {
  console.log(`${peer.name} is left out: ${reason}`);
  return null;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function row(peer: Peer, concurrency: number, runs: readonly Measured[]): string {
  const rates = runs.map(({ pagesPerSecond }) => pagesPerSecond);
  const spread = `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`;
  const cells = [
    peer.name,
    String(concurrency),
    median(rates).toFixed(0),
    spread,
    median(runs.map(({ cpuMsPerPage }) => cpuMsPerPage)).toFixed(2),
    median(runs.map(({ peakMebibytes }) => peakMebibytes)).toFixed(0),
    median(runs.map(({ pages: fetched }) => fetched)).toFixed(0),
    median(runs.map(({ overlap }) => overlap * 100)).toFixed(1),
    peer.does,
    peer.writes,
  ];
  return `| ${cells.join(" | ")} |`;
}

if (!hasProgram("time") || !hasProgram("unshare")) {
  console.log("GNU time and unshare are needed and could not be installed.");
  process.exit(1);
}
const chosen = PEERS.filter(({ name }) => values.only === undefined || name.includes(values.only));
const contestants: { readonly peer: Peer; readonly concurrency: number; runs: Measured[] }[] = [];
for (const peer of chosen) {
  const concurrency = await bestConcurrency(peer);
  if (concurrency !== null) contestants.push({ peer, concurrency, runs: [] });
}
for (let round = 1; round <= Number(values.rounds); round += 1) {
  for (const { peer, concurrency, runs } of contestants) {
    const run = await trial(peer, { ...usual, concurrency });
    runs.push(run);
    console.log(`round ${round}: ${peer.name} ${run.pagesPerSecond.toFixed(0)} pages/s`);
  }
}
console.log(
  "\n| crawler | concurrency | pages/s | spread | CPU ms/page | peak MiB | pages | again % | does | writes |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|");
for (const { peer, concurrency, runs } of contestants) console.log(row(peer, concurrency, runs));
