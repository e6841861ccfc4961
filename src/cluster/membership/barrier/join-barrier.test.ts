import assert from "node:assert/strict";
import { test } from "node:test";
import { type MemberProcess, Members } from "../../../../test/support/cluster/members.ts";
import { REJOIN } from "../membership-messages.ts";
import { SyncRound } from "./sync-round.ts";

test("B1: nobody is active before every live place has handed over", () => {
  const members = Members.settled(["a", "b"]);
  members.at("b").isHolding = true;
  const joiner = members.start("c");
  members.pass(30);
  assert.equal(joiner.membership.state, "joining");
  assert.equal(joiner.membership.mayFetch, false);
  members.at("b").handOver();
  members.until(() => members.areSettled, "it is active");
});

test("B1: who has answered an earlier life of a joiner, and is dead by now, is absent", () => {
  const members = Members.settled(["a", "b", "c"], { settings: { giveUpAfterMs: 60_000 } });
  const restart = members.stop("c");
  members.at("a").isHolding = true;
  restart();
  members.pass(8);
  assert.ok(members.at("b").handedTo.length > 0, "it has answered");
  members.stop("b");
  members.pass(8);
  const joiner = members.at("c");
  const [own] = joiner.membership.view.members();
  const body = { place: joiner.membership.view.self, incarnation: own?.incarnation ?? 0 };
  const { messenger } = members.at("a");
  messenger.ask(body.place, REJOIN, { body, timeoutMs: 100 }, () => undefined);
  members.pass(1);
  members.at("a").handOver();
  members.until(() => joiner.membership.mayFetch, "it is active");
  const absent = joiner.absences.flatMap(({ places }) => places.map(({ id }) => id));
  assert.deepEqual(absent, ["b"]);
});

test("B1, B2: who was joining when it answered is asked again when all have answered", () => {
  const members = Members.settled(["a"]);
  members.at("a").isHolding = true;
  const [first, second] = [members.start("b"), members.start("c")];
  const timesAsked = ({ handedTo }: MemberProcess, id: string): number =>
    handedTo.filter((place) => place.startsWith(`${id}.`)).length;
  members.pass(8);
  assert.deepEqual([timesAsked(first, "c"), timesAsked(second, "b")], [1, 1]);
  second.isHolding = true;
  members.at("a").handOver();
  members.pass(4);
  assert.deepEqual([timesAsked(first, "c"), timesAsked(second, "b")], [2, 2]);
  assert.equal(first.membership.mayFetch, false, "it waits for what the second passes on");
  second.handOver();
  members.until(() => members.areSettled, "both are active");
  const single = members.start("d");
  members.until(() => single.membership.mayFetch, "it is active");
  assert.equal(timesAsked(first, "d"), 1, "who is active is asked once");
});

/** For as long as it lasts, nobody asks `id`; that one asks others, and is answered. */
function withoutRequestsTo(id: string, run: () => void): void {
  const { ask } = SyncRound.prototype;
  SyncRound.prototype.ask = function (others): void {
    if (!others.some((place) => place.id === id)) Reflect.apply(ask, this, [others]);
  };
  try {
    run();
  } finally {
    SyncRound.prototype.ask = ask;
  }
}

test("B1: who joins has in its ring whoever starts again, though that one's request is late", () => {
  const members = Members.settled(["a"]);
  const restart = members.stop("a");
  const joiner = members.start("b");
  members.pass(8);
  restart();
  withoutRequestsTo("b", () => members.until(() => joiner.membership.mayFetch, "it is active"));
  const ring = [...joiner.membership.view.members()].filter(({ isInRing }) => isInRing);
  assert.deepEqual(ring.map(({ place }) => place.id).sort(), ["a", "b"]);
  members.until(() => members.areSettled, "both are active");
});

test("B1, M8: who joins has been told by all who are there how long the crawl has run", () => {
  const members = Members.settled(["a", "b"]);
  members.at("a").elapsedMs = 7000;
  members.at("b").elapsedMs = 5000;
  const joiner = members.start("c");
  members.until(() => joiner.membership.mayFetch, "it is active");
  assert.deepEqual(new Set(joiner.heardElapsed), new Set([7000, 5000]));
});

test("B1: a restart passes the barrier too", () => {
  const members = Members.settled(["a", "b"]);
  members.pass(1);
  members.at("a").isHolding = true;
  members.stop("b")();
  members.pass(20);
  assert.equal(members.at("b").membership.state, "joining");
  members.at("a").handOver();
  members.until(() => members.areSettled, "it is active");
});

test("B1: nobody waits for the dead, who stay in the ring until they are given up", () => {
  const members = Members.settled(["a", "b", "c"], { settings: { giveUpAfterMs: 60_000 } });
  members.stop("c");
  members.pass(7);
  const joiner = members.start("d");
  members.until(() => joiner.membership.mayFetch, "it is active", 15);
  const known = [...joiner.membership.view.members()].find(({ place }) => place.id === "c");
  assert.equal(known?.isInRing, true, "it was adopted from the others, unheard");
});

