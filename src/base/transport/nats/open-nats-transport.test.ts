import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { NatsServer } from "../../../../test/support/base/nats-server.ts";
import { needsProgram } from "../../../../test/support/requirement.ts";
import { CrawlError } from "../../errors/index.ts";
import { SeededRandom } from "../../random/index.ts";
import { SystemClock } from "../../time/index.ts";
import { openNatsTransport } from "./open-nats-transport.ts";
import type { ServedTransport } from "./served-transport.ts";

const skip = needsProgram("nats-server");

function open(
  servers: readonly string[],
  connectionChanged: (isConnected: boolean) => void = () => undefined,
): Promise<ServedTransport> {
  const options = {
    ...{
      self: "a",
      clock: new SystemClock(),
      random: new SeededRandom(`${process.hrtime.bigint()}`),
    },
    ...{ servers, cluster: "test", keySeed: null, tls: null, connectionChanged, silenceMs: 200 },
  };
  return new Promise((resolve, reject) =>
    openNatsTransport(options, (error, transport) =>
      error === null ? resolve(transport) : reject(error),
    ),
  );
}

async function refusal(...servers: readonly string[]): Promise<CrawlError> {
  try {
    (await open(servers)).close();
  } catch (error) {
    assert(error instanceof CrawlError);
    return error;
  }
  assert.fail("it was accepted");
}

/** `NAME:PASSWORD` or a token, in the URL of a server. */
function as(login: string, { url }: NatsServer): string {
  return url.replace("//", `//${login}@`);
}

test("servers that take shorter messages than agents send are refused", { skip }, async () => {
  const server = await NatsServer.start("max_payload: 1000");
  const { code, message } = await refusal(server.url);
  assert.equal(code, "TRANSPORT_CONNECT_FAILED");
  assert.match(message, /at most 1000 bytes.*max_payload to 1048576/);
  await server.stop();
});

test("the name and password, or the token, of a server are given in its URL", {
  skip,
}, async () => {
  const named = await NatsServer.start('authorization: { user: "m/e", password: "12:34@" }');
  (await open([as("m%2Fe:12%3A34%40", named)])).close();
  const tokened = await NatsServer.start("authorization: { token: s3cret }");
  (await open([as("s3cret", tokened)])).close();
  for (const server of [named, tokened]) {
    for (const url of [server.url, as("u:secret", server), as("secret", server)]) {
      const { code, message } = await refusal(url);
      assert.equal(code, "TRANSPORT_LOGIN_REFUSED");
      assert.match(message, /refuses this agent.*NAME:PASSWORD@/);
      assert.doesNotMatch(message, /secret/);
    }
    await server.stop();
  }
});

test("what does not answer, or not as a server does, is named", { skip }, async () => {
  const server = await NatsServer.start();
  await server.stop();
  const other = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await once(other.listen(0, "127.0.0.1"), "listening");
  const { port } = other.address() as AddressInfo;
  for (const url of [server.url, `nats://127.0.0.1:${port}`, "nats://nowhere.invalid:4222"]) {
    const { code, message } = await refusal(url.replace("//", "//me:secret@"));
    assert.equal(code, "TRANSPORT_CONNECT_FAILED");
    assert.ok(message.includes(new URL(url).host), message);
    assert.doesNotMatch(message, /secret/);
  }
  other.close();
});

/** Takes connections; of which it speaks on, and for how long, the test decides. */
class MuteServer {
  readonly ended: Promise<unknown>[] = [];
  readonly #server = createServer((socket) => this.#take(socket));
  readonly #greets: (number: number) => boolean;
  readonly #pongs: number;

  constructor(greets: (number: number) => boolean = () => false, pongs = 0) {
    this.#greets = greets;
    this.#pongs = pongs;
  }

