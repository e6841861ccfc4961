/** Servers that are killed while their agents talk: nobody waits for ever, and all reach each other again. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { allReached, greet, hello, MeshRig } from "../../../../test/support/base/mesh-rig.ts";
import { needsProgram } from "../../../../test/support/requirement.ts";
import { SeededRandom } from "../../random/index.ts";
import type { ServedTransport } from "../nats/served-transport.ts";
import { findServer } from "./find-server.ts";

const skip = needsProgram("nats-server");
const IDS = ["a", "b", "c"];
const KILLS = 6;
const REQUESTS = 300;

/** Three agents that have reached each other; each has named the others that were there before. */
async function three(rig: MeshRig): Promise<ServedTransport[]> {
  const transports: ServedTransport[] = [];
  const listening: string[] = [];
  for (const id of IDS) {
    const mesh = await rig.open(id, { join: [...listening] });
    listening.push(mesh.listening);
    const transport = await mesh.connect(id, "test");
    greet(transport);
    transports.push(transport);
  }
  await allReached(rig, transports);
  return transports;
}

/** Requests between all, some of them while servers are down; resolves to how many had which answer. */
async function talk(
  transports: readonly ServedTransport[],
  random: SeededRandom,
  between: (asked: number) => Promise<void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const open: Promise<void>[] = [];
  for (let asked = 0; asked < REQUESTS; asked += 1) {
    const from = transports[random.below(transports.length)];
    const to = IDS[random.below(IDS.length)];
    assert(from !== undefined && to !== undefined);
    const ended = hello(from, to).then(({ kind }) => {
      counts[kind] = (counts[kind] ?? 0) + 1;
    });
    open.push(ended);
    await between(asked);
  }
  await Promise.all(open);
  return counts;
}

test("whichever server is killed, and when, every request has one answer, and all is well again", {
  skip,
}, async (context) => {
  const seed = `${process.env["TROBAR_TEST_SEED"] ?? process.hrtime.bigint()}`;
  context.diagnostic(`seed ${seed}`);
  const random = new SeededRandom(seed);
  await using rig = new MeshRig();
  const transports = await three(rig);
  const killed: string[] = [];
  const counts = await talk(transports, random, async (asked) => {
    if (asked % 5 === 4) await new Promise<void>((resolve) => rig.clock.after(1, resolve));
    if (asked % (REQUESTS / KILLS) !== 20) return;
    const id = IDS[random.below(IDS.length)] ?? "a";
    await rig.event(`${id} started`, killed.filter((each) => each === id).length);
    process.kill(rig.serverOf(id), "SIGKILL");
    killed.push(id);
  });
  context.diagnostic(`killed ${killed.join(" ")}; answers ${JSON.stringify(counts)}`);
  const answers = Object.values(counts).reduce((sum, count) => sum + count, 0);
  assert.equal(answers, REQUESTS, "each request has one answer");
  assert.deepEqual(
    Object.keys(counts).filter((kind) => !["reply", "timed-out", "unreachable"].includes(kind)),
    [],
  );
  for (const id of new Set(killed)) {
    await rig.event(`${id} started`, killed.filter((each) => each === id).length);
  }
  await allReached(rig, transports);
  assert.deepEqual(
    await talk(transports, random, () => Promise.resolve()),
    { reply: REQUESTS },
    "nothing is lost once all have reached each other",
  );
});

test("a server that cannot be started again is tried until it can", { skip }, async () => {
  await using rig = new MeshRig();
  const found = await findServer(null);
  assert(found !== null);
  const broken = join(rig.folder, "broken");
  const program = join(rig.folder, "sometimes");
  writeFileSync(program, `#!/bin/sh\n[ -e '${broken}' ] && exit 1\nexec '${found.program}' "$@"\n`);
  chmodSync(program, 0o700);
  const mesh = await rig.open("a", { program });
  const transport = await mesh.connect("a", "test");
  greet(transport);
  writeFileSync(broken, "");
  process.kill(rig.serverOf("a"), "SIGKILL");
  await rig.event("a failed", 4);
  assert.equal((await hello(transport, "a")).kind, "unreachable");
  rmSync(broken);
  await rig.event("a started");
  await allReached(rig, [transport]);
  assert.deepEqual([...new Set(rig.events)], ["a ended", "a failed", "a started"]);
});

test("so is one whose files cannot be written for a while", { skip }, async () => {
  await using rig = new MeshRig();
  const mesh = await rig.open("a");
  const transport = await mesh.connect("a", "test");
  greet(transport);
  const inTheWay = join(rig.pathOf("a"), ".server.conf.tmp");
  mkdirSync(inTheWay);
  process.kill(rig.serverOf("a"), "SIGKILL");
  await rig.event("a failed", 2);
  rmdirSync(inTheWay);
  await rig.event("a started");
  await allReached(rig, [transport]);
});
