import assert from "node:assert/strict";
import { test } from "node:test";
import { FOUNDED, SETTINGS } from "../../../../test/support/cluster/members.ts";
import { Kernel, SimCluster, SimDisk } from "../../../lab/simulator/index.ts";
import { Messenger, type Place, placeText } from "../../messages/index.ts";
import { type Assembly, assemble } from "../assembly.ts";
import type { SyncReply, Vote } from "../membership-messages.ts";
import type { MemberEntry } from "../view/member-table.ts";

const ELECTORS: readonly Place[] = ["a", "b", "c", "d", "e"].map((id) => ({ id, generation: 1 }));

/** The membership of the elector `a`, which is put into any state by hand. */
class Elector {
  readonly kernel: Kernel = new Kernel({ seed: "votes" });
  readonly all: Assembly;

  constructor() {
    const assembled: Assembly[] = [];
    new SimCluster(this.kernel).add("a", (life, transport) => {
      const { clock, random } = life;
      const nothing = (): void => undefined;
      const disk = new SimDisk(this.kernel.random);
      assembled.push(
        assemble({
          ...{ id: "a", capacity: 1, founds: null, seedsFrom: 0, clock, random },
          ...{ settings: { ...SETTINGS, partition: "fence" }, storage: disk.mount(clock) },
          messenger: new Messenger(transport, clock),
          listener: {
            understands: () => true,
            ...{ configured: nothing, viewChanged: nothing, gaveUp: nothing, returned: nothing },
            ...{ handOver: nothing, takeover: nothing, takeoverOver: nothing, absent: nothing },
            ...{ activated: nothing, deactivated: nothing, handOverAll: nothing },
            ...{ seedsArrived: nothing, elapsedMs: () => 0, ranFor: nothing },
            ...{ trouble: nothing, refused: nothing, cameTooLate: nothing },
            toldTo: () => null,
          },
        }),
      );
    });
    this.all = assembled[0] ?? assert.fail();
    const { life, table, view } = this.all.core;
    life.configuration = { ...FOUNDED, electors: ELECTORS };
    life.generation = 1;
    life.incarnation = 3;
    life.state = "active";
    for (const place of ELECTORS.slice(1)) {
      const entry = table.add(place, this.all.core.clock.nowMs());
      Object.assign(entry, { isInRing: true, incarnation: 1, isVoter: true, beat: 5 });
    }
    view.changed();
  }

  entry(id: string): MemberEntry {
    return this.all.core.table.get(id) ?? assert.fail();
  }

  /** `id` has heard this beat of `a`. */
  hear(id: string, number: number, more: Partial<Vote> = {}, incarnation = 3): void {
    const { life, view } = this.all.core;
    const heard = [{ place: life.place, incarnation, number }];
    const { ringHash } = view;
    this.all.majority.heard(this.entry(id), {
      ...{ isVoter: true, ringHash, heard, condemned: [], ...more },
    });
  }

  condemn(id: string, whom: string, incarnation = 1): void {
    const { place } = this.entry(whom);
    this.entry(id).condemned = new Map([[placeText(place), incarnation]]);
  }

  replies(ids: string, dead = ""): Map<string, SyncReply> {
    const ring = ELECTORS.map((place) => {
      return { place, incarnation: 1, capacity: 1, isDead: dead.includes(place.id) };
    });
    const said = {
      number: 1,
      isDone: true,
      isBegun: true,
      isEstablished: true,
      isVoter: true,
      elapsedMs: 0,
    };
    return new Map(
      [...ids].map((id) => [id, { ...said, ring, seeds: [], absences: [], condemned: [] }]),
    );
  }
}

test("P2: two electors that have heard a beat of today, and the own vote, are a majority of five", () => {
  const elector = new Elector();
  const { majority } = elector.all;
  const number = majority.nextBeat();
  elector.hear("b", number);
  assert.equal(majority.isWithUs, false);
  elector.hear("c", number);
  assert.equal(majority.isWithUs, true);
  elector.kernel.pass(3500);
  assert.equal(majority.isWithUs, true);
  elector.kernel.pass(200);
  assert.equal(majority.isWithUs, false, "0.6 of the time until death has passed");
});

test("P2: a beat that is too old, or of another life, or heard by one with another ring, is no support", () => {
  const elector = new Elector();
  const { majority } = elector.all;
  const number = majority.nextBeat();
  elector.hear("b", number);
  elector.hear("c", number, { ringHash: "another" });
  elector.hear("d", number, {}, 2);
  elector.hear("e", number, { isVoter: false });
  assert.equal(majority.isWithUs, false);
  elector.kernel.pass(5000);
  majority.nextBeat();
  for (const id of ["b", "c", "d"]) elector.hear(id, number);
  assert.equal(majority.isWithUs, false, "these have come late");
});

test("P2: another life needs support of its own", () => {
  const elector = new Elector();
  const { majority } = elector.all;
  const number = majority.nextBeat();
  for (const id of ["b", "c"]) elector.hear(id, number);
  majority.beginLife();
  assert.equal(majority.isWithUs, false);
});

test("P2: an elector names the beats of those in its ring, and not of those it has condemned", () => {
  const elector = new Elector();
  elector.entry("c").isCondemned = true;
  elector.entry("d").isInRing = false;
  elector.entry("e").beat = 0;
  const { heard } = elector.all.majority.vote;
  assert.deepEqual(heard, [{ place: { id: "b", generation: 1 }, incarnation: 1, number: 5 }]);
});

test("P2: a place is lost when three of five have condemned its life, this one durably", () => {
  const elector = new Elector();
  const { majority, core } = elector.all;
  const lost = (): string[] => majority.lost().map(({ id }) => id);
  elector.condemn("b", "e");
  elector.entry("e").isCondemned = true;
  core.file.changed();
  elector.condemn("c", "e", 0);
  assert.deepEqual(lost(), [], "one has condemned an earlier life");
  elector.condemn("c", "e");
  assert.deepEqual(lost(), [], "the own vote is not durable yet");
  elector.kernel.pass(100);
  assert.deepEqual(majority.vote.condemned, [{ place: ELECTORS[4], incarnation: 1 }]);
  assert.deepEqual(lost(), ["e"]);
});

test("P2: who joins needs answers of more than half, and of each member that is not dead to as many", () => {
  const elector = new Elector();
  const { majority } = elector.all;
  assert.equal(majority.allowsToJoin(elector.replies("b", "cde")), false, "two of five");
  assert.equal(majority.allowsToJoin(elector.replies("bc", "")), false, "two do not answer");
  assert.equal(majority.allowsToJoin(elector.replies("bc", "d")), false, "one is alive there");
  // The own view counts as one of three.
  assert.equal(majority.allowsToJoin(elector.replies("bc", "de")), false);
  elector.kernel.pass(7000);
  assert.equal(majority.allowsToJoin(elector.replies("bc", "de")), true);
  assert.equal(majority.allowsToJoin(elector.replies("bcde", "")), true);
});

test("P2: what others have condemned an elector condemns too when it joins, unless it knows better", () => {
  const elector = new Elector();
  const { majority } = elector.all;
  elector.entry("c").incarnation = 2;
  majority.adopt([
    { place: { id: "b", generation: 1 }, incarnation: 1 },
    { place: { id: "c", generation: 1 }, incarnation: 1 },
    { place: { id: "z", generation: 1 }, incarnation: 1 },
  ]);
  const condemned = elector.all.core.table.entries().filter(({ isCondemned }) => isCondemned);
  assert.deepEqual(
    condemned.map(({ id }) => id),
    ["b"],
  );
});
