/**
 * Nodes of a cluster among liars: messages of every kind, as they were sent, damaged, or made up by somebody
 * who knows how they are read. Whoever has the token of a cluster can make it crawl nonsense; but no
 * message ends a process or makes it grow without bound, and what is to be dropped changes nothing.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sender } from "../../src/cluster/messages/index.ts";
import { type Overheard, opened, rareOnes, sealed } from "./altered-messages.ts";
import { LyingCluster } from "./lying-cluster.ts";

const SEED = process.env["TROBAR_FUZZ_SEED"] ?? "trobar";
const TRIALS = process.env["TROBAR_FULL"] === "1" ? 300 : 3;
/** What three nodes and the simulator take, several times over. */
const HEAP_BYTES_MAX = 400e6;

test("no message stops a node, whatever is in it and whoever has sent it", () => {
  for (let number = 0; number < TRIALS; number += 1) {
    const seed = `${SEED}/${number}`;
    const world = warmed(seed, number % 2 === 0 ? "continue" : "fence");
    try {
      lie(world);
    } catch (cause) {
      const { kind = "", body = new Uint8Array(), isReply = false } = world.lastLie ?? {};
      const bytes = Buffer.from(body.subarray(0, 300)).toString("base64");
      throw new Error(`seed ${seed}, last ${isReply ? "reply" : "message"} ${kind} ${bytes}`, {
        cause,
      });
    }
    assert.ok(process.memoryUsage().heapUsed < HEAP_BYTES_MAX, seed);
  }
});

/** Why a message counts for nothing, and how one is made of another that did count. */
const VOID: readonly [why: string, make: (told: Overheard) => Overheard | null][] = [
  ["crawl", (told) => signed(told, () => ({ crawl: "another" }))],
  ["stale", (told) => signed(told, ({ place }) => ({ place: { ...place, generation: 1 } }))],
  ["stale", (told) => signed(told, () => ({ incarnation: 0 }))],
  ["stale", (told) => signed(told, () => ({ place: { id: "a0", generation: 1 } }))],
  ["capacity", (told) => signed(told, () => ({ capacity: 7 }))],
  ["version", (told) => withBytes(told, [0x20, ...told.body.subarray(1)])],
  ["malformed", (told) => withBytes(told, [...told.body.subarray(0, 9)])],
  ["malformed", (told) => signed(told, () => ({ capacity: Number.NaN }))],
  ["malformed", (told) => signed(told, () => ({ capacity: 1e9 }))],
  ["malformed", (told) => signed(told, ({ place }) => ({ place: { ...place, id: "../a" } }))],
  ["malformed", (told) => signed(told, () => ({ place: { id: "a1", generation: 2 ** 53 - 1 } }))],
];

/** Before they know the crawl, agents say these, and are listened to whoever they are. */
const EARLY = /\.(?:who|known|configuration)$/;

test("a message that does not count is counted as dropped, and changes nothing on the disk", () => {
  const world = warmed(`${SEED}/void`);
  world.kernel.pass(20_000);
  const told = world.overheard.filter(
    (one) => !one.isReply && opened(one)?.sender.place.id === "a1",
  );
  const beat = told.find(({ kind }) => kind.endsWith("beat")) as Overheard;
  const counting = [...rareOnes(beat), ...told].filter(({ kind }) => !EARLY.test(kind));
  const kinds = new Map(counting.map((one) => [one.kind, one]));
  assert.ok(kinds.size >= 15, `there are enough kinds: ${[...kinds.keys()]}`);
  for (const one of kinds.values()) {
    for (const [why, make] of VOID) {
      const message = make(one);
      assert.ok(message !== null);
      assertDropped(world, why, message);
    }
    assertDropped(world, "forged", one, "forger");
    assertDropped(world, "forged", one, "a2");
  }
});

function assertDropped(world: LyingCluster, why: string, message: Overheard, from?: string): void {
  const before = stateOf(world);
  world.send("a0", message, from);
  world.kernel.pass(50);
  const after = stateOf(world);
  assert.deepEqual(after.files, before.files, `${message.kind}, ${why}`);
  const more = (after.dropped.get(why) ?? 0) - (before.dropped.get(why) ?? 0);
  assert.equal(more, 1, `${message.kind}, ${why}`);
}

/** A cluster that has worked for a while. */
function warmed(seed: string, partition: "continue" | "fence" = "continue"): LyingCluster {
  const world = new LyingCluster(seed, partition);
  world.settle();
  for (let at = 0; at < 40; at += 1) {
    world.stir();
    world.kernel.pass(50);
  }
  return world;
}

function lie(world: LyingCluster): void {
  world.isLying = true;
  for (let at = 0; at < 300; at += 1) {
    if (at % 3 === 0) world.stir();
    world.forge();
    world.kernel.pass(30);
  }
}

function signed(told: Overheard, change: (sender: Sender) => Partial<Sender>): Overheard | null {
  const message = opened(told);
  if (message === null) return null;
  const sender = { ...message.sender, ...change(message.sender) };
  return sealed(told, { ...message, sender });
}

function withBytes(told: Overheard, bytes: readonly number[]): Overheard {
  return { ...told, body: Uint8Array.from(bytes) };
}

interface State {
  readonly files: Readonly<Record<string, string>>;
  readonly dropped: ReadonlyMap<string, number>;
}

/** What the first agent has on its disk and has dropped. */
function stateOf(world: LyingCluster): State {
  const [disk] = world.disks;
  assert.ok(disk !== undefined);
  const files = Object.fromEntries(
    disk.fileNames().map((name) => [name, Buffer.from(disk.contentOf(name) ?? []).toString("hex")]),
  );
  return { files, dropped: new Map(world.agent(0).node.status.dropped) };
}
