import assert from "node:assert/strict";
import { test } from "node:test";
import { Absences } from "./absences.ts";
import { type Cause, FetchCauses } from "./fetch-causes.ts";
import type { SimMachine } from "./sim-machine.ts";
import type { Visit } from "./visit-judge.ts";

const URL = "http://h0.example/0";
const PATIENCE_MS = 7000;

interface Machine {
  readonly id: string;
  readonly hasIt?: boolean;
  readonly isMember?: boolean;
  readonly isUp?: boolean;
  readonly isLeaving?: boolean;
  readonly wentAtMs?: number;
}

class Rig {
  readonly absences: Absences = new Absences();
  machines: readonly Machine[] = [];
  /** Who has lost a disk. */
  lost = "";
  readonly causes: FetchCauses = new FetchCauses({
    machines: () => this.machines.map(machineOf),
    ...{ absences: this.absences, patienceMs: PATIENCE_MS, wasForgotten: () => false },
    diskOf: (id) => (id === this.lost ? 2 : 1),
    hasLostDisk: () => this.lost !== "",
  });

  /** Why `b` fetches again, at 40 s, what `a` has fetched. */
  cause(): Cause {
    const { causes } = this;
    causes.counts.clear();
    causes.add(visitOf("b", 40_000), [visitOf("a", 10_000)]);
    return [...causes.counts.keys()][0] ?? assert.fail();
  }
}

function machineOf({ hasIt = false, ...machine }: Machine): SimMachine {
  const usual = { isMember: true, isUp: true, isLeaving: false };
  const wentAtMs = Number.NEGATIVE_INFINITY;
  return { wentAtMs, ...usual, ...machine, has: () => hasIt } as unknown as SimMachine;
}

function visitOf(agent: string, beganAtMs: number): Visit {
  return { agent, disk: 1, url: URL, beganAtMs, endedAtMs: beganAtMs + 10, status: 200 };
}

test("a page that a member has who can be asked could have been left alone", () => {
  const rig = new Rig();
  rig.machines = [{ id: "a", hasIt: true }, { id: "b" }];
  assert.equal(rig.cause(), "avoidable");
  assert.match(rig.causes.avoidable[0] ?? "", /^b fetched .* at 40000 after a at 10000$/);
});

test("a page that no disk has was lost with one, or was not durable", () => {
  const rig = new Rig();
  rig.machines = [{ id: "a", isUp: false }, { id: "b" }];
  assert.equal(rig.cause(), "unsynced tail");
  rig.lost = "a";
  assert.equal(rig.cause(), "lost with the disk");
});

test("whoever was away for long, or could not be heard, could not be asked", () => {
  const away = new Rig();
  away.machines = [{ id: "a", hasIt: true, isUp: false }, { id: "b" }];
  away.absences.isAway("a", { fromMs: 30_000, toMs: 60_000 });
  assert.equal(away.cause(), "holder was down");
  const apart = new Rig();
  apart.machines = [{ id: "a", hasIt: true }, { id: "b" }];
  apart.absences.partGroup(["a"], { fromMs: 30_000, toMs: 60_000 });
  assert.equal(apart.cause(), "both sides crawled");
});

test("a page that a leaver had was left behind, unless that one was cut off from those who stayed", () => {
  const rig = new Rig();
  rig.machines = [{ id: "a", hasIt: true, isMember: false, wentAtMs: 35_000 }, { id: "b" }];
  assert.equal(rig.cause(), "left behind");
  rig.absences.isolate(["a"], { fromMs: 20_000, toMs: 36_000 });
  assert.equal(rig.cause(), "both sides crawled");
});

test("a leaver may have told that it is gone before a disk was lost that it had brought pages to", () => {
  const rig = new Rig();
  rig.machines = [{ id: "a", hasIt: true, isLeaving: true }, { id: "b" }];
  assert.equal(rig.cause(), "avoidable");
  rig.lost = "c";
  assert.equal(rig.cause(), "left behind");
});
