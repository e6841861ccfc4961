import assert from "node:assert/strict";
import { test } from "node:test";
import type { View } from "../membership/index.ts";
import { isWithheldBy, Withholding } from "./withholding.ts";

/** The order of agents of each host; in the ring are `self` and whoever is asked about besides. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  mine: ["self", "lost", "away"],
  "from-lost": ["lost", "self", "away"],
  "from-away": ["self", "away", "lost"],
};

function firstOf(host: string, isIn: (id: string) => boolean): string | null {
  return ORDERS[host]?.find(isIn) ?? null;
}

const VIEW = {
  self: { id: "self", generation: 1 },
  ownerWith: (host: string, others: ReadonlySet<string>) =>
    firstOf(host, (id) => id === "self" || others.has(id)),
  ownerAmong: (host: string, isIn: (id: string) => boolean) => firstOf(host, isIn),
} as unknown as View;

const LOST = { id: "lost", generation: 1 };
const AWAY = { id: "away", generation: 1 };

class Rig {
  withheld: (host: string) => boolean = () => false;
  readonly withholding: Withholding = new Withholding(VIEW, () => undefined);

  /** The hosts that may be visited. */
  get visited(): string[] {
    return Object.keys(ORDERS).filter((host) => !this.withheld(host));
  }

  open(): this {
    this.withholding.begin({
      withhold: ({ hosts, has }) => {
        this.withheld = has;
        // A lane in another thread decides by what is plain data, and its own copy of the ring.
        const copied = isWithheldBy(VIEW, structuredClone(hosts));
        assert.deepEqual(Object.keys(ORDERS).filter(copied), Object.keys(ORDERS).filter(has));
      },
      admit: () => {
        this.withheld = () => false;
      },
    });
    return this;
  }

  active(): this {
    this.withholding.opened();
    this.withholding.setActive(true);
    return this;
  }
}

test("B1: nothing is visited before the node is open and active, nor when it no longer is", () => {
  const rig = new Rig().open();
  assert.deepEqual(rig.visited, []);
  rig.withholding.setActive(true);
  assert.deepEqual(rig.visited, []);
  rig.withholding.opened();
  assert.deepEqual(rig.visited, Object.keys(ORDERS));
  rig.withholding.setActive(false);
  assert.deepEqual(rig.visited, []);
});

test("B3: hosts of a lost agent are withheld until they are taken over, others are not", () => {
  const rig = new Rig().open().active();
  rig.withholding.takeOver([LOST]);
  assert.deepEqual(rig.visited, ["mine", "from-away"]);
  assert.ok(rig.withholding.isPartial);
  rig.withholding.takeOver([]);
  assert.deepEqual(rig.visited, Object.keys(ORDERS));
  assert.ok(!rig.withholding.isPartial);
});

test("B1: hosts that were an absent member's are withheld, as long as it is awaited", () => {
  const rig = new Rig().open().active();
  rig.withholding.awaitAbsent([{ places: [AWAY], ring: ["away", "lost"] }]);
  assert.deepEqual(rig.visited, ["mine", "from-lost"]);
  rig.withholding.takeOver([LOST]);
  assert.deepEqual(rig.visited, ["mine"]);
  rig.withholding.awaitAbsent([]);
  assert.deepEqual(rig.visited, ["mine", "from-away"]);
});

test("B1: hosts are withheld that were an absent member's in any of several rings", () => {
  const rig = new Rig().open().active();
  rig.withholding.awaitAbsent([
    { places: [AWAY], ring: ["away"] },
    { places: [LOST], ring: ["lost", "self"] },
  ]);
  assert.deepEqual(rig.visited, []);
  rig.withholding.awaitAbsent([{ places: [LOST], ring: ["lost", "self"] }]);
  assert.deepEqual(rig.visited, ["mine", "from-away"]);
});

test("whatever may make hosts visitable, or not, is told", () => {
  let changes = 0;
  const withholding = new Withholding(VIEW, () => {
    changes += 1;
  });
  withholding.begin({ withhold: () => undefined, admit: () => undefined });
  const steps: readonly (() => void)[] = [
    () => withholding.opened(),
    () => withholding.setActive(true),
    () => withholding.takeOver([LOST]),
    () => withholding.takeOver([]),
    () => withholding.setActive(false),
  ];
  for (const step of steps) {
    const before = changes;
    step();
    assert.equal(changes, before + 1);
  }
});
