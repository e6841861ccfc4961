import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { Clock, Timer } from "../seams/index.ts";
import { InProcessHub, InProcessTransport } from "./index.ts";
import type { Answer } from "./transport.ts";

const EMPTY = new Uint8Array(0);

test("bytes are handed over as they are, without a copy, both ways", () => {
  const time = new SimulatedTime();
  const [alice, bob] = pairOn(new InProcessHub(time));
  const sent = Uint8Array.of(1, 2, 3);
  const returned = Uint8Array.of(4, 5, 6);
  let answer: Answer | undefined;
  bob.serve("swap", (_from, body, respond) => {
    assert.equal(body, sent);
    respond(returned);
  });
  alice.request("bob", { kind: "swap", body: sent }, 1000, (given) => {
    answer = given;
  });
  time.settle();
  assert.ok(answer?.kind === "reply" && answer.body === returned);
});

test("an agent that is absent, does not serve the kind, or closes without responding is unreachable", () => {
  const time = new SimulatedTime();
  const [alice, bob] = pairOn(new InProcessHub(time));
  bob.serve("hold", () => {});
  const answers: string[] = [];
  alice.request("nobody", { kind: "hold", body: EMPTY }, 1000, (a) => answers.push(a.kind));
  alice.request("bob", { kind: "other", body: EMPTY }, 1000, (a) => answers.push(a.kind));
  alice.request("bob", { kind: "hold", body: EMPTY }, 1000, (a) => answers.push(a.kind));
  time.after(500, () => bob.close());
  time.after(501, () => assert.equal(answers.length, 3, "nobody waited for the time limit"));
  time.settle();
  assert.deepEqual(answers, ["unreachable", "unreachable", "unreachable"]);
});

test("a thousand messages that take no time share one turn of the loop, not a timer each", () => {
  const time = new CountingTime();
  const [alice, bob] = pairOn(new InProcessHub(time));
  let heard = 0;
  bob.serve("news", () => {
    heard += 1;
  });
  for (let sent = 0; sent < 1000; sent += 1) alice.broadcast({ kind: "news", body: EMPTY });
  time.settle();
  assert.equal(heard, 1000);
  assert.equal(time.turns, 1);
});

test("agents that answer each other for ever leave turns for other work", () => {
  const time = new SimulatedTime();
  const [alice, bob] = pairOn(new InProcessHub(time));
  let rallies = 0;
  const serve = () =>
    alice.request("bob", { kind: "ball", body: EMPTY }, 1000, () => {
      rallies += 1;
      if (rallies < 100) serve();
    });
  bob.serve("ball", (_from, body, respond) => respond(body));
  serve();
  const other: number[] = [];
  const live = () => {
    other.push(rallies);
    if (rallies < 100) time.after(0, live);
  };
  time.after(0, live);
  time.settle();
  assert.ok(other.length >= 100, `something else ran only ${other.length} times`);
});

test("a listener that throws does not take the messages of others with it", () => {
  const time = new SimulatedTime();
  const [alice, bob] = pairOn(new InProcessHub(time));
  let heard = 0;
  bob.serve("bad", () => assert.fail("wrong on purpose"));
  bob.serve("good", () => {
    heard += 1;
  });
  alice.broadcast({ kind: "bad", body: EMPTY });
  alice.broadcast({ kind: "good", body: EMPTY });
  assert.throws(() => time.settle(), /wrong on purpose/);
  time.settle();
  assert.equal(heard, 1);
});

test("two transports of one id on one hub, and kinds of other letters, are programming errors", () => {
  const hub = new InProcessHub(new SimulatedTime());
  const alice = new InProcessTransport(hub, "alice");
  assert.throws(() => new InProcessTransport(hub, "alice"), assert.AssertionError);
  assert.throws(() => alice.serve("two words", () => {}), assert.AssertionError);
  assert.throws(() => alice.broadcast({ kind: "", body: EMPTY }), assert.AssertionError);
});

const action = fc.oneof(
  fc.record({ what: fc.constant("open"), who: fc.nat(2) }),
  fc.record({ what: fc.constant("close"), who: fc.nat(2) }),
  fc.record({ what: fc.constant("respond"), who: fc.nat(2) }),
  fc.record({ what: fc.constant("wait"), who: fc.nat(40) }),
  fc.record({
    what: fc.constant("request"),
    who: fc.nat(2),
    to: fc.nat(2),
    withinMs: fc.integer({ min: 1, max: 50 }),
  }),
);

test("whatever agents do, every request is answered exactly once and outside of calls", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const script = new Script();
      for (const step of actions) script.play(step);
      script.end();
      assert.deepEqual(
        script.answers.filter((count) => count !== 1),
        [],
      );
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 20_000 : 500 },
  );
});

/** Three agents that hold requests for as long as the script says. */
class Script {
  readonly answers: number[] = [];
  readonly #time = new SimulatedTime();
  readonly #hub = new InProcessHub(this.#time);
  readonly #transports = [0, 1, 2].map((id) => this.#connect(id));
  readonly #owed: (() => void)[] = [];
  #isInside = false;

  play(step: { what: string; who: number; to?: number; withinMs?: number }): void {
    this.#isInside = true;
    if (step.what === "open") this.#reopen(step.who);
    if (step.what === "close") this.#transports[step.who]?.close();
    if (step.what === "respond") this.#owed.splice(step.who, 1)[0]?.();
    if (step.what === "request") this.#request(step.who, step.to ?? 0, step.withinMs ?? 1);
    this.#isInside = false;
    if (step.what === "wait") for (let left = step.who; left > 0; left -= 1) this.#time.step();
  }

  end(): void {
    this.#time.settle();
  }

  #request(who: number, to: number, withinMs: number): void {
    const index = this.answers.push(0) - 1;
    const message = { kind: "hold", body: EMPTY };
    this.#transports[who]?.request(String(to), message, withinMs, () => {
      assert.ok(!this.#isInside, "answered inside a call");
      this.answers[index] = (this.answers[index] ?? 0) + 1;
    });
  }

  #reopen(id: number): void {
    this.#transports[id]?.close();
    this.#transports[id] = this.#connect(id);
  }

  #connect(id: number): InProcessTransport {
    const transport = new InProcessTransport(this.#hub, String(id));
    transport.serve("hold", (_from, body, respond) => {
      assert.ok(!this.#isInside, "heard inside a call");
      this.#owed.push(() => respond(body));
    });
    return transport;
  }
}

class CountingTime extends SimulatedTime implements Clock {
  turns = 0;

  override after(delayMs: number, callback: () => void): Timer {
    if (delayMs === 0) this.turns += 1;
    return super.after(delayMs, callback);
  }
}

function pairOn(hub: InProcessHub): [InProcessTransport, InProcessTransport] {
  return [new InProcessTransport(hub, "alice"), new InProcessTransport(hub, "bob")];
}
