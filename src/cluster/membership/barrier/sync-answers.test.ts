import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";
import type { Place } from "../../messages/index.ts";
import { SYNC, type SyncReply } from "../membership-messages.ts";

/** Lets `b` ask `a` something, and returns what is answered within half a beat. */
function ask(
  members: Members,
  number: number,
  { isJoin = false, givenUp = [] as readonly Place[] } = {},
): SyncReply | null {
  const replies: SyncReply[] = [];
  const question = { body: { number, isJoin, givenUp }, timeoutMs: 400 };
  members.at("b").messenger.ask(members.at("a").membership.view.self, SYNC, question, (replied) => {
    if (replied.kind === "reply") replies.push(replied.body);
  });
  members.kernel.pass(500);
  return replies[0] ?? null;
}

function pair(): Members {
  const members = Members.settled(["a", "b"]);
  members.handOverMs = 1;
  members.at("a").handedTo.length = 0;
  return members;
}

test("B2: who asks is answered when everything is handed over", () => {
  const members = pair();
  members.at("a").isHolding = true;
  const { requests } = members.at("a").membership;
  assert.equal(ask(members, 100)?.isDone, false);
  assert.equal(members.at("a").membership.openRequests, 1);
  members.at("a").handOver();
  assert.equal(ask(members, 100)?.isDone, true);
  assert.equal(members.at("a").handedTo.length, 1, "the same question is not begun again");
  assert.equal(members.at("a").membership.requests, requests + 1, "it counts once (T1)");
  assert.equal(members.at("a").membership.openRequests, 0);
});

test("B2: joining and taking over are two requests, and neither ends the other", () => {
  const members = pair();
  members.at("a").isHolding = true;
  ask(members, 100, { isJoin: true });
  ask(members, 101);
  ask(members, 100, { isJoin: true });
  ask(members, 101);
  assert.equal(members.at("a").handedTo.length, 2);
  assert.equal(members.at("a").membership.openRequests, 2);
});

test("B2: a later question replaces an earlier one, and is not replaced by it", () => {
  const members = pair();
  members.at("a").isHolding = true;
  ask(members, 100);
  ask(members, 101);
  assert.equal(ask(members, 100), null, "it came late");
  members.at("a").handOver();
  assert.equal(ask(members, 101)?.isDone, true);
  assert.equal(members.at("a").handedTo.length, 2);
});

test("B2: a request that is not repeated is dropped", () => {
  const members = pair();
  members.at("a").isHolding = true;
  ask(members, 100);
  members.pass(6);
  assert.equal(members.at("a").membership.openRequests, 0);
});

test("B2: a request that is repeated is kept, however long the handing over takes", () => {
  const members = pair();
  members.at("a").isHolding = true;
  for (let times = 0; times < 14; times += 1) assert.equal(ask(members, 100)?.isDone, false);
  assert.equal(members.at("a").handedTo.length, 1, "it is begun once");
  assert.equal(members.at("a").membership.openRequests, 1);
});

test("B3: a takeover is answered by those who have given up the same places", () => {
  const members = pair();
  members.start("c");
  members.until(() => members.areSettled, "a third is there");
  const { self } = members.at("c").membership.view;
  for (let times = 0; times < 3; times += 1) {
    assert.equal(ask(members, 100, { givenUp: [self] })?.isDone, false);
  }
  members.stop("c");
  members.until(() => members.at("a").gaveUp.length > 0, "it is given up");
  assert.equal(ask(members, 101, { givenUp: [self] })?.isDone ?? false, false);
  assert.equal(ask(members, 101, { givenUp: [self] })?.isDone, true);
});

test("L1: a leaver answers questions about itself, so that its hosts are not withheld for long", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.at("c").isHolding = true;
  members.at("c").membership.leave(() => undefined);
  members.until(() => members.at("a").takeover.length > 0, "its hosts are withheld");
  members.at("c").isHolding = false;
  members.until(() => members.at("a").takeover.length === 0, "they are visited again", 4);
  assert.equal(members.at("c").membership.state, "leaving");
});

test("D1: that a joiner was put into the ring is durable before it is said", () => {
  const members = Members.settled(["a", "b"]);
  const { disk } = members.machine("a");
  disk.isFullFor = (name) => name === "cluster/members";
  const joiner = members.start("c");
  members.pass(12);
  assert.equal(joiner.membership.mayFetch, false);
  disk.isFullFor = () => false;
  members.until(() => members.areSettled, "there is room again");
});
