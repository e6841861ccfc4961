import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { connect } from "@nats-io/transport-node";
import { NatsServer } from "../../../../test/support/base/nats-server.ts";
import { needsProgram } from "../../../../test/support/requirement.ts";
import { SeededRandom } from "../../random/index.ts";
import { SystemClock } from "../../time/index.ts";
import { type Answer, MESSAGE_BYTES_MAX, type Transport } from "../transport.ts";
import { type NatsOptions, openNatsTransport } from "./open-nats-transport.ts";
import type { ServedTransport } from "./served-transport.ts";

const skip = needsProgram("nats-server");

function open(self: string, options: Partial<NatsOptions>): Promise<ServedTransport> {
  const usual = {
    self,
    clock: new SystemClock(),
    random: new SeededRandom(`${process.hrtime.bigint()}`),
    servers: [],
    cluster: "test",
  };
  return new Promise((resolve, reject) =>
    openNatsTransport({ ...usual, keySeed: null, tls: null, ...options }, (error, transport) =>
      error === null ? resolve(transport) : reject(error),
    ),
  );
}

function ask(transport: Transport, to: string): Promise<Answer> {
  const message = { kind: "echo.now", body: Buffer.from("hello") };
  return new Promise((resolve) => transport.request(to, message, 20_000, resolve));
}

/** Takes the place of a server until so many have come in vain. */
async function turnAway(times: number, port: number): Promise<void> {
  let count = 0;
  const shut = createServer((socket) => {
    socket.destroy();
    count += 1;
    if (count === times) shut.close();
  });
  await once(shut.listen(port, "127.0.0.1"), "close");
}

test("clusters of other names on the same server do not hear each other", { skip }, async () => {
  const server = await NatsServer.start();
  const servers = [server.url];
  const asker = await open("a b", { servers, cluster: "one" });
  const namesake = await open("c.*", { servers, cluster: "other" });
  namesake.serve("echo.now", () => assert.fail("a message of another cluster was heard"));
  assert.equal((await ask(asker, "c.*")).kind, "unreachable");
  const right = await open("c.*", { servers, cluster: "one" });
  right.serve("echo.now", (from, body, respond) => {
    assert.equal(from, "a b");
    respond(body);
    respond(body);
  });
  for (let times = 0; times < 2; times += 1) {
    assert.equal((await ask(asker, "c.*")).kind, "reply");
  }
  assert.equal(asker.refused.size, 0, "a second response is not sent");
  for (const transport of [asker, namesake, right]) transport.close();
  await server.stop();
});

test("without a server nothing is kept; with one again, however late, agents hear each other", {
  skip,
}, async () => {
  const server = await NatsServer.start();
  let changed: (isConnected: boolean) => void = () => undefined;
  const next = (): Promise<boolean> =>
    new Promise((resolve) => {
      changed = resolve;
    });
  const transport = await open("alice", {
    servers: [server.url],
    connectionChanged: (isConnected) => changed(isConnected),
  });
  transport.serve("echo.now", (_from, body, respond) => respond(body));
  assert.equal((await ask(transport, "alice")).kind, "reply");
  const lost = next();
  const { port } = server;
  await server.stop();
  assert.equal(await lost, false);
  assert.equal((await ask(transport, "alice")).kind, "unreachable");
  transport.broadcast({ kind: "news", body: new Uint8Array(0) });
  const back = next();
  // The client of NATS would give up after ten.
  await turnAway(12, port);
  const again = await NatsServer.start("", port);
  assert.equal(await back, true);
  assert.equal((await ask(transport, "alice")).kind, "reply");
  transport.close();
  await again.stop();
});

test("what no agent could have sent is not taken, and counted", { skip }, async () => {
  const server = await NatsServer.start(`max_payload: ${2 * MESSAGE_BYTES_MAX}`);
  const transport = await open("alice", { servers: [server.url] });
  const heard: string[] = [];
  transport.serve("news", (from) => heard.push(from));
  transport.serve("echo.now", (_from, body, respond) => respond(body));
  const stranger = await connect({ servers: server.url });
  stranger.publish("trobar.test.all.bob.1.news", new Uint8Array(MESSAGE_BYTES_MAX + 1));
  stranger.publish("trobar.test.all.%E0.1.news");
  stranger.publish("trobar.test.all.bob.1.news");
  await stranger.flush();
  await stranger.close();
  assert.equal((await ask(transport, "alice")).kind, "reply");
  assert.deepEqual(heard, ["bob"]);
  assert.deepEqual(Object.fromEntries(transport.refused), { "too-large": 1, sender: 1 });
  transport.close();
  await server.stop();
});

test("another process with the same id is heard, so that the second one can be told", {
  skip,
}, async () => {
  const server = await NatsServer.start();
  const heard: string[] = [];
  const [one, other, third] = await Promise.all(
    ["alice", "alice", "bob"].map((self) => open(self, { servers: [server.url] })),
  );
  const done = Promise.withResolvers<void>();
  for (const [name, transport] of Object.entries({ one, other, third })) {
    transport?.serve("news", (from) => {
      if (heard.push(`${name} hears ${from}`) === 2) done.resolve();
    });
  }
  one?.broadcast({ kind: "news", body: new Uint8Array(0) });
  await done.promise;
  // What it hears of itself would have come before the answer.
  await ask(one as ServedTransport, "bob");
  assert.deepEqual(heard.sort(), ["other hears alice", "third hears alice"]);
  for (const transport of [one, other, third]) transport?.close();
  await server.stop();
});
