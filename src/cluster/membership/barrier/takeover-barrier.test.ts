import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";

test("B3: hosts that were gained are withheld until all others have given up and handed over", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.at("b").isHolding = true;
  members.stop("c");
  members.until(() => members.at("a").takeover.length > 0, "its hosts are withheld");
  members.pass(4);
  assert.ok(members.at("a").membership.isTakingOver);
  members.at("b").handOver();
  members.until(() => members.at("a").takeover.length === 0, "they are taken over", 3);
});

test("B3: a takeover waits for whoever hands over, however long it takes", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.at("b").isHolding = true;
  members.stop("c");
  members.until(() => members.at("a").takeover.length > 0, "its hosts are withheld");
  members.pass(40);
  assert.ok(members.at("a").membership.isTakingOver);
  members.at("b").handOver();
  members.until(() => members.at("a").takeover.length === 0, "they are taken over", 3);
});

test("B3: a takeover waits for no answer for longer than eight beats and the time that death takes", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.stop("c");
  members.until(() => members.at("a").takeover.length > 0, "its hosts are withheld");
  // From now on nothing that is asked arrives; that b is there is heard.
  members.cluster.network.cut("a", "b");
  members.pass(13);
  assert.ok(members.at("a").membership.isTakingOver);
  members.pass(2);
  assert.ok(!members.at("a").membership.isTakingOver);
});

test("B3: whoever has no room to hand over is not waited for any longer", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.at("b").isHolding = true;
  members.at("b").membership.setFull(true);
  members.stop("c");
  members.until(() => members.at("a").takeover.length > 0, "its hosts are withheld");
  members.pass(13);
  assert.ok(members.at("a").membership.isTakingOver);
  members.pass(2);
  assert.ok(!members.at("a").membership.isTakingOver);
});

test("B3: whoever is asked gives up a place that is dead to it too, without waiting for longer", () => {
  const members = Members.settled(["a", "b", "c"]);
  const restart = members.stop("b");
  members.stop("c");
  members.pass(5);
  // It counts the silence of c from now on.
  restart();
  members.until(() => members.at("a").gaveUp.length > 0, "a gives c up");
  members.until(() => members.at("b").gaveUp.length > 0, "so does b", 3);
});

test("B3, L1: a takeover waits for a leaver that is there, however long it takes", () => {
  const members = Members.settled(["a", "b", "c"]);
  const leaver = members.at("c");
  leaver.isHolding = true;
  leaver.membership.setFull(true);
  leaver.membership.leave(() => undefined);
  members.until(() => members.at("a").takeover.length > 0, "its hosts are withheld");
  members.pass(20);
  assert.ok(members.at("a").membership.isTakingOver);
  leaver.handOver();
  members.until(() => members.at("a").takeover.length === 0, "they are taken over", 4);
});

test("B3, L1: a leaver that dies is not waited for", () => {
  const members = Members.settled(["a", "b", "c"]);
  const leaver = members.at("c");
  leaver.isHolding = true;
  leaver.membership.leave(() => undefined);
  members.until(() => members.at("a").takeover.length > 0, "its hosts are withheld");
  members.stop("c");
  members.until(() => members.at("a").takeover.length === 0, "they are taken over", 20);
});

test("B3: cluster.recovery limits how many answers are waited for", () => {
  const members = Members.settled(["a", "b", "c"], { settings: { recovery: 0 } });
  members.at("b").isHolding = true;
  members.stop("c");
  members.until(() => members.at("a").takeovers > 0, "its hosts are withheld");
  members.until(() => members.at("a").takeover.length === 0, "for a moment", 2);
});

test("B3, L1: a leaver that is there is waited for, however few answers cluster.recovery asks for", () => {
  const members = Members.settled(["a", "b", "c"], { settings: { recovery: 0 } });
  const leaver = members.at("c");
  leaver.isHolding = true;
  leaver.membership.leave(() => undefined);
  members.until(() => members.at("a").takeover.length > 0, "its hosts are withheld");
  members.pass(5);
  // It may have a request of theirs under way.
  assert.ok(members.at("a").membership.isTakingOver);
  leaver.handOver();
  members.until(() => members.at("a").takeover.length === 0, "they are taken over", 4);
});

test("B3: places that are lost during a takeover are taken over with the others", () => {
  const members = Members.settled(["a", "b", "c", "d"]);
  members.at("b").isHolding = true;
  members.stop("c");
  members.pass(3);
  members.stop("d");
  members.until(() => members.at("a").takeover.length === 2, "both are taken over at once");
});
