import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";

test("B0: a second process with an id that is in use is refused, the first goes on", () => {
  const members = Members.settled(["a", "b", "c"]);
  const second = members.start("b", { name: "b again" });
  members.until(() => second.isRefused, "it is refused", 10);
  assert.equal(second.membership.state, "closed");
  members.pass(10);
  assert.ok(members.at("b").membership.mayFetch);
  assert.deepEqual(members.at("a").gaveUp, []);
});

test("B0: of two processes that start with one id at once, one becomes a member", () => {
  const members = Members.settled(["a", "b"]);
  members.left = ({ life }) => members.kernel.schedule(0, () => members.stop(life.nodeId));
  members.start("c", { name: "c1" });
  members.start("c", { name: "c2" });
  members.until(() => members.areSettled && members.processes.length === 3, "one is left", 60);
});

test("B0: an agent that starts again is not taken for another one", () => {
  const members = Members.settled(["a", "b"]);
  members.stop("b")();
  members.until(() => members.areSettled, "it is back");
  assert.ok(!members.at("b").isRefused);
});

test("B0: a new disk has a larger generation than all that are known, whatever its clock says", () => {
  const members = Members.settled(["a", "b"]);
  const { generation } = members.at("b").membership.view.self;
  const restart = members.stop("b", true);
  members.cluster.node("b").jumpWall(-86_400_000);
  restart();
  members.until(() => members.areSettled, "it is back");
  assert.ok(members.at("b").membership.view.self.generation > generation);
});

test("an agent that nobody tells what the crawl is says so, once, and goes on when somebody does", () => {
  const members = new Members();
  members.start("a");
  // Nobody is left who knows the crawl.
  const restart = members.stop("a");
  const [b, c] = [members.start("b"), members.start("c")];
  members.pass(5);
  assert.deepEqual([b.troubles, c.troubles], [[], []]);
  members.pass(60);
  for (const { membership, troubles } of [b, c]) {
    assert.equal(membership.state, "asking");
    assert.deepEqual(
      troubles.map(({ code }) => code),
      ["CLUSTER_WAITING"],
    );
  }
  restart();
  members.until(() => members.areSettled, "they have joined");
  assert.equal(b.troubles.length, 1);
});

test("a capacity never changes", () => {
  const members = Members.settled(["a", "b"]);
  members.stop("b");
  const again = members.start("b", { name: "b larger", capacity: 2 });
  members.until(() => again.troubles.length > 0, "it is refused", 10);
  assert.equal(again.troubles[0]?.code, "CLUSTER_CAPACITY_FIXED");
});
