import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, MESSAGE_BYTES_MAX, type Transport } from "../../../base/transport/index.ts";
import { Kernel } from "../kernel/kernel.ts";
import type { Conditions } from "./conditions.ts";
import { SimCluster } from "./sim-cluster.ts";

const NOTE = { kind: "note", body: Uint8Array.of(1, 2, 3) };

/** Two nodes, `a` and `b`, whose transports of the present life can be asked for. */
function pair(conditions: Partial<Conditions> = {}) {
  const kernel = new Kernel({ seed: "transport" });
  const cluster = new SimCluster(kernel, conditions);
  const transports = new Map<string, Transport>();
  for (const id of ["a", "b"]) {
    cluster.add(id, (_life, transport) => transports.set(id, transport));
  }
  const of = (id: string): Transport => transports.get(id) as Transport;
  const ask = (to: string, timeoutMs = 100, message = NOTE): Answer[] => {
    const answers: Answer[] = [];
    of("a").request(to, message, timeoutMs, (answer) => answers.push(answer));
    assert.deepEqual(answers, [], "no answer comes inside the call");
    return answers;
  };
  return { kernel, cluster, of, ask };
}

test("a request is answered with the reply, once, though it is responded to twice", () => {
  const { kernel, of, ask } = pair();
  of("b").serve("note", (from, body, respond) => {
    respond(Uint8Array.of(...body, from.charCodeAt(0)));
    respond(Uint8Array.of(0));
  });
  const answers = ask("b");
  kernel.pass(1000);
  assert.deepEqual(answers, [{ kind: "reply", body: Uint8Array.of(1, 2, 3, 97) }]);
});

test("a request to oneself works like any other", () => {
  const { kernel, of, ask } = pair();
  of("a").serve("note", (_from, body, respond) => respond(body));
  const answers = ask("a");
  kernel.pass(1000);
  assert.deepEqual(answers, [{ kind: "reply", body: NOTE.body }]);
});

test("a request is timed out by the clock of the node, and a late reply is dropped", () => {
  const { kernel, cluster, of, ask } = pair();
  cluster.node("a").drift(100_000);
  of("b").serve("note", (_from, body, respond) => {
    kernel.schedule(500, () => respond(body));
  });
  const answers = ask("b", 110);
  kernel.pass(99);
  assert.deepEqual(answers, []);
  kernel.pass(2);
  assert.deepEqual(answers, [{ kind: "timed-out" }]);
  kernel.pass(1000);
  assert.equal(answers.length, 1);
});

test("nobody there, nobody who serves this kind, nobody any more: unreachable", () => {
  const { kernel, cluster, of, ask } = pair();
  of("b").serve("other", assert.fail);
  const answers = [ask("nobody"), ask("b")];
  kernel.pass(50);
  cluster.node("b").crash();
  answers.push(ask("b"));
  kernel.pass(50);
  assert.deepEqual(answers, Array(3).fill([{ kind: "unreachable" }]));
});

test("a message longer than allowed is refused; one of exactly that length is not", () => {
  const { kernel, of, ask } = pair();
  of("b").serve("note", (_from, body, respond) => respond(body));
  const longest = { kind: "note", body: new Uint8Array(MESSAGE_BYTES_MAX) };
  const longer = { kind: "note", body: new Uint8Array(MESSAGE_BYTES_MAX + 1) };
  const answers = [ask("b", 100, longest), ask("b", 100, longer)];
  assert.throws(() => of("a").broadcast(longer), /at most/);
  kernel.pass(50);
  assert.deepEqual(
    answers.map(([answer]) => answer?.kind),
    ["reply", "too-large"],
  );
});

test("closing answers what is open and what is asked later with closed, and ends listening", () => {
  const { kernel, of, ask } = pair();
  of("a").serve("note", assert.fail);
  const open = ask("b");
  of("a").close();
  of("a").close();
  assert.deepEqual(open, []);
  const later = ask("b");
  of("a").broadcast(NOTE);
  of("a").serve("new", assert.fail);
  const fromOther: Answer[] = [];
  of("b").request("a", NOTE, 100, (answer) => fromOther.push(answer));
  kernel.pass(200);
  assert.deepEqual(
    [open, later, fromOther],
    [[{ kind: "closed" }], [{ kind: "closed" }], [{ kind: "unreachable" }]],
  );
});

test("an agent that closes without responding is unreachable for those that wait", () => {
  const { kernel, of, ask } = pair();
  of("b").serve("note", (_from, body, respond) => {
    of("b").close();
    respond(body);
  });
  const answers = ask("b");
  kernel.pass(50);
  assert.deepEqual(answers, [{ kind: "unreachable" }]);
});

test("a broadcast reaches only the others, and its response is dropped", () => {
  const { kernel, cluster, of } = pair();
  const heard: string[] = [];
  cluster.add("c", (_life, transport) => {
    transport.serve("note", (from, _body, respond) => {
      heard.push(`c from ${from}`);
      respond(NOTE.body);
    });
  });
  of("a").serve("note", assert.fail);
  of("b").serve("note", (from) => heard.push(`b from ${from}`));
  of("a").broadcast(NOTE);
  kernel.pass(50);
  assert.deepEqual(heard.toSorted(), ["b from a", "c from a"]);
});

test("each kind has one listener, and kinds consist of letters, digits and dots", () => {
  const { of, ask } = pair();
  of("b").serve("note", assert.fail);
  assert.throws(() => of("b").serve("note", assert.fail), /listener already/);
  assert.throws(() => of("b").serve("no spaces", assert.fail), /letters, digits and dots/);
  assert.throws(() => ask("b", 100, { kind: "", body: NOTE.body }), /letters, digits and dots/);
});

test("a doubled request is taken twice and answered once", () => {
  const { kernel, of, ask } = pair({ duplicateRatio: 1 });
  let taken = 0;
  of("b").serve("note", (_from, body, respond) => {
    taken += 1;
    respond(body);
  });
  const answers = ask("b");
  kernel.pass(50);
  assert.equal(taken, 2);
  assert.equal(answers.length, 1);
});

test("a crash leaves requests unanswered, and its replies are dropped", () => {
  const { kernel, cluster, of, ask } = pair();
  let respondLater: (() => void) | null = null;
  of("b").serve("note", (_from, body, respond) => {
    respondLater = () => respond(body);
  });
  const answers = ask("b", 100);
  kernel.pass(20);
  cluster.node("b").crash();
  assert.ok(respondLater !== null);
  (respondLater as () => void)();
  kernel.pass(50);
  assert.deepEqual(answers, []);
  cluster.node("a").crash();
  kernel.pass(1000);
  assert.deepEqual(answers, [], "the dead are told nothing");
});

test("what a life sent before it died still arrives, and its reply finds nobody", () => {
  const { kernel, cluster, of, ask } = pair({ delayMsMin: 10, delayMsMax: 10 });
  let taken = 0;
  of("b").serve("note", (_from, body, respond) => {
    taken += 1;
    respond(body);
  });
  const answers = ask("b");
  cluster.node("a").crash();
  cluster.node("a").start();
  kernel.pass(1000);
  assert.equal(taken, 1);
  assert.deepEqual(answers, []);
});
