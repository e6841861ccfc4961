import assert from "node:assert/strict";
import { test } from "node:test";
import { visitHomeRig } from "../../../../../test/support/frontier/visit-home-rig.ts";
import type { FetchableUrl } from "../../../../formats/url/index.ts";
import type { WaitingTicket } from "../../../ticket/index.ts";
import type { PageErrand } from "../../frontier.ts";
import type { HostEnd } from "./visit-home.ts";
import type { VisitState } from "./visit-state.ts";

const NEVER = Number.POSITIVE_INFINITY;
const LOST: HostEnd = { kind: "unfetched", code: "DNS_NOT_FOUND" };

function flightOf(state: VisitState, ticket: WaitingTicket) {
  const { host, address } = state;
  const errand: PageErrand = { kind: "page", ticket, host, address, attempt: 0 };
  return { errand, ticket };
}

type Rig = ReturnType<typeof visitHomeRig>;

/** Brings a visit state to where each of the tests begins. */
const PHASES = {
  idle: (rig: Rig): VisitState => rig.open(1),
  unresolved: (rig: Rig): VisitState => {
    const state = rig.open(1);
    rig.offer(state, "a");
    return state;
  },
  resolving: (rig: Rig): VisitState => {
    PHASES.unresolved(rig);
    return rig.lines.acquireUnresolved() ?? assert.fail("it waits for its addresses");
  },
  polite: (rig: Rig): VisitState => {
    const state = PHASES.resolving(rig);
    state.resolved(["192.0.2.1", "192.0.2.2"], NEVER);
    return state;
  },
  behind: (rig: Rig): VisitState => {
    const state = PHASES.turn(rig);
    state.stepBehind("d example");
    return state;
  },
  turn: (rig: Rig): VisitState => {
    PHASES.polite(rig);
    return rig.lines.acquire() ?? assert.fail("its turn has come");
  },
  flight: (rig: Rig): VisitState => {
    const state = PHASES.turn(rig);
    const ticket = state.takeTicket(rig.kernel.nowMs) ?? assert.fail("it has a URL");
    state.takeOff(flightOf(state, ticket));
    return state;
  },
  ending: (rig: Rig): VisitState => {
    const state = PHASES.resolving(rig);
    state.giveUp(LOST);
    state.unresolved(null, false, false);
    return state;
  },
} as const;

type PhaseName = keyof typeof PHASES;

const URL_A = "http://h1.example/a" as FetchableUrl;
const TICKET: WaitingTicket = {
  ...{ url: URL_A, high: 1, low: 2, depth: 0, via: null, redirects: 0, priority: 0, attempt: 0 },
};

/** Every verb that is not always allowed, and where it is. */
const VERBS: readonly (readonly [
  name: string,
  verb: (state: VisitState) => void,
  allowed: readonly PhaseName[],
])[] = [
  ["takeTicket", (state) => state.takeTicket(0), ["turn", "flight"]],
  ["takeTask", (state) => state.takeTask(), ["turn", "flight"]],
  ["putBack", (state) => state.putBack(TICKET), ["turn", "flight"]],
  ["holdUntil", (state) => state.holdUntil(9), ["turn", "flight"]],
  ["waitForRobots", (state) => state.waitForRobots(state.originOf(URL_A)), ["turn", "flight"]],
  ["passTurn", (state) => state.passTurn(), ["turn"]],
  ["stepBehind", (state) => state.stepBehind("d x"), ["turn"]],
  ["comeForward", (state) => state.comeForward(0), ["behind"]],
  ["takeOff", (state) => state.takeOff(flightOf(state, TICKET)), ["turn"]],
  ["flightOf", (state) => state.visit.flightOf(flightOf(state, TICKET).errand), []],
  ["land", (state) => state.land(), ["flight"]],
  ["rest", (state) => state.visit.rest(), ["flight"]],
  ["answered", (state) => state.visit.answered(200, 1), ["flight"]],
  ["retry", (state) => state.visit.retry(TICKET, 9, false), ["flight"]],
  ["tryNextAddress", (state) => state.visit.tryNextAddress(), ["flight"]],
  ["loseUrl", (state) => state.visit.loseUrl(), ["flight"]],
  ["beginResolve", (state) => state.beginResolve(), ["unresolved"]],
  ["resolved", (state) => state.resolved([], NEVER), ["resolving"]],
  ["unresolved", (state) => state.unresolved(null, false, false), ["resolving"]],
  ["giveUp", (state) => state.giveUp(LOST), ["unresolved", "resolving", "turn", "flight"]],
  ["takeAnyTicket", (state) => state.takeAnyTicket(), ["ending"]],
  ["endFilling", (state) => state.endFilling(), []],
  ["close", (state) => state.close(), ["idle"]],
];

for (const [name, verb, allowed] of VERBS) {
  test(`a visit state knows when it may ${name}`, () => {
    for (const phase of Object.keys(PHASES) as PhaseName[]) {
      const state = PHASES[phase](visitHomeRig());
      const before = state.phase;
      if (allowed.includes(phase)) verb(state);
      else {
        assert.throws(() => verb(state), assert.AssertionError, phase);
        assert.equal(state.phase, before, "what is refused changes nothing");
      }
    }
  });
}

