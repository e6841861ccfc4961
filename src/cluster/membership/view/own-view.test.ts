import assert from "node:assert/strict";
import { test } from "node:test";
import { HOSTS, Members } from "../../../../test/support/cluster/members.ts";

test("agents that agree have one owner for each host, and the same hash", () => {
  const members = Members.settled(["a", "b", "c"]);
  for (const host of HOSTS) {
    const owners = members.processes.map(({ membership }) =>
      membership.view.ownerOf(host as never),
    );
    assert.equal(new Set(owners).size, 1, host);
  }
  assert.equal(new Set(members.processes.map(({ membership }) => membership.view.hash)).size, 1);
});

test("T1: the hash is another after another life, another seed, another ring", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { view } = members.at("a").membership;
  const hashes = [view.hash];
  members.stop("c")();
  members.until(() => members.areSettled, "it lives again");
  hashes.push(view.hash);
  let isHeld = false;
  members.at("a").membership.addSeeds(["http://one.test/"], () => {
    isHeld = true;
  });
  members.until(() => isHeld, "the seed is held");
  hashes.push(view.hash);
  members.stop("c");
  members.until(() => members.at("a").gaveUp.length > 0, "it is given up");
  hashes.push(view.hash);
  assert.equal(new Set(hashes).size, 4);
});

test("who owned a host before places were given up is known while they are taken over", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { view } = members.at("a").membership;
  const before = HOSTS.map((host) => view.ownerOf(host as never));
  const place = members.at("c").membership.view.self;
  members.stop("c");
  members.until(() => view.isGivenUp(place), "it is given up");
  const gone = new Set(["c"]);
  assert.deepEqual(
    HOSTS.map((host) => view.ownerWith(host as never, gone)),
    before,
  );
  assert.equal(view.isKnown(place), true);
  assert.equal(view.isAlive(place), false);
  assert.equal(view.placeOf("nobody"), null);
});

test("U3, G1: an earlier disk of an agent is given up and not alive, also to the agent itself", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { self } = members.at("c").membership.view;
  assert.equal(members.at("a").membership.view.isAlive(self), true);
  members.stop("c", true)();
  members.until(() => members.areSettled, "it is back, and empty");
  for (const id of ["a", "c"]) {
    const { view } = members.at(id).membership;
    assert.deepEqual([view.isAlive(self), view.isGivenUp(self)], [false, true], id);
  }
  members.at("c").membership.mention(self);
  assert.ok(members.at("c").gaveUp.includes(`c.${self.generation}`), "claims of it are struck");
});

test("P2: rings with the same places have the same hash, whatever the lives of those are", () => {
  const members = Members.settled(["a", "b"], { settings: { partition: "fence" } });
  members.stop("b")();
  members.until(() => members.areSettled, "it lives again, and is supported");
});
