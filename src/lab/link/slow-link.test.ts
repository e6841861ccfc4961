import assert from "node:assert/strict";
import { once } from "node:events";
import {
  type AddressInfo,
  connect,
  createServer,
  type Server,
  type ServerOpts,
  type Socket,
} from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { SeededRandom } from "../../base/random/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { SlowLink } from "./slow-link.ts";

/** Slow enough to show what order it keeps, fast enough not to be waited for. */
const SHAKY = { oneWayMs: 1, stallShare: 0.2, stallMs: [1, 20] } as const;

/** A server, and a link that leads to it. */
class LinkRig implements AsyncDisposable {
  readonly link: SlowLink;
  readonly #server: Server;

  private constructor(link: SlowLink, server: Server) {
    this.link = link;
    this.#server = server;
  }

  static async open(served: (socket: Socket) => void, options: ServerOpts = {}): Promise<LinkRig> {
    const server = createServer(options, served);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const to = () => `127.0.0.1:${port}`;
    const random = new SeededRandom("link");
    const link = await SlowLink.open({ clock: new SystemClock(), random, to, slowness: SHAKY });
    return new LinkRig(link, server);
  }

  /** To the server, through the link. */
  connect(): Socket {
    const { hostname, port } = new URL(`tcp://${this.link.address}`);
    return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.link.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function echo(socket: Socket): void {
  // Links that are closed reset it.
  socket.on("error", () => undefined).pipe(socket);
}

/** Bytes in which no two parts are alike. */
function manyBytes(length: number): Buffer {
  const random = new SeededRandom("bytes");
  return Buffer.from(Uint32Array.from({ length: length / 4 }, () => random.u32()).buffer);
}

test("what is sent arrives whole and in order, with its end, in both directions", async () => {
  await using rig = await LinkRig.open(echo, { allowHalfOpen: true });
  const sent = [manyBytes(400_000), manyBytes(4), manyBytes(100_000)];
  const received = sent.map(async (bytes) => {
    const socket = rig.connect();
    socket.end(bytes);
    assert.deepEqual(await buffer(socket), bytes);
  });
  await Promise.all(received);
  assert.equal(rig.link.connections, 3);
  assert.equal(rig.link.passedBytes, 2 * 500_004);
  assert.ok(rig.link.stalls > 0, "some segments have stalled");
});

test("a reset is a reset at the other end too, and nobody there is one", async () => {
  await using rig = await LinkRig.open((socket) => socket.resetAndDestroy());
  const [error] = await once(rig.connect(), "error");
  assert.equal((error as NodeJS.ErrnoException).code, "ECONNRESET");
  const away = await LinkRig.open(echo);
  await away[Symbol.asyncDispose]();
  const nowhere = { clock: new SystemClock(), random: new SeededRandom("link"), slowness: SHAKY };
  const link = await SlowLink.open({ ...nowhere, to: () => away.link.address });
  const socket = connect(Number(link.address.split(":")[1]), "127.0.0.1");
  await once(socket, "error");
  await link.close();
});

test("while it is cut nothing passes and nobody is told; then what was sent arrives", async () => {
  await using rig = await LinkRig.open(echo);
  const before = rig.connect();
  before.write("one");
  assert.equal(String((await once(before, "data"))[0]), "one");
  rig.link.cut();
  before.write("two");
  const late = rig.connect();
  late.write("three");
  await once(late, "connect");
  // As much as would have brought them there.
  await using whole = await LinkRig.open(echo);
  const other = whole.connect();
  for (let turn = 0; turn < 5; turn += 1) {
    other.write("hello");
    await once(other, "data");
  }
  assert.equal(rig.link.passedBytes, 6);
  rig.link.heal();
  assert.equal(String((await once(before, "data"))[0]), "two");
  assert.equal(String((await once(late, "data"))[0]), "three");
  for (const socket of [before, late, other]) socket.destroy();
});