test("a host takes its turn only from the workbench", () => {
  for (const phase of ["idle", "unresolved", "resolving", "turn", "flight", "ending"] as const) {
    const state = PHASES[phase](visitHomeRig());
    assert.throws(() => state.tryTakeTurn(0), assert.AssertionError, phase);
  }
});

test("nothing more is asked of a host that was given up", () => {
  const state = PHASES.ending(visitHomeRig());
  const origin = state.originOf(URL_A);
  const task = { owner: state, origin, url: URL_A, redirects: 0 };
  assert.throws(() => state.addTask(task), assert.AssertionError);
  assert.throws(() => state.giveUp(LOST), assert.AssertionError);
});

test("after a visit a host rests for its delay, or as long as it asks", () => {
  const rig = visitHomeRig();
  const state = PHASES.flight(rig);
  rig.offer(state, "b");
  const endAtMs = rig.kernel.nowMs;
  state.land();
  assert.deepEqual([state.phase, state.restsUntilMs], ["polite", endAtMs + 1000]);
  assert.equal(rig.lines.acquire(), null);
  rig.kernel.pass(1000);
  assert.equal(rig.lines.acquire(), state);
  const ticket = state.takeTicket(rig.kernel.nowMs) ?? assert.fail("it has a URL");
  state.takeOff(flightOf(state, ticket));
  state.visit.rest(7000);
  state.land();
  assert.deepEqual([state.phase, state.restsUntilMs], ["idle", endAtMs + 8000]);
});

test("a host that failed waits for its retry at its next address", () => {
  const rig = visitHomeRig();
  const state = PHASES.flight(rig);
  assert.equal(state.address, "192.0.2.1");
  assert.equal(state.visit.tryNextAddress(), true);
  state.visit.retry(TICKET, rig.kernel.nowMs + 5000, true);
  state.land();
  assert.deepEqual([state.phase, state.address], ["retry", "192.0.2.2"]);
  rig.kernel.pass(5000);
  assert.equal(rig.lines.acquire(), state);
  assert.equal(rig.workbench.addressOf(state.seat), "192.0.2.2");
  assert.equal(state.takeTicket(rig.kernel.nowMs), TICKET);
});

test("a host without addresses waits before it is resolved again", () => {
  const rig = visitHomeRig();
  const state = PHASES.resolving(rig);
  state.unresolved(rig.kernel.nowMs + 5000, true, false);
  assert.deepEqual([state.phase, state.resolveFailures], ["retry", 1]);
  assert.equal(rig.lines.nextAtMs, rig.kernel.nowMs + 5000);
  rig.kernel.pass(5000);
  assert.equal(rig.lines.acquire(), null);
  assert.equal(state.phase, "resolving");
  assert.equal(rig.lines.acquireUnresolved(), state);
});

test("a host whose addresses are too old has them found before its turn", () => {
  const rig = visitHomeRig();
  const state = PHASES.resolving(rig);
  state.resolved(["192.0.2.1"], rig.kernel.nowMs);
  assert.equal(rig.lines.acquire(), state, "found addresses serve once at least");
  const ticket = state.takeTicket(rig.kernel.nowMs) ?? assert.fail("it has a URL");
  state.takeOff(flightOf(state, ticket));
  state.putBack(ticket);
  state.land();
  assert.equal(state.phase, "resolving");
});

test("a host waits for its robots.txt, and not when others wait for it", () => {
  const rig = visitHomeRig();
  const state = PHASES.turn(rig);
  const ticket = state.takeTicket(rig.kernel.nowMs) ?? assert.fail("it has a URL");
  const origin = state.originOf(ticket.url);
  state.putBack(ticket);
  state.waitForRobots(origin);
  state.passTurn();
  assert.equal(state.phase, "robots");
  state.addTask({ owner: state, origin, url: URL_A, redirects: 0 });
  assert.equal(state.phase, "polite");
  assert.equal(rig.lines.acquire(), state);
  state.takeTask();
  state.passTurn();
  assert.equal(state.phase, "robots");
  state.settleRobots(origin);
  assert.equal(state.phase, "polite");
});

test("refused URLs are weeded out wherever their host waits", () => {
  const rig = visitHomeRig();
  const state = PHASES.polite(rig);
  rig.offer(state, "b");
  const seen: string[] = [];
  const isRefused = ({ url }: WaitingTicket): boolean => seen.push(url) > 0;
  state.weed(isRefused, 1);
  assert.equal(state.phase, "polite");
  state.weed(isRefused, 9);
  assert.deepEqual([state.phase, seen], ["idle", [URL_A, "http://h1.example/b"]]);
});

test("the URLs of a host that was given up are ended, and then it is idle", () => {
  const rig = visitHomeRig();
  const state = PHASES.ending(rig);
  assert.equal(rig.lines.ending.first, state);
  assert.equal(state.takeAnyTicket()?.url, URL_A);
  assert.equal(state.phase, "ending");
  assert.equal(state.takeAnyTicket(), null);
  assert.deepEqual([state.phase, rig.lines.ending.first], ["idle", null]);
});
