/**
 * Claim: a second lane makes a crawl at least 1.7 times as fast, where four cores allow it (two lanes, the
 * desk and the web), with 100,000 hosts queued; and a crawl that waits for politeness makes at least 0.95
 * of the visits that politeness allows, for 2,000 hosts on 500 addresses.
 *
 * The web is a process of its own that costs next to nothing (`support/light-web.ts`). Printed for each
 * number of lanes: pages a second and processor time of the crawling process a page, all threads, when it
 * is warm; and what it used before, for its start, the seeds and the first pages. Each thread compiles
 * code of its own, as it finds what is used most: with one lane a page costs the same from the 3,000th
 * on, with two from the 6,000th. What politeness allows is one visit of an address in the delay plus the
 * time that the server took.
 * `node bench/crawl.ts [--lanes 1,2] [--pages 16000] [--hosts 100000] [--rounds 3] [--part rate|front]`
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { usedMsOf } from "./support/cluster/used-time-of.ts";
import { shareOf } from "./support/crawl-cost.ts";
import {
  hostAt,
  LIGHT_WEB,
  type LightWeb,
  type LightWebOpened,
  type LightWebQuestion,
  type LightWebSeen,
} from "./support/light-web.ts";
import type { UsedTime } from "./support/used-time.ts";

const { values } = parseArgs({
  options: {
    lanes: { type: "string", default: "1,2" },
    pages: { type: "string", default: "16000" },
    hosts: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    part: { type: "string" },
  },
});

const PROMISED_RATIO = 1.7;
const CORES_NEEDED = 4;
const PROMISED_SHARE = 0.95;
/** Pages before the rate is taken; fewer where a crawl is to have few. */
const FIRST_PAGES = 6000;
const checkout = resolve(import.meta.dirname, "..");
const usage = new URL("./support/used-time.ts", import.meta.url).href;

interface Trial {
  readonly web: LightWeb;
  readonly flags: readonly string[];
  /** Asks the web while the crawl runs, and may look at it or end it. */
  readonly meanwhile?: (ask: Ask, crawl: ChildProcess) => Promise<void>;
}

type Ask = (question: LightWebQuestion) => Promise<LightWebSeen>;

interface Outcome {
  readonly seen: LightWebSeen;
  readonly used: UsedTime;
}

const ALWAYS: LightWebQuestion = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