  async listen(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `nats://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when it is left: it never ends a connection itself. */
  async left(): Promise<void> {
    assert.ok(this.ended.length > 0, "it was connected to");
    await Promise.all(this.ended);
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(socket: Socket): void {
    const number = this.ended.push(once(socket, "close"));
    socket.on("error", () => undefined).resume();
    if (!this.#greets(number)) return;
    socket.write(
      'INFO {"server_id":"x","version":"2.10.0","max_payload":1048576,"headers":true,"proto":1}\r\n',
    );
    let left = this.#pongs;
    socket.on("data", (bytes) => {
      for (const _ of bytes.toString().matchAll(/PING\r\n/g)) {
        left -= 1;
        if (left >= 0) socket.write("PONG\r\n");
      }
    });
  }
}

test("a server that takes connections and never speaks is given up, and nothing is left", async () => {
  const server = new MuteServer();
  const { code, message } = await refusal(await server.listen());
  assert.equal(code, "TRANSPORT_CONNECT_FAILED");
  assert.match(message, /timeout/i);
  await server.left();
});

test("a server that falls silent while it is tried is given up, and nothing is left", async () => {
  const server = new MuteServer((number) => number === 1, 1);
  const { code } = await refusal(await server.listen());
  assert.equal(code, "TRANSPORT_CONNECT_FAILED");
  await server.left();
});

test("a transport that is closed while its server hangs leaves nothing", async () => {
  const server = new MuteServer((number) => number === 1, 2);
  const lost = Promise.withResolvers<void>();
  const transport = await open([await server.listen()], (isConnected) => {
    if (!isConnected) lost.resolve();
  });
  await lost.promise;
  // It is connected to once more, and does not speak.
  while (server.ended.length < 2) await new Promise((resolve) => setImmediate(resolve));
  transport.close();
  await server.left();
});

test("of several servers one is enough", { skip }, async () => {
  const gone = await NatsServer.start();
  await gone.stop();
  const server = await NatsServer.start();
  const transport = await open([gone.url, server.url]);
  assert.ok(transport.isConnected);
  transport.close();
  await server.stop();
});

test("who insists on TLS does not go on without it", { skip }, async () => {
  const server = await NatsServer.start();
  const { code, message } = await refusal(server.url.replace("nats:", "tls:"));
  assert.equal(code, "TRANSPORT_CONNECT_FAILED");
  assert.match(message, /tls/);
  await server.stop();
});

test("a server that forbids the subjects of agents is refused, and says which", {
  skip,
}, async () => {
  const all = '["trobar.>"]';
  const forbidding: readonly (readonly [publish: string, subscribe: string, words: RegExp])[] = [
    [all, '["other.>"]', /forbids it to subscribe to trobar\.test\./],
    ['["trobar.*.re.>", "trobar.*.to.>"]', all, /forbids it to publish trobar\.test\.all\./],
    ['["trobar.*.all.>", "trobar.*.to.>"]', all, /forbids it to publish trobar\.test\.re\./],
    ['["trobar.*.all.>", "trobar.*.re.>"]', all, /forbids it to publish trobar\.test\.to\./],
  ];
  const users = [[all, all], ...forbidding].map(
    ([publish, subscribe], at) =>
      `{ user: u${at}, password: p, permissions: { publish: ${publish}, subscribe: ${subscribe} } }`,
  );
  const server = await NatsServer.start(`authorization: { users: [ ${users.join(", ")} ] }`);
  (await open([as("u0:p", server)])).close();
  for (const [at, [, , words]] of forbidding.entries()) {
    const { code, message } = await refusal(as(`u${at + 1}:p`, server));
    assert.equal(code, "TRANSPORT_LOGIN_REFUSED");
    assert.match(message, words);
  }
  await server.stop();
});

test("while its password is wrong an agent tries again, and is not given up", {
  skip,
}, async () => {
  const guarded = (password: string, port?: number): Promise<NatsServer> =>
    NatsServer.start(`authorization: { user: u, password: ${password} }`, port);
  const first = await guarded("right");
  const back = Promise.withResolvers<void>();
  const transport = await open([as("u:right", first)], (isConnected) => {
    if (isConnected) back.resolve();
  });
  await first.stop();
  const wrong = await guarded("wrong", first.port);
  // The client of NATS would end after the second refusal.
  await wrong.said(/authentication error/, 3);
  await wrong.stop();
  const again = await guarded("right", first.port);
  await back.promise;
  transport.close();
  await again.stop();
});
