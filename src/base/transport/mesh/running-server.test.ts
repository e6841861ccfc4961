import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MeshRig } from "../../../../test/support/base/mesh-rig.ts";
import { OpenTimers } from "../../../../test/support/base/open-timers.ts";
import { needsProgram } from "../../../../test/support/requirement.ts";

const skip = needsProgram("nats-server");
const HOLDER = new URL("./mesh-holder.fixture.ts", import.meta.url).pathname;

/** Another process, with its part of a mesh open in the folder of this name. */
async function startHolder(rig: MeshRig, name: string): Promise<ChildProcess> {
  const holder = spawn(process.execPath, [HOLDER, rig.pathOf(name)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, XDG_STATE_HOME: join(rig.folder, "state") },
  });
  assert(holder.stdout !== null);
  await once(holder.stdout, "data");
  return holder;
}

/** By the system: one that nobody has waited for is gone too. */
function isRunning(id: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("a server ends when the process of its agent is killed", { skip }, async () => {
  await using rig = new MeshRig();
  const holder = await startHolder(rig, "a");
  const server = rig.serverOf("a");
  assert.ok(isRunning(server));
  holder.kill("SIGKILL");
  await rig.until(() => !isRunning(server));
});

test("a server that does not end when it is asked to is killed", { skip }, async () => {
  await using rig = new MeshRig();
  const clock = new OpenTimers();
  const mesh = await rig.open("a", { clock });
  const server = rig.serverOf("a");
  process.kill(server, "SIGSTOP");
  const closed = mesh.close();
  await rig.until(() => clock.longestMs >= 2000);
  clock.ring(2000);
  await closed;
  assert.ok(!isRunning(server));
});

test("a server that is stopped together with its guard is killed", { skip }, async () => {
  await using rig = new MeshRig();
  const clock = new OpenTimers();
  const mesh = await rig.open("a", { clock });
  const server = rig.serverOf("a");
  const group = Number(readFileSync(`/proc/${server}/stat`, "utf8").split(" ")[4]);
  process.kill(-group, "SIGSTOP");
  const closed = mesh.close();
  await rig.until(() => clock.longestMs >= 2000);
  clock.ring(2000);
  await closed;
  assert.ok(!isRunning(server));
});

test("a server that hangs when it is started is killed, and that is told", { skip }, async () => {
  await using rig = new MeshRig();
  const clock = new OpenTimers();
  const program = join(rig.folder, "hanging");
  const left = join(rig.folder, "left");
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$1" = -c ] || { echo nats-server: v2.10.0; exit; }\necho $$ > ${left}\nkill -STOP $$\n`,
  );
  chmodSync(program, 0o700);
  const refused = assert.rejects(rig.open("a", { clock, program }), {
    code: "CLUSTER_MESH_FAILED",
  });
  await rig.until(() => existsSync(left) && clock.longestMs >= 20_000);
  clock.ring(20_000);
  await refused;
  assert.ok(!isRunning(Number(readFileSync(left, "utf8"))));
});

test("a server that hangs before its agent is in is replaced", { skip }, async () => {
  await using rig = new MeshRig();
  const clock = new OpenTimers();
  const mesh = await rig.open("a", { clock });
  const server = rig.serverOf("a");
  process.kill(server, "SIGSTOP");
  const connected = mesh.connect("a", "test");
  await rig.until(() => clock.longestMs >= 6000);
  clock.ring(6000);
  assert.ok((await connected).isConnected);
  assert.deepEqual(rig.events, ["a hung", "a ended", "a started"]);
  assert.ok(!isRunning(server));
});

test("nothing is waited for when a server has ended, and only its owner can read what it said", {
  skip,
}, async () => {
  await using rig = new MeshRig();
  const clock = new OpenTimers();
  const mesh = await rig.open("a", { clock });
  assert.equal(statSync(join(rig.pathOf("a"), "server.log")).mode & 0o077, 0);
  await mesh.close();
  assert.equal(clock.longestMs, 0);
});

test("an interruption from the keyboard is not for the server", { skip }, async () => {
  await using rig = new MeshRig();
  await rig.open("a");
  const fields = readFileSync(`/proc/${rig.serverOf("a")}/stat`, "utf8").split(" ");
  const own = readFileSync("/proc/self/stat", "utf8").split(" ");
  assert.notEqual(fields[4], own[4], "they are in the same group of processes");
});

test("a server that was left running is ended by the next start", { skip }, async () => {
  await using rig = new MeshRig();
  const holder = await startHolder(rig, "a");
  const left = rig.serverOf("a");
  // So that it does not start another.
  holder.kill("SIGSTOP");
  const guard = readFileSync(`/proc/${left}/stat`, "utf8").split(" ")[3];
  const guarded = readFileSync(`/proc/${guard}/task/${guard}/children`, "utf8").trim().split(" ");
  for (const id of [Number(guard), ...guarded.map(Number)]) {
    if (id !== left) process.kill(id, "SIGKILL");
  }
  holder.kill("SIGKILL");
  await once(holder, "exit");
  assert.ok(isRunning(left));
  await rig.open("a");
  assert.ok(!isRunning(left));
  assert.notEqual(rig.serverOf("a"), left);
});

test("a number in the file that is another process's is left alone", { skip }, async () => {
  await using rig = new MeshRig();
  const mesh = await rig.open("a");
  await mesh.close();
  writeFileSync(join(rig.pathOf("a"), "server.pid"), `${process.pid}`);
  await rig.open("a");
});

test("why a server does not start is told in its own words", { skip }, async () => {
  await using rig = new MeshRig();
  const { listening } = await rig.open("a");
  await assert.rejects(rig.open("b", { listen: listening }), {
    code: "CLUSTER_PORT_IN_USE",
    message: /listens at 127\.0\.0\.1:\d+,.*address already in use.*--listen/,
  });
  // No machine of a user has this address.
  await assert.rejects(rig.open("b", { listen: "192.0.2.1:7001" }), {
    code: "CLUSTER_MESH_FAILED",
    message: /started at 192\.0\.2\.1:7001: .*cannot assign requested address.*server\.log/,
  });
  const program = join(rig.folder, "mute");
  writeFileSync(program, '#!/bin/sh\n[ "$1" = -c ] || echo nats-server: v2.10.0\n');
  chmodSync(program, 0o700);
  await assert.rejects(rig.open("c", { program }), { message: /it says nothing/ });
});
