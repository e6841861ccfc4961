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
