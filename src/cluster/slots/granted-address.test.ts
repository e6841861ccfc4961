import assert from "node:assert/strict";
import { test } from "node:test";
import { GrantedAddress } from "./granted-address.ts";

const TIMES = { ipDelayMs: 100, holdMs: 1000, keptMs: 500 };

/** An address of which an agent has asked for a slot under this number. */
function askedFor(number: number): GrantedAddress {
  const address = new GrantedAddress();
  const request = { id: "a", number, grant: () => undefined, refuse: () => undefined };
  address.request(request, 0, TIMES);
  return address;
}

test("who waits, holds a slot or has had one has asked since an earlier request", () => {
  const waits = askedFor(5);
  const holds = askedFor(5);
  const grant = holds.next(0, TIMES);
  assert.ok(grant.kind === "grant");
  grant.grant();
  const ended = askedFor(5);
  ended.end("a", 5, 100);
  for (const address of [waits, holds, ended]) {
    assert.ok(address.hasAskedSince("a", 4));
    assert.ok(!address.hasAskedSince("a", 5));
    assert.ok(!address.hasAskedSince("b", 4));
  }
});

/** An address that `a` and `b` have used, and what agents are told about their requests. */
class Shared {
  readonly address: GrantedAddress = new GrantedAddress();
  readonly told: string[] = [];

  constructor() {
    for (const id of ["b", "a"]) {
      this.asks(id, 1, 0).does(0);
      this.address.end(id, 1, null);
    }
    this.told.length = 0;
  }

  asks(id: string, number: number, nowMs: number): this {
    const grant = (): void => void this.told.push(`${id} ${number}`);
    const refuse = (): void => void this.told.push(`${id} ${number} is over`);
    this.address.request({ id, number, grant, refuse }, nowMs, TIMES);
    return this;
  }

  /** Does what is due; until when nothing more is. */
  does(nowMs: number): number {
    const step = this.address.next(nowMs, TIMES);
    if (step.kind === "grant") step.grant();
    if (step.kind === "call") {
      for (const id of step.ids) this.address.called(id, 0, { untilMs: nowMs, restsUntilMs: null });
    }
    return step.kind === "wait" ? step.untilMs : this.does(nowMs);
  }
}

test("a request that comes again when it has ended is over", () => {
  const shared = new Shared().asks("a", 2, 0);
  shared.does(0);
  shared.address.end("a", 2, 100);
  shared.asks("a", 2, 200);
  assert.deepEqual(shared.told, ["a 2", "a 2 is over"]);
});

test("the end of a fetch ends nothing that was asked for later", () => {
  const shared = new Shared().asks("a", 3, 0);
  shared.does(0);
  shared.address.end("a", 2, 100);
  shared.asks("b", 2, 0);
  assert.equal(shared.does(0), TIMES.holdMs, "a holds the slot");
  const waiting = new Shared().asks("a", 3, 0);
  waiting.address.end("a", 2, null);
  waiting.does(0);
  assert.deepEqual(waiting.told, ["a 3"]);
});

test("a slot that is given again is held as long as a new one", () => {
  const shared = new Shared().asks("a", 2, 0);
  shared.does(0);
  shared.asks("a", 2, 800).asks("b", 2, 900);
  assert.equal(shared.does(900), 800 + TIMES.holdMs);
  assert.deepEqual(shared.told, ["a 2", "a 2"]);
});

test("an address rests when whoever held it, or was alone there, uses it no more", () => {
  const held = new Shared().asks("a", 2, 0);
  held.does(0);
  const free = new GrantedAddress();
  free.uses("a", { number: 0, isFree: true }, { untilMs: 0, restsUntilMs: 0 });
  for (const address of [held.address, free]) {
    address.drop("a", 300);
    address.drop("b", 300);
    assert.ok(!address.isOver(299), "what is known of it is needed");
    assert.ok(address.isOver(300));
  }
  assert.equal(held.asks("b", 2, 100).does(100), 300);
});

test("a longer rest is not made shorter by a later one", () => {
  const shared = new Shared().asks("a", 2, 0);
  shared.does(0);
  shared.address.end("a", 2, 500);
  shared.asks("b", 2, 10).does(500);
  shared.address.end("b", 2, 400);
  assert.ok(!shared.address.isOver(499));
  assert.equal(shared.asks("a", 3, 450).does(450), 500);
});
