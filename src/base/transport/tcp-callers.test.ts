/** What callers that mean no good can do to a transport: be cut off, and counted. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { CrawlError } from "../errors/index.ts";
import { SystemClock } from "../time/index.ts";
import { openTcpTransport, type TcpTransport } from "./index.ts";
import { TcpCallers } from "./tcp-callers.ts";
import { encodeTcpFrame, type TcpFrame } from "./tcp-frames.ts";
import { MESSAGE_BYTES_MAX } from "./transport.ts";

const EMPTY = new Uint8Array(0);

interface Served {
  readonly server: TcpTransport;
  readonly errors: CrawlError[];
  call(): Promise<Socket>;
}

async function serve(): Promise<Served> {
  const errors: CrawlError[] = [];
  const server = await new Promise<TcpTransport>((resolve, reject) =>
    openTcpTransport(
      {
        ...{ self: "server", listenAt: "127.0.0.1:0", clock: new SystemClock() },
        report: (error) => errors.push(error),
      },
      (error, opened) => (error === null ? resolve(opened) : reject(error)),
    ),
  );
  server.serve("echo", (_from, body, respond) => respond(body));
  const port = Number((server.address ?? "").split(":")[1]);
  const call = async (): Promise<Socket> => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.on("error", () => {});
    await once(socket, "connect");
    return socket;
  };
  return { server, errors, call };
}

function bytesOf(frame: Partial<TcpFrame>): Buffer {
  const whole = { purpose: "request", number: 1, kind: "echo", body: EMPTY, ...frame } as const;
  return Buffer.concat(encodeTcpFrame(whole));
}

const HELLO = bytesOf({ purpose: "hello", kind: "", body: Buffer.from("somebody") });

async function answers(socket: Socket): Promise<boolean> {
  socket.write(bytesOf({ body: Buffer.from("are you there?") }));
  const [piece] = await once(socket, "data");
  return String(piece).includes("are you there?");
}

test("a greeting may come byte by byte", async () => {
  const { server, call } = await serve();
  const socket = await call();
  socket.setNoDelay(true);
  for (const byte of HELLO) {
    await new Promise((written) => socket.write(Buffer.from([byte]), written));
  }
  assert.ok(await answers(socket));
  socket.destroy();
  server.close();
});

test("oversized frames, unknown purposes and a missing greeting end a connection, and are counted", async () => {
  const { server, errors, call } = await serve();
  const oversized = Buffer.alloc(4);
  oversized.writeUInt32LE(MESSAGE_BYTES_MAX + 1000);
  const unknown = bytesOf({});
  unknown[4] = 99;
  const nonsense = [
    ...[oversized, Buffer.alloc(4), Buffer.concat([HELLO, unknown]), bytesOf({})],
    Buffer.concat([bytesOf({ purpose: "hello", kind: "", body: Buffer.alloc(2000, 65) })]),
  ];
  for (const bytes of nonsense) {
    const socket = await call();
    socket.resume();
    // It may be a reset, which `once` would take for a failure.
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write(bytes);
    await closed;
  }
  assert.equal(server.refusedCallers, nonsense.length);
  assert.deepEqual(
    errors.map(({ code }) => code),
    // The first, the second and the fourth.
    Array.from({ length: 3 }, () => "TRANSPORT_CALLER_REFUSED"),
  );
  const honest = await call();
  honest.write(HELLO);
  assert.ok(await answers(honest));
  honest.destroy();
  server.close();
});

test("of a thousand callers that say nothing those that are silent longest go, and an honest one is served", async () => {
  const { server, call } = await serve();
  const silent: Socket[] = [];
  for (let count = 0; count < 1000; count += 1) silent.push(await call());
  const honest = await call();
  honest.write(HELLO);
  assert.ok(await answers(honest));
  assert.ok(server.refusedCallers >= 700, `only ${server.refusedCallers} were cut off`);
  for (const socket of [...silent, honest]) socket.destroy();
  server.close();
});

test("a caller that reads no replies is cut off", async () => {
  const { server, errors, call } = await serve();
  const socket = await call();
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.pause();
  socket.write(HELLO);
  const large = bytesOf({ body: new Uint8Array(MESSAGE_BYTES_MAX) });
  // Its own side has ended when writing fails.
  const send = (): void => void socket.write(large, (error) => error == null && send());
  send();
  await closed;
  assert.match(errors[0]?.message ?? "", /reads no replies/);
  server.close();
});

interface FakeSocket extends Socket {
  writableLength: number;
  isDestroyed: boolean;
}

function fakeSocket(): FakeSocket {
  const socket = {
    ...{ on: () => undefined, writableLength: 0, isDestroyed: false },
    destroy: () => {
      socket.isDestroyed = true;
    },
  };
  return socket as unknown as FakeSocket;
}

test("a frame that is not complete in time ends a connection, and silence between frames does not", () => {
  const time = new SimulatedTime();
  const callers = new TcpCallers(time, () => undefined);
  const [slow, idle] = [callers.add(fakeSocket()), callers.add(fakeSocket())];
  callers.heard(idle, false);
  for (let steps = 0; steps < 10; steps += 1) time.step();
  assert.equal(callers.refused, 1);
  assert.equal(callers.count, 1);
  callers.refuse(slow, "is refused once only");
  assert.equal(callers.refused, 1);
  callers.close();
});

test("when there are too many, the one goes that has been silent longest", () => {
  const time = new SimulatedTime();
  const callers = new TcpCallers(time, () => undefined);
  const sockets = Array.from({ length: 256 }, () => fakeSocket());
  const all = sockets.map((socket) => callers.add(socket));
  time.after(1, () => {
    for (const [at, caller] of all.entries()) if (at !== 7) callers.heard(caller, false);
  });
  time.step();
  callers.add(fakeSocket());
  assert.deepEqual(
    sockets.flatMap(({ isDestroyed }, at) => (isDestroyed ? [at] : [])),
    [7],
  );
  assert.deepEqual([callers.count, callers.refused], [256, 1]);
  callers.close();
  assert.ok(!time.step(), "nothing is waited for any more");
});

test("replies of four large messages may be unread, and not one byte more", () => {
  const callers = new TcpCallers(new SimulatedTime(), () => undefined);
  const socket = fakeSocket();
  const caller = callers.add(socket);
  socket.writableLength = 4 * MESSAGE_BYTES_MAX;
  callers.checkUnread(caller);
  assert.ok(!socket.isDestroyed);
  socket.writableLength += 1;
  callers.checkUnread(caller);
  assert.ok(socket.isDestroyed);
  callers.close();
});
