import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import { LoggedPages } from "./logged-pages.ts";

class Rig {
  readonly clock = new SimulatedTime();
  readonly told: string[] = [];
  /** Commits under way. */
  readonly commits: Acknowledge[] = [];
  readonly pages = new LoggedPages({
    clock: this.clock,
    commit: (done) => this.commits.push(done),
    tell: ({ host }) => this.told.push(host),
  });

  log(...hosts: readonly string[]): void {
    for (const host of hosts) this.pages.add({ host } as UrlEntry);
  }

  /** Nothing is under way in any lane. */
  rest(mayGoOn: boolean): string[] {
    const calls: string[] = [];
    this.pages.rests(mayGoOn, () => calls.push("told"));
    return calls;
  }

  commit(error: CrawlError | null = null): void {
    const done = this.commits.shift() ?? assert.fail("nothing is committed");
    done(error);
  }
}

test("while URLs wait for their hosts nothing is committed, however often all lanes rest", () => {
  const rig = new Rig();
  rig.log("a", "b");
  for (let rest = 0; rest < 100; rest += 1) rig.rest(true);
  assert.deepEqual([rig.commits.length, rig.pages.areTold], [0, false]);
});

test("when nothing goes on without it, pages are made durable, told, and that is said", () => {
  const rig = new Rig();
  assert.deepEqual([rig.rest(false), rig.commits.length], [[], 0], "there is nothing to tell");
  rig.log("a", "b");
  const calls = rig.rest(false);
  rig.rest(false);
  rig.log("c");
  assert.equal(rig.commits.length, 1, "one commit at a time");
  assert.deepEqual([rig.told, calls, rig.pages.areTold], [[], [], false]);
  rig.commit();
  assert.deepEqual([rig.told, calls, rig.pages.areTold], [["a", "b"], ["told"], false]);
  rig.rest(false);
  rig.commit();
  assert.deepEqual([rig.told, rig.pages.areTold], [["a", "b", "c"], true]);
});

test("what could not be made durable is told later, in its order", () => {
  const rig = new Rig();
  rig.log("a");
  const errors: unknown[] = [];
  rig.pages.tell((error) => errors.push(error?.code));
  rig.log("b");
  rig.commit(new CrawlError("STORAGE_FULL", "no room"));
  assert.deepEqual([errors, rig.told], [["STORAGE_FULL"], []]);
  rig.pages.tell((error) => errors.push(error));
  rig.commit();
  assert.deepEqual(
    [errors, rig.told],
    [
      ["STORAGE_FULL", null],
      ["a", "b"],
    ],
  );
});

test("whoever asks while others are being told looks again a moment later", () => {
  const rig = new Rig();
  rig.log("a");
  const answers: string[] = [];
  rig.pages.tell(() => answers.push("first"));
  rig.pages.tell(() => answers.push("second"));
  assert.deepEqual([answers, rig.commits.length], [[], 1]);
  rig.clock.settle();
  assert.deepEqual([answers, rig.commits.length], [["second"], 1]);
});

test("what is being made durable is not told yet, though nothing else waits", () => {
  const rig = new Rig();
  rig.log("a");
  rig.rest(false);
  assert.equal(rig.pages.areTold, false);
  rig.commit();
  assert.equal(rig.pages.areTold, true);
});