async function run({ web, flags, meanwhile }: Trial): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "bench-crawl-"));
  const server = fork(LIGHT_WEB, [JSON.stringify(web)]);
  try {
    const [{ port, dnsPort }] = (await once(server, "message")) as [LightWebOpened];
    const seeds = Array.from({ length: web.hosts }, (_none, at) => `http://${hostAt(at)}:${port}/`);
    writeFileSync(join(folder, "seeds"), seeds.join("\n"));
    const args = [
      ...["--import", usage, join(checkout, "bin", "trobar.js"), "crawl"],
      ...["-i", join(folder, "seeds"), "-o", join(folder, "crawl")],
      ...["--ignore-robots", "--allow-private", "--no-dashboard", "--quiet"],
      ...["--set", `dns.servers=[127.0.0.1:${dnsPort}]`, ...flags],
    ];
    const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
    const child = spawn(process.execPath, args, { stdio: [...stdio] });
    const told = once(child, "message") as Promise<[UsedTime]>;
    const exited = once(child, "exit");
    await meanwhile?.(asking(server), child);
    const [code] = await exited;
    if (code !== 0 && code !== 130) throw new Error(`the crawl ended with ${code}`);
    return { seen: await asking(server)(ALWAYS), used: (await told)[0] };
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function asking(server: ChildProcess): Ask {
  return async (question) => {
    server.send(question);
    const [seen] = (await once(server, "message")) as [LightWebSeen];
    return seen;
  };
}

/** Looks again and again, half a second apart. */
async function until(ask: Ask, isSo: (seen: LightWebSeen) => boolean): Promise<LightWebSeen> {
  for (;;) {
    const seen = await ask(ALWAYS);
    if (isSo(seen)) return seen;
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** From the first pages on; and what was used before. */
interface Rate {
  readonly rate: number;
  readonly micros: number;
  readonly startSeconds: number;
}

async function rateOf(lanes: string): Promise<Rate> {
  const pages = Number(values.pages);
  let began: LightWebSeen | null = null;
  let usedBefore = 0;
  const { seen, used } = await run({
    web: { hosts: Number(values.hosts), addresses: 60_000 },
    flags: [
      ...["--delay", "0", "--ip-delay", "0", "-c", "64", "-n", String(pages), "--lanes", lanes],
    ],
    meanwhile: async (ask, crawl) => {
      began = await until(ask, ({ visits }) => visits >= Math.min(FIRST_PAGES, pages / 2));
      usedBefore = 1000 * usedMsOf(crawl.pid ?? 0);
    },
  });
  const first = began as LightWebSeen | null;
  if (first === null) throw new Error("the crawl never began");
  const seconds = (seen.lastAtMs - first.lastAtMs) / 1000;
  const counted = seen.visits - first.visits;
  return {
    rate: counted / seconds,
    micros: (used.user + used.system - usedBefore) / counted,
    startSeconds: usedBefore / 1e6,
  };
}

async function rates(): Promise<void> {
  const medians: number[] = [];
  const counts = values.lanes.split(",");
  const rounds = new Map<string, Rate[]>();
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const lanes of round % 2 === 0 ? counts : counts.toReversed()) {
      rounds.set(lanes, [...(rounds.get(lanes) ?? []), await rateOf(lanes)]);
    }
  }
  for (const lanes of counts) {
    const measured = rounds.get(lanes) ?? [];
    const median = (part: keyof Rate): number =>
      shareOf(
        measured.map((each) => each[part]),
        0.5,
      );
    medians.push(median("rate"));
    console.log(
      `${lanes} lane${lanes === "1" ? "" : "s"}: ${median("rate").toFixed(0)} pages/s, ` +
        `${median("micros").toFixed(0)} µs of processor time a page, ${values.hosts} hosts queued; ` +
        `${median("startSeconds").toFixed(1)} s of it before`,
    );
  }
  const [one, two] = medians;
  if (one === undefined || two === undefined) return;
  const cores = availableParallelism();
  const isKept = two / one >= PROMISED_RATIO ? "kept" : "BROKEN";
  const verdict = cores >= CORES_NEEDED ? isKept : `needs ${CORES_NEEDED} cores, here are ${cores}`;
  console.log(`ratio ${(two / one).toFixed(2)} (promised ${PROMISED_RATIO}: ${verdict})`);
}

/** Delays that this machine can keep up with: 125 visits a second. */
const ADDRESS_DELAY_MS = 4000;
const WARM_UP_MS = 20_000;
const WINDOW_MS = 40_000;

async function front(): Promise<void> {
  const web = { hosts: 2000, addresses: 500 };
  let share = Number.NaN;
  await run({
    web,
    flags: [
      ...["--delay", `${4 * ADDRESS_DELAY_MS}ms`, "--ip-delay", `${ADDRESS_DELAY_MS}ms`],
      ...["-c", "500", "--lanes", values.lanes.split(",").at(-1) ?? "1"],
    ],
    meanwhile: async (ask, crawl) => {
      const { firstAtMs } = await until(ask, ({ visits }) => visits > 0);
      const fromMs = firstAtMs + WARM_UP_MS;
      const toMs = fromMs + WINDOW_MS;
      await new Promise((done) => setTimeout(done, toMs + 500 - Date.now()));
      const { visits, serviceMs, addresses, gapMs } = await ask({ fromMs, toMs });
      crawl.kill("SIGINT");
      share = ((ADDRESS_DELAY_MS + serviceMs) / gapMs) * (addresses / web.addresses);
      console.log(
        `front: ${visits} visits of ${addresses} addresses in ${WINDOW_MS / 1000} s, one in ` +
          `${gapMs.toFixed(0)} ms each; politeness asks for ${(ADDRESS_DELAY_MS + serviceMs).toFixed(0)}`,
      );
    },
  });
  const verdict = share >= PROMISED_SHARE ? "kept" : "BROKEN";
  console.log(`share ${share.toFixed(3)} (promised ${PROMISED_SHARE}: ${verdict})`);
}

if (values.part !== "front") await rates();
if (values.part !== "rate") await front();
