/** The page of a URL: how far a question follows, whom it asks again, and how its reader is waited for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Rig, SETTINGS } from "./cluster-queries.fixture.ts";
import type { PageAnswer } from "./index.ts";

const URL = "http://h.example/x";
const HOST = "h.example" as never;

function asked(rig: Rig, by: string, passMs = 10_000): PageAnswer {
  let answer: PageAnswer | null = null;
  rig.queries(by).get(URL, HOST, (found) => {
    assert.equal(answer, null, "it is answered once");
    answer = found;
  });
  rig.pass(passMs);
  return answer ?? assert.fail("nothing came of it");
}

test("Q1: a question is not sent on from agent to agent for ever", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const rig = new Rig(ids);
  const owner = rig.peers.view("a").ownerOf(HOST) ?? assert.fail();
  const way = [owner, ...ids.filter((id) => id !== owner)];
  for (const [at, id] of way.entries()) {
    const next = way[at + 1];
    if (next === undefined) rig.store(id).pages.set(URL, "far away");
    else rig.store(id).pointers.set(URL, rig.place(next));
  }
  const answer = asked(rig, owner);
  assert.equal(answer.kind === "unknown" && answer.missing[0]?.why, "failed");
});

test("Q1: an owner that is silent is asked some times; one that is dead only once", () => {
  for (const standing of ["alive", "dead"] as const) {
    const rig = new Rig(["a", "b", "c"]);
    const owner = rig.peers.view("a").ownerOf(HOST) ?? assert.fail();
    const by = owner === "a" ? "b" : "a";
    rig.peers.cluster.takeDown(owner);
    rig.peers.set(owner, standing);
    asked(rig, by);
    assert.equal(rig.timesAsked(by, owner), standing === "dead" ? 1 : SETTINGS.triesMax);
  }
});

test("Q1: the next part of a page is asked for when its reader has taken the last", async () => {
  const rig = new Rig(["a", "b"]);
  const owner = rig.peers.view("a").ownerOf(HOST) ?? assert.fail();
  rig.store(owner).pages.set(URL, "x".repeat(3 * SETTINGS.partBytes));
  const answer = asked(rig, "a");
  assert.equal(answer.kind, "page");
  const before = rig.asked.length;
  let taken = (): void => assert.fail("no part has come");
  const read = answer.kind === "page" ? answer.read : assert.fail();
  const end = read(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    taken = resolve;
    return promise;
  });
  for (const parts of [0, 1, 2]) {
    rig.pass();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(rig.asked.length - before, parts, "while the reader has not taken the next");
    taken();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(await end, { kind: "whole" });
});
