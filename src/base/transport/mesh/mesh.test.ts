import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { allReached, greet, hello, MeshRig } from "../../../../test/support/base/mesh-rig.ts";
import { OpenTimers } from "../../../../test/support/base/open-timers.ts";
import { needsProgram } from "../../../../test/support/requirement.ts";
import type { ServedTransport } from "../nats/served-transport.ts";
import type { Mesh } from "./mesh.ts";

const skip = needsProgram("nats-server");

async function connected(mesh: Mesh, id: string): Promise<ServedTransport> {
  const transport = await mesh.connect(id, "test");
  greet(transport);
  return transport;
}

/** `a` is the first; the others join it. */
async function meshOf(rig: MeshRig, ...ids: readonly string[]): Promise<Map<string, Mesh>> {
  const meshes = new Map<string, Mesh>();
  for (const id of ids) {
    const first = meshes.get("a");
    meshes.set(id, await rig.open(id, { join: first === undefined ? [] : [first.listening] }));
  }
  return meshes;
}

test("agents that join one server reach each other over their own", { skip }, async () => {
  await using rig = new MeshRig();
  const meshes = await meshOf(rig, "a", "b", "c");
  const transports = await Promise.all([...meshes].map(([id, mesh]) => connected(mesh, id)));
  await allReached(rig, transports);
  // b and c know each other from a only, and do not need it any more.
  await meshes.get("a")?.close();
  await allReached(rig, transports.slice(1));
});

test("what a server needs can be read by its user alone", { skip }, async () => {
  await using rig = new MeshRig();
  await rig.open("a");
  assert.equal(statSync(rig.pathOf("a")).mode & 0o777, 0o700);
  const names = readdirSync(rig.pathOf("a")).filter((name) => !/\.(?:ports|pid)$/.test(name));
  assert.deepEqual(names.sort(), [
    ...["certificate.pem", "key.pem", "ports.json", "server.conf", "server.log"],
  ]);
  for (const name of names) {
    assert.equal(statSync(join(rig.pathOf("a"), name)).mode & 0o777, 0o600, name);
  }
  assert.equal(statSync(join(rig.folder, "state/trobar/join.token")).mode & 0o777, 0o600);
});

test("a server that is killed is started again, at its ports", { skip }, async () => {
  await using rig = new MeshRig();
  const meshes = await meshOf(rig, "a", "b");
  const transports = await Promise.all([...meshes].map(([id, mesh]) => connected(mesh, id)));
  await allReached(rig, transports);
  const listening = meshes.get("a")?.listening;
  process.kill(rig.serverOf("a"), "SIGKILL");
  await rig.event("a started");
  await allReached(rig, transports);
  assert.equal(meshes.get("a")?.listening, listening);
  assert.deepEqual(rig.events, ["a ended", "a started"]);
});

test("when all servers are killed, each returns and they find each other", { skip }, async () => {
  await using rig = new MeshRig();
  const ids = ["a", "b", "c"];
  const meshes = await meshOf(rig, ...ids);
  const transports = await Promise.all([...meshes].map(([id, mesh]) => connected(mesh, id)));
  await allReached(rig, transports);
  for (const id of ids) process.kill(rig.serverOf(id), "SIGKILL");
  for (const id of ids) await rig.event(`${id} started`);
  await allReached(rig, transports);
});

test("a server that hangs is killed and started again", { skip }, async () => {
  await using rig = new MeshRig();
  const transport = await connected(await rig.open("a", { silenceMs: 50 }), "a");
  assert.equal((await hello(transport, "a")).kind, "reply");
  process.kill(rig.serverOf("a"), "SIGSTOP");
  await rig.event("a started");
  assert.deepEqual(rig.events, ["a hung", "a ended", "a started"]);
  await allReached(rig, [transport]);
});

test("a server that has started, and answers again after a pause, is not killed later", {
  skip,
}, async () => {
  await using rig = new MeshRig();
  const clock = new OpenTimers();
  const mesh = await rig.open("a", { silenceMs: 50, clock });
  assert.ok(clock.longestMs < 2000, "it is ready");
  const transport = await mesh.connect("a", "test");
  process.kill(rig.serverOf("a"), "SIGSTOP");
  await rig.until(() => !transport.isConnected);
  process.kill(rig.serverOf("a"), "SIGCONT");
  await rig.until(() => transport.isConnected);
  assert.ok(clock.longestMs < 2000, "its client has found it");
});

test("a mesh that is closed leaves no server", { skip }, async () => {
  await using rig = new MeshRig();
  const mesh = await rig.open("a");
  const id = rig.serverOf("a");
  await mesh.close();
  assert.throws(() => process.kill(id, 0), { code: "ESRCH" });
  assert.deepEqual(rig.events, []);
});
