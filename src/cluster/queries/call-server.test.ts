/** How much is kept of what was answered, for those who call again (Q4). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MESSAGE_BYTES_MAX } from "../../base/transport/index.ts";
import { MIB } from "../../base/units/index.ts";
import { CallServer } from "./call-server.ts";
import type { CallQuestion, CallReply } from "./query-messages.ts";

class Served {
  readonly carriedOut: string[] = [];
  readonly server: CallServer;
  #hear: (from: never, call: CallQuestion, respond: (reply: CallReply) => void) => void = () =>
    undefined;

  constructor() {
    const serve = (_kind: unknown, listener: never): void => {
      this.#hear = listener;
    };
    this.server = new CallServer({ serve } as never, () => ({ argument, what }, done) => {
      this.carriedOut.push(argument);
      done(null, what === "long" ? "x".repeat(MESSAGE_BYTES_MAX / 2) : "short");
    });
  }

  call(id: string, what: string): CallReply {
    let reply: CallReply | null = null;
    this.#hear(null as never, { id, what, argument: id }, (told) => {
      reply = told;
    });
    return reply ?? assert.fail("it is answered at once");
  }
}

test("Q4: answers are kept in bounded memory, however long they are", () => {
  const served = new Served();
  served.call("brief", "short");
  for (let number = 0; number < 300; number += 1) {
    assert.equal(served.call(`${number}`, "long").outcome, "done");
    assert.ok(served.server.keptBytes <= 16 * MIB, `${served.server.keptBytes} bytes`);
  }
  assert.equal(served.call("299", "long").text.length, MESSAGE_BYTES_MAX / 2, "the last is there");
  const { outcome, code } = served.call("7", "long");
  assert.deepEqual([outcome, code], ["refused", "CLUSTER_ANSWER_MISSING"]);
  assert.equal(served.call("brief", "short").text, "short");
  assert.equal(served.carriedOut.length, 301, "nothing is done twice");
});

test("Q4: ids of other agents are kept in bounded memory, however long and many they are", () => {
  const served = new Served();
  for (let number = 0; number < 5000; number += 1) served.call(`${number}`, "short");
  assert.ok(served.server.keptBytes < MIB, `${served.server.keptBytes} bytes`);
  served.call("4000", "short");
  assert.equal(served.carriedOut.length, 5000, "it is among the last that are known");
  for (let number = 0; number < 40; number += 1) {
    served.call(`${"x".repeat(MIB / 2)}${number}`, "short");
    assert.ok(served.server.keptBytes <= 16 * MIB, `${served.server.keptBytes} bytes`);
  }
});