test("B1: an answer counts for the disk that gave it, not for the next one of the same agent", () => {
  const members = Members.settled(["a", "b", "c"]);
  const [joiner] = [members.start("d"), members.start("e")];
  const timesHanded = (): number =>
    members.at("b").handedTo.filter((place) => place.startsWith("d.")).length;
  // There are two joiners, so that all are asked twice.
  members.until(() => timesHanded() === 1, "one has handed over");
  members.at("c").isHolding = true;
  members.until(() => timesHanded() === 2, "it is asked again");
  // The first to answer is wiped before the last one does.
  members.pass(2);
  members.stop("b", true)();
  members.at("b").isHolding = true;
  members.until(() => timesHanded() > 0, "its next disk was asked too", 20);
  members.at("c").handOver();
  members.pass(5);
  assert.equal(joiner.membership.mayFetch, false);
  members.at("b").handOver();
  members.until(() => members.areSettled, "it is active");
});

test("B1: an empty disk waits for one that has taken part, however long", () => {
  const members = Members.settled(["a", "b"]);
  const restart = members.stop("a");
  members.stop("b", true)();
  const joiner = members.start("c");
  members.pass(100);
  for (const process of members.processes) assert.equal(process.membership.mayFetch, false);
  assert.equal(members.at("b").membership.state === "active", false);
  // It knows nobody who could tell it of the crawl.
  assert.equal(joiner.membership.state, "asking");
  restart();
  members.until(() => members.areSettled, "one that knows is back");
});

test("B1: agents that know the crawl and have no part in it wait, and say so", () => {
  const members = Members.settled(["a", "b"]);
  members.at("a").isHolding = true;
  const [c, d] = [members.start("c"), members.start("d")];
  members.until(
    () => c.membership.state === "joining" && d.membership.state === "joining",
    "asked",
  );
  for (const name of ["a", "b"]) members.stop(name);
  members.pass(40);
  for (const process of [c, d]) {
    assert.equal(process.membership.state, "joining");
    assert.ok(process.troubles.some(({ code }) => code === "CLUSTER_WAITING"));
  }
});

test("B1: a crawl begins when as many are there as are expected", () => {
  const members = new Members({ expect: 2 });
  const founder = members.start("a");
  members.pass(20);
  assert.equal(founder.membership.state, "joining");
  assert.deepEqual(
    founder.troubles.map(({ message }) =>
      /begins when (\d) .* knows of (\d)/.exec(message)?.slice(1),
    ),
    [["2", "1"]],
  );
  members.start("b");
  members.until(() => members.areSettled, "both are active");
});

test("B1: whoever joins a crawl waits with its founder until enough are there", () => {
  const members = new Members({ expect: 3 });
  const [founder, second] = [members.start("a"), members.start("b")];
  members.pass(60);
  assert.deepEqual(
    [founder, second].map(({ membership: { state, mayFetch } }) => [state, mayFetch]),
    [
      ["joining", false],
      ["joining", false],
    ],
  );
  assert.match(second.troubles[0]?.message ?? "", /has not begun yet.*--expect/);
  assert.deepEqual(
    [founder, second].map(({ membership }) => membership.awaited),
    [1, 0],
  );
  members.start("c");
  members.until(() => members.areSettled, "all are active");
  assert.equal(founder.membership.awaited, 0);
});

test("B1: a founder that is told to wait for fewer begins with those who are there", () => {
  const members = new Members({ expect: 3 });
  for (const id of ["a", "b"]) members.start(id);
  members.pass(60);
  Object.assign(members, { expect: 2 });
  members.stop("a")();
  members.until(() => members.areSettled, "both are active");
});

test("I2: a joiner holds all seeds before it is active", () => {
  const members = Members.settled(["a", "b"]);
  let isHeld = false;
  members.at("a").membership.addSeeds(["http://one.test/", "http://two.test/"], () => {
    isHeld = true;
  });
  members.until(() => isHeld, "the seeds are held");
  const joiner = members.start("c");
  members.until(() => joiner.membership.mayFetch, "it is active");
  assert.equal(joiner.seeds.size, 2);
});

test("I2, B1: a member that was down while seeds came holds them before it is active again", () => {
  const members = Members.settled(["a", "b"]);
  const restart = members.stop("b");
  members.at("a").membership.addSeeds(["http://one.test/"], () => undefined);
  members.machine("b").disk.isFullFor = (name) => name.startsWith("cluster/seeds");
  restart();
  members.pass(20);
  assert.equal(members.at("b").membership.mayFetch, false, "it has no room for them");
  members.machine("b").disk.isFullFor = () => false;
  members.until(() => members.at("b").membership.mayFetch, "there is room");
  assert.deepEqual([...members.at("b").seeds], ["http://one.test/"]);
});
