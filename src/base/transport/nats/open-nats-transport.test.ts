import assert from "node:assert/strict";
import { test } from "node:test";
import { NatsServer } from "../../../../test/support/base/nats-server.ts";
import { needsProgram } from "../../../../test/support/requirement.ts";
import { SeededRandom } from "../../random/index.ts";
import { SystemClock } from "../../time/index.ts";
import { openNatsTransport } from "./open-nats-transport.ts";

const skip = needsProgram("nats-server");

function refusal(server: string): Promise<{ readonly code: string; readonly message: string }> {
  const options = {
    self: "a",
    clock: new SystemClock(),
    random: new SeededRandom(`${process.hrtime.bigint()}`),
    servers: [server],
    cluster: "test",
  };
  return new Promise((resolve, reject) =>
    openNatsTransport({ ...options, keySeed: null, tls: null }, (error, _transport) =>
      error === null ? reject(new Error("it was accepted")) : resolve(error),
    ),
  );
}

test("servers that take shorter messages than agents send are refused", { skip }, async () => {
  const server = await NatsServer.start("max_payload: 1000");
  const { code, message } = await refusal(server.url);
  assert.equal(code, "TRANSPORT_CONNECT_FAILED");
  assert.match(message, /at most 1000 bytes.*max_payload to 1048576/);
  await server.stop();
});

test("a server that wants a password is named without the one that was given", {
  skip,
}, async () => {
  const server = await NatsServer.start("authorization: { user: u, password: right }");
  const { code, message } = await refusal(server.url.replace("//", "//u:secret@"));
  assert.equal(code, "TRANSPORT_CONNECT_FAILED");
  assert.match(message, /accepts this agent/);
  assert.doesNotMatch(message, /secret/);
  await server.stop();
});
