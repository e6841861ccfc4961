import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";
import { LoopWatch } from "./loop-watch.ts";

class TwoClocks {
  now = 1000;
  wall = 5_000_000;
  nowMs(): number {
    return this.now;
  }
  wallMs(): number {
    return this.wall;
  }
  after(): never {
    throw new Error("nothing is timed here");
  }
}

function incarnationOf(members: Members, name: string): number {
  return [...members.at(name).membership.view.members()][0]?.incarnation ?? 0;
}

test("B5: a pause is noticed by the monotonic clock or by the time of day", () => {
  for (const [now, wall, isSilent] of [
    [100, 100, false],
    [101, 0, true],
    [0, 101, true],
    [50, -4000, false],
  ] as const) {
    const clock = new TwoClocks();
    const watch = new LoopWatch(clock, 100);
    clock.now += now;
    clock.wall += wall;
    assert.equal(watch.wasSilent, isSilent, `${now} ${wall}`);
    watch.runs();
    assert.equal(watch.wasSilent, false);
  }
});

for (const what of ["process", "machine"] as const) {
  test(`B5: after its ${what} slept an agent joins again before it fetches`, () => {
    const members = Members.settled(["a", "b", "c"]);
    const before = incarnationOf(members, "c");
    const node = members.cluster.node("c");
    node.pause(what);
    members.pass(30);
    assert.equal(members.at("a").gaveUp.length, 1);
    node.resume();
    let hosts = 0;
    members.until(() => {
      hosts |= incarnationOf(members, "c") === before ? members.at("c").visits : 0;
      return members.areSettled;
    }, "it is back");
    assert.equal(hosts, 0, "nothing is visited in the life that slept");
    assert.ok(incarnationOf(members, "c") > before);
  });
}

test("B5: a time of day that is set makes an agent join once more, and only once", () => {
  for (const byMs of [86_400_000, -86_400_000]) {
    const members = Members.settled(["a", "b"]);
    const before = incarnationOf(members, "b");
    members.cluster.node("b").jumpWall(byMs);
    members.pass(60);
    assert.ok(members.areSettled);
    assert.equal(incarnationOf(members, "b"), before + (byMs > 0 ? 1 : 0));
  }
});
