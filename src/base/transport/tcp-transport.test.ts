import assert from "node:assert/strict";
import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { SystemClock } from "../time/index.ts";
import { type Answer, openTcpTransport, type TcpTransport } from "./index.ts";
import { encodeTcpFrame } from "./tcp-frames.ts";

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

test("only a loopback address with a free port is listened at", async () => {
  const server = await open("server", "127.0.0.1:0");
  for (const address of ["0.0.0.0:0", "example.org:80", "nowhere", server.address ?? ""]) {
    await assert.rejects(open("other", address), { code: "TRANSPORT_LISTEN_FAILED" });
  }
  server.close();
});

function echo(transport: TcpTransport): void {
  transport.serve("echo", (_from, body, respond) => respond(body));
}

function open(self: string, listenAt: string | null): Promise<TcpTransport> {
  return new Promise((resolve, reject) =>
    openTcpTransport({ self, listenAt, clock: new SystemClock() }, (error, opened) =>
      error === null ? resolve(opened) : reject(error),
    ),
  );
}

function ask(client: TcpTransport, to: string, timeoutMs = PATIENCE_MS): Promise<Answer> {
  return new Promise((resolve) =>
    client.request(to, { kind: "echo", body: EMPTY }, timeoutMs, resolve),
  );
}
