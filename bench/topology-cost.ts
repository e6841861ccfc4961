/**
 * Claim: a crawl as a topology takes at most 5 % more processor time per page than it did as one
 * program wired by hand. The other program is another checkout, with its packages installed:
 *
 *     git worktree add ../before 774ba57~1 && (cd ../before && npm ci)
 *     node bench/topology-cost.ts ../before [--pairs 7] [--urls 4000] [--set KEY=VALUE]...
 *
 * How it is measured. Both crawl the same synthetic web to its end, pages of about 25 kB from 100 hosts
 * over real sockets, without delays. The web is a process of its own; what counts is the processor time
 * of the crawling process, all its threads and its start included, by the pages that the web served.
 * Pairs of runs are interleaved, each in the other order than the one before; the first pair is for
 * caches. It prints the median and the spread of the ratios. `--set` is for this checkout only, to
 * switch off what the other one does not have. User time is steadier than the sum with the system's,
 * which depends on what else the machine does.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { WEB_PROCESS, type WebOpened, type WebSeen } from "./peers/web-process.ts";
import type { UsedTime } from "./support/used-time.ts";

const PROMISED = 1.05;
const HOSTS = 100;
const CONCURRENCY = 64;

const usage = new URL("./support/used-time.ts", import.meta.url).href;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "7" },
    urls: { type: "string", default: "4000" },
    set: { type: "string", multiple: true, default: [] },
  },
});
const [other] = positionals;
if (other === undefined) throw new Error("Name the directory of the other checkout.");

const OURS = { checkout: resolve(import.meta.dirname, ".."), settings: values.set };
const OTHERS = { checkout: resolve(other), settings: [] };

interface Cost {
  readonly pages: number;
  /** In microseconds per page. */
  readonly user: number;
  readonly all: number;
}

async function crawl({ checkout, settings }: typeof OURS): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), "topology-cost-"));
  const options = { hosts: HOSTS, urls: Number(values.urls), hostsFile: join(folder, "hosts") };
  const web = fork(WEB_PROCESS, [JSON.stringify(options)]);
  try {
    const [{ seed, dnsPort }] = (await once(web, "message")) as [WebOpened];
    const args = [
      ...["--import", usage, join(checkout, "bin", "trobar.js"), "crawl", seed, "--scope", "any"],
      ...["-c", String(CONCURRENCY), "--delay", "0", "--ip-delay", "0", "--ignore-robots"],
      ...["--allow-private", "--no-dashboard", "--quiet", "-o", join(folder, "crawl")],
      ...[`dns.servers=[127.0.0.1:${dnsPort}]`, ...settings].flatMap((set) => ["--set", set]),
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const told = once(child, "message") as Promise<[UsedTime]>;
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`The crawl of ${checkout} ended with ${code}.`);
    const [{ user, system }] = await told;
    web.send(0);
    const [{ pages }] = (await once(web, "message")) as [WebSeen];
    return { pages, user: user / pages, all: (user + system) / pages };
  } finally {
    web.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function inOrder(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, another) => one - another);
}

function spreadOf(numbers: readonly number[]): string {
  const ordered = inOrder(numbers);
  const at = (share: number): string =>
    (ordered[Math.round(share * (ordered.length - 1))] ?? Number.NaN).toFixed(3);
  return `${at(0.5)}, quartiles ${at(0.25)} and ${at(0.75)}, from ${at(0)} to ${at(1)}`;
}

const ratios: { user: number[]; all: number[] } = { user: [], all: [] };
for (let pair = 0; pair <= Number(values.pairs); pair += 1) {
  const isOursFirst = pair % 2 === 0;
  const first = await crawl(isOursFirst ? OURS : OTHERS);
  const second = await crawl(isOursFirst ? OTHERS : OURS);
  const [ours, others] = isOursFirst ? [first, second] : [second, first];
  if (pair === 0) continue;
  ratios.user.push(ours.user / others.user);
  ratios.all.push(ours.all / others.all);
  console.log(
    `pair ${pair}: ${ours.pages} and ${others.pages} pages, user ${ours.user.toFixed(0)} and ` +
      `${others.user.toFixed(0)} µs a page, ratio ${(ours.user / others.user).toFixed(3)}; ` +
      `with system ${ours.all.toFixed(0)} and ${others.all.toFixed(0)} µs`,
  );
}
const median = inOrder(ratios.user)[ratios.user.length >> 1] ?? Number.NaN;
const verdict = median <= PROMISED ? "kept" : "BROKEN";
console.log(
  `user time, ours by theirs: ${spreadOf(ratios.user)}; promised ${PROMISED} (${verdict})`,
);
console.log(`user and system:           ${spreadOf(ratios.all)}`);
