/** Sessions without their agent: what a granter has heard, and when it is invited to ask. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PeerView } from "../../../test/support/cluster/peers.ts";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { SETTINGS } from "./address-slots.fixture.ts";
import { Roll } from "./roll.ts";
import type { UseInquiry, UseReply } from "./slot-messages.ts";
import { SlotSessions } from "./slot-sessions.ts";

const B = { id: "b", generation: 1 };

class Rig {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly view: PeerView = new PeerView("a", ["a", "b", "c"]);
  readonly sessions: SlotSessions;
  /** Who was invited. */
  readonly invited: string[] = [];
  #inquired: (from: never, inquiry: UseInquiry, respond: (reply: UseReply) => void) => void;

  constructor() {
    this.#inquired = () => assert.fail("nobody serves inquiries");
    this.sessions = new SlotSessions({
      clock: this.time,
      messenger: {
        serve: (_type, listener) => {
          this.#inquired = listener as never;
        },
        ask: ({ id }) => void this.invited.push(id),
      },
      settings: SETTINGS,
      roll: () => new Roll(this.view),
      addresses: () => [],
      useOf: () => null,
      begun: () => undefined,
    });
  }

  /** The granter b asks. */
  inquire(inquiry: number): UseReply {
    const replies: UseReply[] = [];
    const from = { place: B } as never;
    this.#inquired(from, { inquiry, part: 0 }, (reply) => replies.push(reply));
    return replies[0] ?? assert.fail("it is answered at once");
  }

  pass(virtualMs: number): void {
    this.time.kernel.pass(virtualMs);
  }
}

test("A1: a granter that asks before it is on the roll has no session, neither then nor when it comes", () => {
  const rig = new Rig();
  rig.view.set("b", "dead");
  rig.inquire(1);
  assert.equal(rig.sessions.with(B), null);
  rig.view.set("b", "alive");
  rig.sessions.rollChanged(true);
  assert.equal(rig.sessions.with(B), null, "it was not told what it grants by now");
  rig.inquire(2);
  assert.equal(rig.sessions.with(B)?.inquiry, 2);
});

test("A1: an answer, which may be lost, counts as heard for half the time that its agent may be silent", () => {
  const rig = new Rig();
  rig.pass(60_000);
  rig.inquire(1);
  const { totalTimeoutMs } = SETTINGS;
  assert.equal(rig.sessions.with(B)?.confirmedAtMs, rig.time.nowMs() - totalTimeoutMs / 2);
});

test("whoever is invited is invited again until it asks, and not after the end", () => {
  const rig = new Rig();
  rig.sessions.want(B);
  rig.pass(2 * (SETTINGS.timeoutMs + SETTINGS.retryMs));
  assert.deepEqual(rig.invited, ["b", "b", "b"]);
  rig.sessions.close();
  assert.equal(rig.time.kernel.waiting, 0, "nothing is left to be done");
  rig.pass(5000);
  assert.equal(rig.invited.length, 3);
});

test("a granter that knows of no session is not invited when its answer comes after the end", () => {
  const rig = new Rig();
  rig.inquire(1);
  const session = rig.sessions.with(B) ?? assert.fail("a session has begun");
  rig.sessions.close();
  rig.sessions.end(B, session);
  rig.pass(5000);
  assert.deepEqual(rig.invited, []);
});
