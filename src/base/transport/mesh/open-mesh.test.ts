import assert from "node:assert/strict";
import { chmodSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { allReached, greet, MeshRig } from "../../../../test/support/base/mesh-rig.ts";
import { needsProgram } from "../../../../test/support/requirement.ts";
import { makeToken, printToken } from "./join-token.ts";

const skip = needsProgram("nats-server");

test("an agent listens where it did before, if nobody else does", { skip }, async () => {
  await using rig = new MeshRig();
  const first = await rig.open("a");
  await first.close();
  const again = await rig.open("a");
  assert.equal(again.listening, first.listening);
  await again.close();
  await rig.open("b", { listen: first.listening });
  assert.notEqual((await rig.open("a")).listening, first.listening);
});

test("an agent may be among those that it joins, so that all can have the same list", {
  skip,
}, async () => {
  await using rig = new MeshRig();
  const before = await rig.open("a");
  await before.close();
  const { listening } = before;
  const list = [listening, listening.replace("127.0.0.1", "localhost")];
  const meshes = [await rig.open("a", { join: list }), await rig.open("b", { join: list })];
  const transports = await Promise.all(meshes.map((mesh, at) => mesh.connect(`${at}`, "test")));
  transports.forEach(greet);
  await allReached(rig, transports);
  assert.deepEqual(rig.events, [], "nobody is unwelcome");
});

test("agents with copies of a token join each other, however their machines are named", {
  skip,
}, async () => {
  await using rig = new MeshRig();
  const token = join(rig.folder, "first.token");
  writeFileSync(token, printToken(makeToken(null)));
  chmodSync(token, 0o644);
  const first = await rig.open("a", { token });
  assert.deepEqual(rig.events, ["a exposed"]);
  const copy = join(rig.folder, "second.token");
  writeFileSync(copy, first.token());
  // Another user: another folder for what is the user's own.
  const environment = { XDG_STATE_HOME: join(rig.folder, "other") };
  const peer = first.listening.replace("127.0.0.1", "localhost");
  const second = await rig.open("b", { token: copy, environment, join: [peer] });
  const transports = [await first.connect("a", "test"), await second.connect("b", "test")];
  transports.forEach(greet);
  await allReached(rig, transports);
});

test("a log that the server has put aside is removed", { skip }, async () => {
  await using rig = new MeshRig();
  await rig.open("a");
  const log = join(rig.pathOf("a"), "server.log");
  renameSync(log, `${log}.2026.01.02`);
  writeFileSync(log, "");
  await rig.until(() => !existsSync(`${log}.2026.01.02`));
});

test("a token for another crawl, or none at all, is refused before anything starts", {
  skip,
}, async () => {
  await using rig = new MeshRig();
  const token = join(rig.folder, "join.token");
  const refusal = { code: "CLUSTER_TOKEN_INVALID" };
  await assert.rejects(rig.open("a", { token }), refusal);
  writeFileSync(token, printToken(makeToken("0".repeat(32))));
  await assert.rejects(rig.open("a", { token, crawl: "1".repeat(32) }), refusal);
  await rig.open("a", { token, crawl: "0".repeat(32) });
});

test("a stranger without the key of the token hears nothing where agents reach each other", {
  skip,
}, async () => {
  await using rig = new MeshRig();
  const { listening } = await rig.open("a");
  const { hostname: host, port } = new URL(`tcp://${listening}`);
  const heard = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(Number(port), host, () =>
      socket.write('CONNECT {"verbose":false}\r\nPING\r\nSUB > 1\r\n'),
    );
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });
  assert.doesNotMatch(heard, /PONG|MSG|\bRS/);
});
