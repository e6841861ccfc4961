/** Two sites with two agents each; what goes from one to the other goes over a slow link. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Mesh, ServedTransport } from "../../src/base/transport/index.ts";
import { SlowLink } from "../../src/lab/link/index.ts";
import { allReached, greet, hello, MeshRig } from "../support/base/mesh-rig.ts";
import { needsProgram } from "../support/requirement.ts";

const skip = needsProgram("nats-server");
/** A round trip of 80 ms, and what a lost packet costs. */
const FAR = { oneWayMs: 40, stallShare: 0.01, stallMs: [200, 800] } as const;

interface Member {
  readonly mesh: Mesh;
  /** How the other site reaches it. */
  readonly link: SlowLink;
  readonly transport: ServedTransport;
}

/** Agents of its own site are joined directly, those of the other one by their links. */
async function start(
  rig: MeshRig,
  id: string,
  join: { readonly near?: readonly Member[]; readonly far?: readonly Member[] },
): Promise<Member> {
  let listening = "";
  const link = await SlowLink.open({
    ...{ clock: rig.clock, random: new SeededRandom(`link of ${id}`), slowness: FAR },
    to: () => listening,
  });
  const near = (join.near ?? []).map(({ mesh }) => mesh.listening);
  const far = (join.far ?? []).map((member) => member.link.address);
  const mesh = await rig.open(id, { join: [...near, ...far], advertise: link.address });
  listening = mesh.listening;
  const transport = await mesh.connect(id, "test");
  greet(transport);
  return { mesh, link, transport };
}

async function answerOf(from: Member, to: Member): Promise<string> {
  return (await hello(from.transport, to.transport.self)).kind;
}

test("agents of two sites reach each other over the link alone, and again after it was cut", {
  skip,
}, async () => {
  await using rig = new MeshRig();
  const first = await start(rig, "first", {});
  const second = await start(rig, "second", { near: [first] });
  const third = await start(rig, "third", { far: [first] });
  // It hears of the second from the others.
  const fourth = await start(rig, "fourth", { near: [third] });
  const members = [first, second, third, fourth];
  const transports = members.map(({ transport }) => transport);
  await allReached(rig, transports);
  for (const { link } of members) link.cut();
  for (const [near, far] of [
    [first, third],
    [second, fourth],
    [fourth, first],
    [third, second],
  ] as const) {
    assert.equal(await answerOf(near, far), "timed-out");
  }
  assert.equal(await answerOf(first, second), "reply");
  assert.equal(await answerOf(fourth, third), "reply");
  for (const { link } of members) link.heal();
  await allReached(rig, transports);
  const passed = members.reduce((sum, { link }) => sum + link.passedBytes, 0);
  assert.ok(passed > 0);
  await Promise.all(members.map(({ link }) => link.close()));
});
