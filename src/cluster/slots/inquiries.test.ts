/** What a granter takes for known about another life of a member than the one that it has asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PeerView } from "../../../test/support/cluster/peers.ts";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { Replied, Sender } from "../messages/index.ts";
import { SETTINGS } from "./address-slots.fixture.ts";
import { Inquiries } from "./inquiries.ts";
import { Roll } from "./roll.ts";
import type { UseReply } from "./slot-messages.ts";

/** This life of b, which the view of a does not know yet if it is not the first. */
function bIn(incarnation: number): Sender {
  return { crawl: "c", place: { id: "b", generation: 1 }, incarnation, capacity: 1 };
}

class Rig {
  readonly view: PeerView = new PeerView("a", ["a", "b"]);
  readonly inquiries: Inquiries;
  /** Whose uses were told. */
  readonly told: string[] = [];
  readonly #asked = new Map<string, (replied: Replied<UseReply>) => void>();

  constructor() {
    this.inquiries = new Inquiries({
      clock: new SimulatedTime(),
      messenger: {
        serve: () => undefined,
        ask: ({ id }, _type, _question, answered) => void this.#asked.set(id, answered as never),
      },
      settings: SETTINGS,
      self: "a",
      roll: () => new Roll(this.view),
      uses: (id) => void this.told.push(id),
      answered: () => undefined,
      wanted: () => undefined,
    });
    this.inquiries.begin();
    this.answer({ ...bIn(1), place: { id: "a", generation: 1 } });
  }

  answer(from: Sender): void {
    const body = { roll: new Roll(this.view).text, uses: [], isLast: true };
    this.#asked.get(from.place.id)?.({ kind: "reply", from, body });
  }
}

test("A1: what another life answers than was asked does not count", () => {
  const rig = new Rig();
  rig.answer(bIn(2));
  assert.deepEqual(rig.told, ["a"]);
  assert.equal(rig.inquiries.areComplete, false);
  rig.answer(bIn(1));
  assert.deepEqual(rig.told, ["a", "b"]);
  assert.equal(rig.inquiries.areComplete, true);
});

test("A1: nothing is known of another life than the one that has answered, by the same inquiry either", () => {
  const rig = new Rig();
  const number = rig.inquiries.numberOf("b");
  rig.answer(bIn(1));
  const standings = [bIn(1), bIn(2)].map((from) => rig.inquiries.standingOf(from, number));
  assert.deepEqual(standings, ["known", "later"]);
  assert.equal(rig.inquiries.standingOf(bIn(1), number - 1), "unknown");
});
