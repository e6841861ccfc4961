import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { connect, createServer, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { CertificateAuthority } from "../../../../test/support/fetch/certificates.ts";
import {
  describeOutcome,
  fetchOnce,
  testFetcher,
} from "../../../../test/support/fetch/http-fetching.ts";
import { Http2Connection } from "./http2-connection.ts";

const authority = new CertificateAuthority();
const certificate = authority.issue({ host: "host.test" });
setDefaultCACertificates([authority.cert]);

const [DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY] = [0, 1, 3, 4, 7];
const [END_STREAM, END_HEADERS] = [1, 4];
/** What a client sends before its first frame. */
const PREFACE_BYTES = 24;
/** Of the first request on a connection. */
const STREAM = 1;
/** `:status: 200` as in the static table. */
const OK = Buffer.from([0x88]);

function frame(type: number, flags: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(type === SETTINGS || type === GOAWAY ? 0 : STREAM, 5);
  return Buffer.concat([head, payload]);
}

function field(name: string, value: string): Buffer {
  const length = (text: string) => String.fromCharCode(text.length);
  return Buffer.from(`\0${length(name)}${name}${length(value)}${value}`, "latin1");
}

const head = frame(HEADERS, END_HEADERS, OK);
const part = frame(DATA, 0, Buffer.from("part"));
const reset = frame(RST_STREAM, 0, Buffer.alloc(4));

/** Sends the frames when the request is there: in one piece, or one after the other. */
function send(socket: TLSSocket, frames: readonly Buffer[], inOne: boolean): void {
  let received = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.write(frame(SETTINGS, 0));
  socket.on("data", function take(bytes: Buffer) {
    received = Buffer.concat([received, bytes]);
    if (!hasRequest(received)) return;
    socket.off("data", take).resume();
    if (inOne) socket.write(Buffer.concat(frames));
    else for (const one of frames) socket.write(one);
  });
}

/** Whether a HEADERS frame is among what a client sent. */
function hasRequest(received: Buffer): boolean {
  let at = PREFACE_BYTES;
  while (at + 9 <= received.length) {
    if (received[at + 3] === HEADERS) return true;
    at += 9 + received.readUIntBE(at, 3);
  }
  return false;
}

async function outcomeOf(frames: readonly Buffer[], inOne: boolean): Promise<string> {
  const open = new Set<TLSSocket>();
  const server = createServer({ ...certificate, ALPNProtocols: ["h2"] }, (socket) => {
    open.add(socket);
    send(socket, frames, inOne);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const fetcher = testFetcher({ http2: true });
  const outcome = await fetchOnce(fetcher, `https://host.test:${port}/`);
  fetcher.close();
  for (const socket of open) socket.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return describeOutcome(outcome);
}

describe("by HTTP/2 an answer is whole when its last frame says so", () => {
  const longer = Buffer.concat([OK, field("content-length", "500")]);
  const cases: readonly [string, readonly Buffer[], string][] = [
    ["with its body", [head, frame(DATA, END_STREAM, Buffer.from("part"))], "200 4 null"],
    ["after its body", [head, part, frame(DATA, END_STREAM)], "200 4 null"],
    ["with its head", [frame(HEADERS, END_HEADERS | END_STREAM, OK)], "200 0 null"],
    [
      "with its trailers",
      [head, part, frame(HEADERS, END_HEADERS | END_STREAM, field("x", "y"))],
      "200 4 null",
    ],
    [
      "before a reset without an error",
      [head, frame(DATA, END_STREAM, Buffer.from("part")), reset],
      "200 4 null",
    ],
    ["not by a reset without an error", [head, part, reset], "200 4 disconnect"],
    [
      "not by one where a length promised more",
      [frame(HEADERS, END_HEADERS, longer), part, reset],
      "200 4 disconnect",
    ],
    ["not by one right after its head", [head, reset], "200 0 disconnect"],
    ["not by one before its head", [reset], "FETCH_DISCONNECTED"],
    [
      "not by one after an interim answer",
      [frame(HEADERS, END_HEADERS, field(":status", "103")), reset],
      "FETCH_DISCONNECTED",
    ],
  ];
  for (const [name, frames, outcome] of cases) {
    for (const inOne of [true, false]) {
      test(`${name}${inOne ? "" : ", frame by frame"}`, async () => {
        assert.equal(await outcomeOf(frames, inOne), outcome);
      });
    }
  }
});

test("a server that says goodbye with its answer keeps no socket of ours open", async () => {
  const goodbye = frame(GOAWAY, 0, Buffer.from([0, 0, 0, STREAM, 0, 0, 0, 0]));
  const whole = frame(DATA, END_STREAM, Buffer.from("whole"));
  const sockets = new Set<TLSSocket>();
  // It never ends its side by itself.
  const options = { ...certificate, ALPNProtocols: ["h2"], allowHalfOpen: true };
  const server = createServer(options, (socket) => {
    sockets.add(socket);
    send(socket, [goodbye, head, whole], true);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = connect({
    port,
    host: "127.0.0.1",
    servername: "host.test",
    ALPNProtocols: ["h2"],
  });
  await once(client, "secureConnect");
  const place = { host: "host.test", port, address: "127.0.0.1", isSecure: true };
  const target = { place, authority: `host.test:${port}`, target: "/" };
  const answers: string[] = [];
  const isLost = new Promise<void>((resolve) => {
    const home = { released: () => answers.push("released"), lost: () => resolve() };
    const user = {
      takeHead: ({ status }: { readonly status: number }) => answers.push(`head ${status}`),
      takeBody: () => true,
      answered: () => answers.push("answered"),
      failed: () => answers.push("failed"),
      faulted: (thrown: unknown) => assert.fail(String(thrown)),
    };
    const connection = new Http2Connection(place as never, client, home);
    connection.send({ target, headers: [], headerBytesMax: 1000 } as never, user as never);
  });
  await isLost;
  await new Promise(setImmediate);
  assert.deepEqual(answers, ["head 200", "answered"]);
  assert.equal(client.destroyed, true);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
