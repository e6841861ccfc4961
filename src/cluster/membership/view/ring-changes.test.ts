import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";
import { placeText } from "../../messages/index.ts";

test("G1: a later disk of an agent, heard or only named, ends the earlier one at once", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { self } = members.at("c").membership.view;
  members.at("a").membership.mention({ id: "c", generation: self.generation + 1 });
  assert.deepEqual(members.at("a").gaveUp, [placeText(self)]);
  assert.ok(members.at("a").takeover.length > 0, "its hosts are withheld");
  assert.equal(members.at("a").membership.view.isGivenUp(self), true);
});

test("G2: the table of members is on the disk: one that was lost meanwhile is missed after a restart", () => {
  const members = Members.settled(["a", "b", "c"]);
  const place = placeText(members.at("c").membership.view.self);
  const restart = members.stop("a");
  members.stop("c");
  restart();
  members.until(() => members.at("a").gaveUp.includes(place), "it is given up", 20);
});

test("G2: after a restart it is told again who was given up", () => {
  const members = Members.settled(["a", "b", "c"]);
  const place = placeText(members.at("c").membership.view.self);
  members.stop("c");
  members.until(() => members.at("a").gaveUp.length > 0, "it is given up");
  members.stop("a")();
  members.until(() => members.at("a").gaveUp.length > 0, "it is told again", 2);
  assert.deepEqual(members.at("a").gaveUp, [place]);
});

test("G3: a place that is named and not known is on probation, and given up unless it is heard", () => {
  const members = Members.settled(["a", "b"]);
  members.at("a").membership.mention({ id: "z", generation: 7 });
  assert.equal(members.at("a").membership.view.onProbation, 1);
  members.pass(9);
  assert.equal(members.at("a").membership.view.onProbation, 1);
  members.until(() => members.at("a").membership.view.onProbation === 0, "it is given up", 3);
  assert.deepEqual(members.at("a").gaveUp, ["z.7"]);
});

test("G3: a place that was given up and is named again is given up again", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { self } = members.at("c").membership.view;
  members.stop("c");
  members.until(() => members.at("a").gaveUp.length === 1, "it is given up");
  members.at("a").membership.mention(self);
  members.pass(5);
  assert.equal(members.at("a").membership.view.onProbation, 1, "it has time to be heard");
  members.until(() => members.at("a").gaveUp.length === 2, "it is given up again", 7);
});

test("G5: a place that is back after it was given up is told of", () => {
  const members = Members.settled(["a", "b", "c"]);
  const place = placeText(members.at("c").membership.view.self);
  const restart = members.stop("c");
  members.until(() => members.at("a").gaveUp.length > 0, "it is given up");
  restart();
  members.until(() => members.areSettled, "it is back");
  assert.deepEqual(members.at("a").returned, [place]);
});

test("G3, L1: a place that has left is not on probation when it is named", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { self } = members.at("c").membership.view;
  members.at("c").membership.leave(() => undefined);
  members.until(() => members.at("a").gaveUp.length > 0, "it has left");
  members.at("a").membership.mention(self);
  assert.equal(members.at("a").membership.view.onProbation, 0);
  assert.equal(members.at("a").membership.view.isGivenUp(self), true);
});

test("G5: it is told of also if somebody named it before it was back", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { self } = members.at("c").membership.view;
  const restart = members.stop("c");
  members.until(() => members.at("a").gaveUp.length > 0, "it is given up");
  members.at("a").membership.mention(self);
  assert.equal(members.at("a").membership.view.isGivenUp(self), false, "it is on probation");
  restart();
  members.until(() => members.areSettled, "it is back");
  assert.deepEqual(members.at("a").returned, [placeText(self)]);
});

test("G5, C1: one that was named before anybody had heard of it is told of when it has joined", () => {
  const members = Members.settled(["a", "b"]);
  const { view } = members.start("c").membership;
  members.until(() => view.self.generation > 0, "it has a disk", 5);
  assert.equal(members.at("a").membership.view.isKnown(view.self), false);
  members.at("a").membership.mention(view.self);
  members.until(() => members.areSettled, "it has joined");
  members.at("b").membership.mention(view.self);
  const told = ["a", "b"].map((id) => members.at(id).returned);
  assert.deepEqual(told, [[placeText(view.self)], []], "b had heard it before");
});

test("G5: after a restart it is told of again, until it has announced what it holds", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { self } = members.at("c").membership.view;
  const restart = members.stop("c");
  members.until(() => members.at("a").gaveUp.length > 0, "it is given up");
  restart();
  members.until(() => members.areSettled, "it is back");
  members.stop("a")();
  members.until(() => members.at("a").returned.length > 0, "it is told of again", 2);
  assert.deepEqual(members.at("a").returned, [placeText(self)]);
  members.at("a").membership.announced(self);
  members.until(() => members.areSettled, "that is durable");
  members.stop("a")();
  members.until(() => members.areSettled, "all are there");
  assert.deepEqual(members.at("a").returned, []);
});
