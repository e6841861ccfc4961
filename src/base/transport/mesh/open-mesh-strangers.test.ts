/** Who is not let in, tried on the version of nats-server that is installed. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { connect as connectTls, createServer } from "node:tls";
import { connect, type NodeConnectionOptions, nkeyAuthenticator } from "@nats-io/transport-node";
import { hello, MeshRig } from "../../../../test/support/base/mesh-rig.ts";
import { NatsServer } from "../../../../test/support/base/nats-server.ts";
import { needsProgram } from "../../../../test/support/requirement.ts";
import { type JoinToken, makeToken, printToken, readToken } from "./join-token.ts";
import type { Mesh } from "./mesh.ts";
import type { ConnectionRefusal } from "./server-words.ts";

const skip = needsProgram("nats-server");
/** A key that no server knows. */
const STRANGE_KEY = "SUAIQVRNQR7O33XJIZYAEWQMDAX2WMRQ53Q7HHU5XHXLXG5ZRF7PDG54OI";

function clientPortOf(rig: MeshRig, name: string): number {
  const folder = rig.pathOf(name);
  const file = readdirSync(folder).find((entry) => entry.endsWith(".ports")) ?? "";
  const { nats } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
    readonly nats: readonly [string];
  };
  return Number(new URL(nats[0]).port);
}

function ownTokenOf(rig: MeshRig): JoinToken {
  return readToken(join(rig.folder, "state/trobar/join.token"));
}

function tokenFile(rig: MeshRig, token: JoinToken): string {
  const path = join(rig.folder, `${token.password}.token`);
  writeFileSync(path, printToken(token));
  return path;
}

function counted(rig: MeshRig, mesh: Mesh, why: ConnectionRefusal, times: number): Promise<void> {
  return rig.until(() => (mesh.refused.get(why) ?? 0) >= times);
}

test("a client needs the key of the mesh, and that of its server", { skip }, async () => {
  await using rig = new MeshRig();
  const mesh = await rig.open("a");
  const { certificate, key, password } = ownTokenOf(rig);
  const other = makeToken(null);
  const tls = { ca: certificate, cert: certificate, key };
  const authenticator = nkeyAuthenticator(Buffer.from(STRANGE_KEY));
  const tries: readonly (readonly [ConnectionRefusal, Partial<NodeConnectionOptions>])[] = [
    ["handshake", {}],
    ["certificate", { tls: { ca: certificate } }],
    ["certificate", { tls: { ca: certificate, cert: other.certificate, key: other.key } }],
    ["login", { tls }],
    ["login", { tls, user: "trobar", pass: password }],
    ["login", { tls, authenticator }],
  ];
  const servers = `127.0.0.1:${clientPortOf(rig, "a")}`;
  for (const [, options] of tries) {
    await assert.rejects(connect({ servers, reconnect: false, timeout: 5000, ...options }));
  }
  await counted(rig, mesh, "login", 3);
  assert.deepEqual(
    [...mesh.refused],
    [
      ["handshake", 1],
      ["certificate", 2],
      ["login", 3],
    ],
  );
});

test("what is not the protocol is cut off, even from one who has the token", {
  skip,
}, async () => {
  await using rig = new MeshRig();
  const mesh = await rig.open("a");
  const { certificate: cert, key, password } = ownTokenOf(rig);
  const { hostname: host, port } = new URL(`tcp://${mesh.listening}`);
  const login = JSON.stringify({ user: "trobar", pass: password, name: "x", cluster: "trobar" });
  const words = ["NONSENSE\r\n", `CONNECT ${login}\r\nNONSENSE\r\n`];
  for (const said of words) {
    const socket = connectTls({ host, port: Number(port), cert, key, rejectUnauthorized: false });
    socket.on("error", () => undefined).resume();
    socket.write(said);
    await once(socket, "close");
  }
  await counted(rig, mesh, "malformed", 1);
  assert.deepEqual(Object.fromEntries(mesh.refused), { login: 1, malformed: 1 });
});

test("a server without token is no part of the mesh", { skip }, async () => {
  await using rig = new MeshRig();
  const mesh = await rig.open("a");
  const stranger = await NatsServer.start(
    `cluster: { name: trobar, listen: "127.0.0.1:-1", routes: ["nats-route://${mesh.listening}"] }`,
  );
  try {
    await counted(rig, mesh, "plain", 2);
    assert.doesNotMatch(rig.logOf("a"), /Route connection created/);
  } finally {
    await stranger.stop();
  }
});

test("neither the key nor the password alone lets a server in", { skip }, async () => {
  await using rig = new MeshRig();
  const mesh = await rig.open("a");
  const own = ownTokenOf(rig);
  const other = makeToken(null);
  const peers = { join: [mesh.listening] };
  const keyed = await rig.open("b", {
    ...peers,
    token: tokenFile(rig, { ...own, password: other.password }),
  });
  await counted(rig, mesh, "login", 1);
  const named = await rig.open("c", {
    ...peers,
    token: tokenFile(rig, { ...other, password: own.password }),
  });
  await counted(rig, mesh, "certificate", 1);
  const inside = await mesh.connect("a", "test");
  for (const outside of [keyed, named]) {
    const transport = await outside.connect("x", "test");
    transport.serve("mesh.hello", () => assert.fail("a stranger was reached"));
  }
  assert.equal((await hello(inside, "x")).kind, "unreachable");
});

test("a stranger who waits where an agent joins is told no password", { skip }, async () => {
  await using rig = new MeshRig();
  const { certificate: cert, key } = makeToken(null);
  const heard: Buffer[] = [];
  const stranger = createServer({ cert, key, requestCert: true, rejectUnauthorized: false });
  stranger.on("tlsClientError", () => undefined);
  stranger.on("secureConnection", (socket) => {
    socket.on("data", (bytes) => heard.push(bytes)).on("error", () => undefined);
  });
  await once(stranger.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = stranger.address() as AddressInfo;
    await rig.open("a", { join: [`127.0.0.1:${port}`] });
    await rig.event("a unwelcome");
    assert.equal(Buffer.concat(heard).toString(), "");
  } finally {
    stranger.close();
  }
});

test("a mesh of another user of the machine is another mesh", { skip }, async () => {
  await using rig = new MeshRig();
  const mesh = await rig.open("a");
  const environment = { XDG_STATE_HOME: join(rig.folder, "other") };
  await rig.open("b", { join: [mesh.listening], environment });
  await counted(rig, mesh, "certificate", 1);
  await rig.event("b unwelcome");
});
