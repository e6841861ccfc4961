/**
 * `limits.pagesPerHost` in a cluster: the owner of a host keeps the count, which travels with the host, and is
 * lost with the owner's disk.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClusterMix, ClusterTrial, mixNamed, optionsOf } from "../../src/lab/agents/index.ts";
import { runOnce, type Schedule } from "../../src/lab/simulator/index.ts";

const LIMITS = { stepsMax: 600_000, virtualMsMax: 600_000 };
const CALM = mixNamed("calm") as ClusterMix;
const PER_HOST = 3;
const SEEDS = ["1", "2", "3", "4"];

interface Crawled {
  /** Pages that were asked for, by host. */
  readonly pages: ReadonlyMap<string, number>;
  /** The most of one host by one disk. */
  readonly most: number;
  /** Hosts that several agents have visited. */
  readonly moved: number;
}

function crawled(seed: string, schedule: Schedule): Crawled {
  const trials: ClusterTrial[] = [];
  const build = (kernel: ConstructorParameters<typeof ClusterTrial>[0]): ClusterTrial => {
    const usual = optionsOf(CALM, { agents: 3, spares: 3 }, kernel.random.fork("options"));
    const trial = new ClusterTrial(kernel, {
      ...{ ...usual, hostDelayMs: 1500, pagesPerHostMax: PER_HOST, waitsForAll: true },
      web: { ...usual.web, pagesPerHost: 6, linksMax: 6 },
    });
    trials.push(trial);
    return trial;
  };
  const { failure } = runOnce({ build, limits: LIMITS, checkEvery: 50 }, seed, schedule);
  assert.equal(failure, null, `seed ${seed}: ${failure?.check}: ${failure?.message}`);
  return counted(trials[0] as ClusterTrial);
}

function counted({ world }: ClusterTrial): Crawled {
  const pages = new Map<string, number>();
  const byDisk = new Map<string, number>();
  const visitors = new Map<string, Set<string>>();
  for (const visits of world.fetches.values()) {
    for (const { url, agent, disk } of visits) {
      const { host } = new URL(url);
      const key = `${host} ${agent} ${disk}`;
      pages.set(host, (pages.get(host) ?? 0) + 1);
      byDisk.set(key, (byDisk.get(key) ?? 0) + 1);
      visitors.set(host, (visitors.get(host) ?? new Set()).add(agent));
    }
  }
  const moved = [...visitors.values()].filter(({ size }) => size > 1).length;
  return { pages, most: Math.max(...byDisk.values()), moved };
}

const faultOf = (kind: string, node: string, atMs: number): Schedule[number] => ({
  ...{ kind, nodes: [node], atMs, durationMs: 0, parameters: {} },
});

test("the count of pages of a host travels with the host when agents join", () => {
  let moved = 0;
  for (const seed of SEEDS) {
    const joins = ["a3", "a4", "a5"].map((id, at) => faultOf("join", id, 7000 + 1500 * at));
    const found = crawled(seed, joins);
    moved += found.moved;
    assert.ok(Math.max(...found.pages.values()) === PER_HOST, `seed ${seed}`);
  }
  assert.ok(moved > 0, "hosts have changed hands in mid-crawl");
});

test("the count of pages of a host starts anew when the disk of its owner is lost", () => {
  let most = 0;
  for (const seed of SEEDS) {
    const found = crawled(seed, [faultOf("wipe", "a1", 15_000)]);
    most = Math.max(most, ...found.pages.values());
    assert.equal(found.most, PER_HOST, `seed ${seed}: no disk has more`);
  }
  assert.ok(most > PER_HOST, "the next owner does not know the count");
});
