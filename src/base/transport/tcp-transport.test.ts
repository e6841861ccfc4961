import assert from "node:assert/strict";
import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { OpenTimers } from "../../../test/support/base/open-timers.ts";
import { SystemClock } from "../time/index.ts";
import { type Answer, openTcpTransport, type TcpTransport } from "./index.ts";
import { encodeTcpFrame } from "./tcp-frames.ts";
import { MESSAGE_BYTES_MAX } from "./transport.ts";

const PATIENCE_MS = 30_000;
const EMPTY = new Uint8Array(0);

test("a connection that has ended is opened again for the next request", async () => {
  const first = await open("server", "127.0.0.1:0");
  const address = first.address ?? "";
  echo(first);
  const client = await open("client", null);
  assert.equal((await ask(client, address)).kind, "reply");
  first.close();
  assert.equal((await ask(client, address)).kind, "unreachable");
  const second = await open("server", address);
  echo(second);
  assert.equal((await ask(client, address)).kind, "reply");
  for (const transport of [client, second]) transport.close();
});

test("a caller that speaks anything else is cut off, and others are served on", async () => {
  const server = await open("server", "127.0.0.1:0");
  const address = server.address ?? "";
  echo(server);
  const port = Number(address.split(":")[1]);
  const unannounced = encodeTcpFrame({ purpose: "request", number: 1, kind: "echo", body: EMPTY });
  for (const bytes of [Buffer.from("GET / HTTP/1.1\r\n\r\n"), Buffer.concat(unannounced)]) {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.write(bytes);
    socket.on("error", () => {});
    await once(socket, "close");
  }
  const client = await open("client", null);
  assert.equal((await ask(client, address)).kind, "reply");
  for (const transport of [client, server]) transport.close();
});

test("a server that answers with nonsense is unreachable", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.write(Buffer.alloc(64, 0xff));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const client = await open("client", null);
  assert.deepEqual(await ask(client, `127.0.0.1:${port}`), { kind: "unreachable" });
  client.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("a server that never says a word is dialled anew after a request ran out of time", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const client = await open("client", null);
  for (const dialled of [1, 2]) {
    assert.deepEqual(await ask(client, `127.0.0.1:${port}`, 50), { kind: "timed-out" });
    assert.equal(sockets.length, dialled);
  }
  client.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("an agent that has another address by now is asked there, and the old connection ends", async () => {
  const closed = Promise.withResolvers<void>();
  const before = createServer((socket) => {
    socket.on("error", () => {}).on("close", closed.resolve);
    socket.resume();
  }).listen(0, "127.0.0.1");
  await once(before, "listening");
  const server = await open("server", "127.0.0.1:0");
  echo(server);
  let address = `127.0.0.1:${(before.address() as { port: number }).port}`;
  const client = await open("client", null, { addressOf: () => address });
  const lost = ask(client, "server");
  await once(before, "connection");
  address = server.address ?? "";
  assert.equal((await ask(client, "server")).kind, "reply");
  assert.deepEqual(await lost, { kind: "unreachable" });
  await closed.promise;
  for (const transport of [client, server]) transport.close();
  before.close();
});

test("a request that runs out of time ends no other while its server is heard", async () => {
  const server = await open("server", "127.0.0.1:0");
  const address = server.address ?? "";
  echo(server);
  server.serve("never", () => undefined);
  let respond = (_reply: Uint8Array): void => assert.fail("nothing has come");
  server.serve("slow", (_from, _body, reply) => {
    respond = reply;
  });
  const client = await open("client", null);
  const slow = ask(client, address, PATIENCE_MS, "slow");
  const never = ask(client, address, 500, "never");
  assert.equal((await ask(client, address)).kind, "reply");
  assert.deepEqual(await never, { kind: "timed-out" });
  respond(EMPTY);
  assert.equal((await slow).kind, "reply");
  for (const transport of [client, server]) transport.close();
});

test("nothing is waited for when a request was answered", async () => {
  const server = await open("server", "127.0.0.1:0");
  echo(server);
  const clock = new OpenTimers();
  const client = await open("client", null, { clock });
  assert.equal((await ask(client, server.address ?? "")).kind, "reply");
  assert.equal(clock.longestMs, 0);
  for (const transport of [client, server]) transport.close();
});

test("a connection that takes nothing of what it is given is left for another", async () => {
  const sockets: Socket[] = [];
  const second = Promise.withResolvers<void>();
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.push(socket.on("error", () => {}));
    if (sockets.length === 2) second.resolve();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const client = await open("client", null);
  const message = { kind: "echo", body: new Uint8Array(MESSAGE_BYTES_MAX) };
  const send = (): void => client.request(`127.0.0.1:${port}`, message, PATIENCE_MS, () => {});
  send();
  await once(server, "connection");
  for (let count = 0; count < 50; count += 1) send();
  await second.promise;
  client.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("only a loopback address with a free port is listened at", async () => {
  const server = await open("server", "127.0.0.1:0");
  await assert.rejects(open("other", server.address ?? ""), { code: "TRANSPORT_LISTEN_FAILED" });
  for (const address of ["0.0.0.0:0", "128.0.0.1:0", "192.0.2.1:0", "example.org:80", "nowhere"]) {
    await assert.rejects(open("other", address), {
      code: "TRANSPORT_LISTEN_FAILED",
      message: /not an address and port of this machine alone/,
    });
  }
  server.close();
});

function echo(transport: TcpTransport): void {
  transport.serve("echo", (_from, body, respond) => respond(body));
}

function open(
  self: string,
  listenAt: string | null,
  more: Partial<Parameters<typeof openTcpTransport>[0]> = {},
): Promise<TcpTransport> {
  return new Promise((resolve, reject) =>
    openTcpTransport({ self, listenAt, clock: new SystemClock(), ...more }, (error, opened) =>
      error === null ? resolve(opened) : reject(error),
    ),
  );
}

function ask(
  client: TcpTransport,
  to: string,
  timeoutMs = PATIENCE_MS,
  kind = "echo",
): Promise<Answer> {
  return new Promise((resolve) => client.request(to, { kind, body: EMPTY }, timeoutMs, resolve));
}
