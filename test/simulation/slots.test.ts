/**
 * A1 with several agents that fetch from the same addresses, crash, are cut off from each other, and
 * lose, double and delay messages: two of them that hear each other never fetch from an address at once,
 * nor sooner after one another than allowed; and whoever waits gets its turn.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { AddressSlots } from "../../src/cluster/slots/index.ts";
import { type Peer, Peers } from "../support/cluster/peers.ts";

const SETTINGS = {
  ...{
    ipDelayMs: 250,
    totalTimeoutMs: 3000,
    deadAfterMs: 6000,
    timeoutMs: 400,
    retryMs: 100,
    forgetMs: 6000,
  },
};
const DEAD_AFTER_MS = 1500;
/** After a partition it takes so long until all agree on who grants, and old fetches have ended. */
const HEALING_MS = 6000;

interface Fetch {
  readonly agent: string;
  readonly address: string;
  readonly beganAtMs: number;
  endedAtMs: number | null;
}

/** Sees every fetch, and judges. */
class Web {
  readonly #now: () => number;
  readonly #latest = new Map<string, Fetch[]>();
  /** How often each agent has fetched from each address since `counts` was cleared. */
  readonly counts = new Map<string, number>();
  /** Whether two agents hear each other, and have done so for some time. */
  areConnected: (one: string, other: string) => boolean = () => true;

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(agent: string, address: string): Fetch {
    const fetch: Fetch = { agent, address, beganAtMs: this.#now(), endedAtMs: null };
    const others = (this.#latest.get(address) ?? []).filter((last) => last.agent !== agent);
    for (const last of others) if (this.areConnected(last.agent, agent)) compare(last, fetch);
    this.#latest.set(address, [...others, fetch]);
    const key = `${agent} ${address}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return fetch;
  }

  end(fetch: Fetch): void {
    fetch.endedAtMs ??= this.#now();
  }

  died(agent: string): void {
    for (const fetch of [...this.#latest.values()].flat()) {
      if (fetch.agent === agent) this.end(fetch);
    }
  }
}

function compare(last: Fetch, next: Fetch): void {
  const gapMs = last.endedAtMs === null ? -1 : next.beganAtMs - last.endedAtMs;
  assert.ok(
    gapMs >= SETTINGS.ipDelayMs * 0.999,
    `${next.address}: ${next.agent} begins at ${next.beganAtMs}, ${last.agent} has begun at ` +
      `${last.beganAtMs} and ended at ${last.endedAtMs}`,
  );
}

/** One life of an agent that fetches from some addresses again and again. */
class Crawler {
  readonly slots: AddressSlots;
  readonly #peer: Peer;
  readonly #trial: Trial;

  constructor(peer: Peer, trial: Trial) {
    const { messenger, view, life } = peer;
    this.#peer = peer;
    this.#trial = trial;
    this.slots = new AddressSlots({ clock: life.clock, messenger, view, settings: SETTINGS });
    view.changed = () => this.slots.viewChanged();
    this.slots.start();
    for (const address of trial.addresses) this.#visit(address);
  }

  /** One fetch from the address, if this agent has hosts there at the moment. */
  #visit(address: string): void {
    const { id, life } = this.#peer;
    const { clock, random } = life;
    if (!this.#trial.isUsed(id, address)) {
      this.#later(address);
      return;
    }
    let isFlying = false;
    const release = this.slots.acquire(address, () => {
      isFlying = true;
      const fetch = this.#trial.web.begin(id, address);
      const isSlow = random.below(20) === 0;
      clock.after(random.below(isSlow ? SETTINGS.totalTimeoutMs : 150), () => {
        this.#trial.web.end(fetch);
        release();
        this.#later(address);
      });
    });
    if (random.below(10) > 0) return;
    // Some are withdrawn while they wait.
    clock.after(random.below(300), () => {
      if (isFlying) return;
      release();
      this.#later(address);
    });
  }

  #later(address: string): void {
    const { clock, random } = this.#peer.life;
    clock.after(SETTINGS.ipDelayMs + random.below(600), () => this.#visit(address));
  }
}

class Trial {
  readonly peers: Peers<Crawler>;
  readonly web: Web;
  readonly addresses: readonly string[];
  readonly #random: Random;
  readonly #used = new Map<string, boolean>();
  #side: ReadonlySet<string> = new Set();
  #healedAtMs = Number.NEGATIVE_INFINITY;
  /** Changes which agents use which addresses. */
  isChanging = true;

  constructor(seed: string) {
    this.#random = new SeededRandom(seed).fork("trial");
    const ids = ["a", "b", "c", "d", "e"].slice(0, 2 + this.#random.below(4));
    this.addresses = ["192.0.2.1", "192.0.2.2", "2001:db8::3"].slice(0, 1 + this.#random.below(3));
    // Peers boot at once, and a boot uses the web.
    this.web = new Web(() => this.peers?.kernel.nowMs ?? 0);
    this.web.areConnected = (one, other) => {
      const isHealing = this.peers.kernel.nowMs < this.#healedAtMs + HEALING_MS;
      return !isHealing || this.#side.has(one) === this.#side.has(other);
    };
    this.peers = new Peers({
      ...{ seed, ids, beatMs: 200, deadAfterMs: DEAD_AFTER_MS },
      conditions: {
        ...{ lossRatio: 0.05, duplicateRatio: 0.1, reorderRatio: 0.5 },
        ...{ lateRatio: 0.05, lateMsMax: 2000 },
      },
      boot: (peer) => new Crawler(peer, this),
    });
  }

  isUsed(id: string, address: string): boolean {
    const key = `${id} ${address}`;
    const isUsed = this.#used.get(key) ?? true;
    if (this.isChanging && this.#random.below(8) === 0) this.#used.set(key, !isUsed);
    return isUsed;
  }

  useAll(): void {
    this.isChanging = false;
    this.#used.clear();
  }

  strike(): void {
    const { kernel, cluster, ids } = this.peers;
    if (this.#random.below(3) > 0) {
      const id = ids[this.#random.below(ids.length)] as string;
      const undo = cluster.takeDown(id);
      this.web.died(id);
      kernel.schedule(this.#random.below(3000), undo);
      return;
    }
    if (kernel.nowMs < this.#healedAtMs + HEALING_MS) return;
    const side = ids.filter(() => this.#random.below(2) === 0);
    const durationMs = this.#random.below(4000);
    this.#side = new Set(side);
    this.#healedAtMs = kernel.nowMs + durationMs;
    kernel.schedule(durationMs, cluster.network.partition(side));
  }

  run(): void {
    const { kernel, ids, cluster } = this.peers;
    for (let faults = this.#random.below(5); faults > 0; faults -= 1) {
      kernel.schedule(1000 + this.#random.below(14_000), () => this.strike());
    }
    kernel.pass(22_000);
    for (const id of ids) assert.ok(cluster.node(id).life !== null, "all are up again");
    this.useAll();
    this.web.counts.clear();
    const isDone = (): boolean =>
      ids.every((id) =>
        this.addresses.every((address) => (this.web.counts.get(`${id} ${address}`) ?? 0) >= 3),
      );
    kernel.runUntil(isDone, { stepsMax: 500_000, virtualMsMax: 120_000 });
    assert.ok(isDone(), `everybody gets its turn: ${[...this.web.counts].join("; ")}`);
  }
}

const RUNS = process.env["TROBAR_FULL"] === "1" ? 3000 : 50;

test("A1: agents that hear each other are polite to an address together, and none starves", () => {
  for (let seed = 0; seed < RUNS; seed += 1) {
    try {
      new Trial(String(seed)).run();
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    }
  }
});
