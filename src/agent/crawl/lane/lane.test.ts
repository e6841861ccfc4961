import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { CrawlError } from "../../../base/errors/index.ts";
import type { Resolver } from "../../../fetch/dns/index.ts";
import type {
  Errand,
  Frontier,
  PageErrand,
  Resolution,
  ResolveErrand,
  Settlement,
} from "../../../frontier/front/index.ts";
import { type GivenPage, Lane, type LaneParts } from "./lane.ts";

/** A frontier that gives out what it was filled with, each at its instant. */
class ListedFrontier implements Frontier {
  readonly waiting: { readonly atMs: number; readonly errand: Errand }[] = [];
  readonly resolutions: [ResolveErrand, Resolution][] = [];
  /** The errands that must give way. */
  slow: readonly Errand[] = [];
  isFull = false;
  holdsPages = false;
  hasOnlyPages = false;
  readonly handovers: Frontier["handovers"] = {
    ...{ hosts: () => [], isHere: () => true, changed: [], isAway: () => false, isBusy: false },
    isFinding: false,
    ...{
      withhold: () => {},
      admit: () => {},
      giveAway: () => {},
      takeBack: () => {},
      take: () => {},
    },
    ...{ endElsewhere: () => {}, isElsewhere: () => false, fetchAfterAll: () => {} },
    nearer: () => {},
  };
  readonly hosts = {
    count: 0,
    find: () => null,
    changed: [],
    isAway: () => false,
    look: () => null,
    at: () => assert.fail("nobody looks at hosts"),
  };
  readonly #time: SimulatedTime;

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  acquire(wantsVisits = true): Errand | null {
    const isVisit = ({ kind }: Errand): boolean => kind === "page" || kind === "robots";
    const at = this.waiting.findIndex(({ errand }) => wantsVisits || !isVisit(errand));
    const first = this.waiting[at];
    if (first === undefined || first.atMs > this.#time.nowMs()) return null;
    this.waiting.splice(at, 1);
    return first.errand;
  }

  get nextAtMs(): number {
    return this.waiting[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  get isExhausted(): boolean {
    return this.waiting.length === 0;
  }

  resolved(errand: ResolveErrand, resolution: Resolution): Settlement {
    this.resolutions.push([errand, resolution]);
    return { kind: "final" };
  }

  /** When each time it was asked to decide. */
  readonly decided: number[] = [];

  decideOffers(): number | null {
    const nowMs = this.#time.nowMs();
    this.decided.push(nowMs);
    this.isFull = this.decided.length < 3;
    return this.isFull ? nowMs + 10 : null;
  }

  givingWay(): readonly Errand[] {
    return this.slow;
  }

  offer(): void {}
  committed(): void {}
  over(): void {}
  markRest(): void {}
  offerEnded(): void {}
  markEnded(): void {}
  markTried(): void {}
  markRobots(): Settlement {
    return { kind: "final" };
  }

  requeue(): boolean {
    return false;
  }
  checkpoint(): void {}
  adjust(): void {}
  fetchRobots(): never {
    assert.fail("no robots.txt is fetched for others");
  }

  changeHost(): never {
    throw new Error("nobody changes hosts");
  }
  robotsFetched(): Settlement {
    return { kind: "final" };
  }
  pageFetched(): never {
    throw new Error("visits are the test's");
  }
  status(): never {
    throw new Error("nobody asks");
  }
  close(): never {
    throw new Error("nobody closes");
  }
}

interface Visit {
  readonly errand: PageErrand;
  readonly over: () => void;
  isCancelled: boolean;
}

function rig(changes: Partial<LaneParts> = {}) {
  const time = new SimulatedTime();
  const frontier = new ListedFrontier(time);
  const visits: Visit[] = [];
  const unfetched: Errand[] = [];
  const log = { changes: 0 };
  const lane = new Lane({
    clock: time,
    frontier,
    resolver: { resolve: () => assert.fail("no host is to be resolved"), close: () => {} },
    robots: () => assert.fail("no robots.txt is to be fetched"),
    page: (errand, over) => {
      const visit: Visit = { errand, over, isCancelled: false };
      visits.push(visit);
      return {
        cancel: () => {
          visit.isCancelled = true;
        },
      };
    },
    unresolved: (errand, { code }) => {
      frontier.resolved(errand, { kind: "failed", code });
    },
    unfetched: (errand) => unfetched.push(errand),
    pagesWanted: () => Number.POSITIVE_INFINITY,
    mayBegin: () => true,
    changed: () => {
      log.changes += 1;
    },
    concurrency: 3,
    ...changes,
  });
  const pages = (count: number, atMs = 0): void => {
    for (let number = 0; number < count; number += 1) {
      frontier.waiting.push({ atMs, errand: { kind: "page", ticket: {} } as PageErrand });
    }
  };
  return { time, frontier, visits, unfetched, log, lane, pages };
}

test("a lane begins as many errands as it has connections, and another for each that ends", () => {
  const { lane, visits, pages, frontier } = rig();
  pages(5);
  lane.start();
  assert.equal(visits.length, 3);
  assert.equal(lane.open, 3);
  visits[0]?.over();
  assert.equal(visits.length, 4);
  for (const visit of visits.slice(1)) visit.over();
  visits[4]?.over();
  assert.equal(lane.open, 0);
  assert.ok(frontier.isExhausted);
});

test("a lane looks again at the instant that the frontier names, and does not poll", () => {
  const { lane, time, visits, pages, log } = rig();
  pages(1, 5000);
  lane.start();
  assert.equal(log.changes, 1);
  time.settle();
  assert.equal(visits.length, 1);
  assert.equal(time.nowMs(), 5000);
  assert.equal(log.changes, 2);
});

test("no more pages are begun than are wanted", () => {
  const wanted = { count: 2 };
  const made = rig({ pagesWanted: () => wanted.count - made.lane.pagesOpen });
  made.pages(5);
  made.lane.start();
  assert.equal(made.visits.length, 2);
  wanted.count = 3;
  made.lane.pump();
  assert.equal(made.visits.length, 3);
});

test("a rate holds visits back until it has room, and every page is counted", () => {
  const begun: number[] = [];
  const { lane, time, visits, pages } = rig({
    rates: {
      get opensAtMs() {
        return begun.length * 1000;
      },
      waits: null,
      pageBegun: () => begun.push(time.nowMs()),
    },
  });
  pages(3);
  lane.start();
  assert.equal(visits.length, 1);
  time.settle();
  assert.deepEqual(begun, [0, 1000, 2000], "without anything else that would wake the lane");
});

test("a lane says why it begins nothing: a limit first, then a rate", () => {
  const state: { wanted: number; waits: "rate" | "bandwidth" | null } = { wanted: 1, waits: null };
  const { lane } = rig({
    pagesWanted: () => state.wanted,
    rates: {
      opensAtMs: 0,
      pageBegun: () => {},
      get waits() {
        return state.waits;
      },
    },
  });
  assert.deepEqual(lane.idle, {});
  state.waits = "bandwidth";
  assert.deepEqual(lane.idle, { bandwidth: 1 });
  state.wanted = 0;
  assert.deepEqual(lane.idle, { limit: 1 });
});

test("a requisite takes a connection, but not the place of a page", () => {
  const { lane, frontier, visits, pages } = rig();
  const errand = { kind: "page", ticket: { requisite: 1 } } as PageErrand;
  frontier.waiting.push({ atMs: 0, errand });
  pages(1);
  lane.start();
  assert.deepEqual([lane.open, lane.pagesOpen], [2, 1]);
  for (const { over } of visits) over();
  assert.deepEqual([lane.open, lane.pagesOpen], [0, 0]);
});

test("a full frontier is asked although another lane has not yet taken what was sent to it", () => {
  const { lane, frontier, visits, pages } = rig();
  pages(2);
  frontier.isFull = true;
  lane.holdElsewhere();
  lane.start();
  assert.equal(visits.length, 1, "one at a time");
  assert.equal(lane.open, 2);
  visits[0]?.over();
  assert.equal(visits.length, 2);
  visits[1]?.over();
  assert.equal(lane.open, 1);
  lane.releaseElsewhere();
  assert.equal(lane.open, 0);
});

test("a full frontier is still asked when nothing else is open", () => {
  const { lane, frontier, visits, pages } = rig();
  pages(3);
  frontier.isFull = true;
  lane.start();
  assert.equal(visits.length, 1);
  visits[0]?.over();
  assert.equal(visits.length, 2);
  frontier.isFull = false;
  lane.pump();
  assert.equal(visits.length, 3);
});

test("a stopped lane begins nothing, and reports when open errands have ended", () => {
  const { lane, visits, pages, log } = rig();
  pages(5);
  lane.start();
  lane.stop();
  lane.cancelAll();
  assert.ok(visits.every(({ isCancelled }) => isCancelled));
  const before = log.changes;
  for (const { over } of visits) over();
  assert.equal(visits.length, 3);
  assert.equal(log.changes, before + 3);
  assert.equal(lane.open, 0);
});

test("many errands without a fetch are done over several turns", () => {
  const { lane, frontier, unfetched, time } = rig();
  for (let number = 0; number < 150; number += 1) {
    frontier.waiting.push({ atMs: 0, errand: { kind: "unfetched" } as Errand });
  }
  lane.start();
  assert.ok(unfetched.length < 150);
  time.settle();
  assert.equal(unfetched.length, 150);
});

test("hosts are resolved by the resolver", () => {
  const errors = { code: "DNS_NOT_FOUND" };
  const resolver = {
    resolve: (host: string, done: (resolution: unknown) => void) =>
      done(
        host === "a"
          ? { kind: "resolved", addresses: ["192.0.2.1"] }
          : { kind: "failed", error: errors },
      ),
    close: () => {},
  } as unknown as Resolver;
  const { lane, frontier, time } = rig({ resolver });
  for (const host of ["a", "b"]) {
    frontier.waiting.push({ atMs: 0, errand: { kind: "resolve", host } as ResolveErrand });
  }
  lane.start();
  time.settle();
  assert.deepEqual(
    frontier.resolutions.map(([{ host }, { kind }]) => [host, kind]),
    [
      ["a", "resolved"],
      ["b", "failed"],
    ],
  );
  assert.equal(lane.open, 0);
});

/** What becomes of a host that this resolver is asked for, and how many errands stay open. */
function resolvedBy(resolve: Resolver["resolve"]): { ends: string[]; open: number } {
  const { lane, frontier, time } = rig({ resolver: { resolve, close: () => {} } });
  frontier.waiting.push({ atMs: 0, errand: { kind: "resolve", host: "a" } as ResolveErrand });
  lane.start();
  time.settle();
  const ends = frontier.resolutions.map(([, end]) => (end.kind === "failed" ? end.code : end.kind));
  return { ends, open: lane.open };
}

test("a host is resolved once, however often the resolver answers", () => {
  const found = { kind: "resolved", addresses: ["192.0.2.1"], expiresAtMs: 9 } as const;
  const twice = resolvedBy((_host, done) => {
    done(found);
    done(found);
  });
  assert.deepEqual(twice, { ends: ["resolved"], open: 0 });
});

test("a resolver that throws fails that host with a fault", () => {
  const thrown = resolvedBy(() => assert.fail("planted"));
  assert.deepEqual(thrown, { ends: ["INTERNAL_RESOLVE"], open: 0 });
});

test("a failure of the name servers keeps its code", () => {
  const error = new CrawlError("DNS_NOT_FOUND", "There is none.");
  const failed = resolvedBy((_host, done) => done({ kind: "failed", error }));
  assert.deepEqual(failed, { ends: ["DNS_NOT_FOUND"], open: 0 });
});

test("hosts are resolved while every connection is busy, and take none", () => {
  const hosts: string[] = [];
  const resolver = { resolve: (host: string) => hosts.push(host), close: () => {} };
  const { lane, frontier, visits, pages } = rig({ resolver });
  const resolves = (count: number): void => {
    for (let host = 0; host < count; host += 1) {
      frontier.waiting.push({ atMs: 0, errand: { kind: "resolve", host: "h" } as ResolveErrand });
    }
  };
  resolves(10);
  pages(3);
  lane.start();
  assert.equal(visits.length, 3, "resolutions that hang take no connection");
  resolves(10);
  lane.pump();
  assert.equal(hosts.length, 20, "and connections that are busy hold up no resolution");
});

test("while every connection is busy, visits that must give way are cancelled", () => {
  const { lane, frontier, visits, pages, time } = rig();
  pages(5);
  lane.start();
  frontier.slow = [visits[1]?.errand as Errand];
  time.step();
  assert.deepEqual(
    visits.map(({ isCancelled }) => isCancelled),
    [false, true, false],
  );
  frontier.slow = [];
  visits[1]?.over();
  assert.equal(visits.length, 4);
});

test("a stopped lane does not wait for resolutions", () => {
  const answers: ((resolution: unknown) => void)[] = [];
  const resolver = {
    resolve: (_: string, done: (resolution: unknown) => void) => answers.push(done),
    close: () => {},
  } as unknown as Resolver;
  const { lane, frontier } = rig({ resolver });
  frontier.waiting.push({ atMs: 0, errand: { kind: "resolve", host: "h" } as ResolveErrand });
  lane.start();
  assert.equal(lane.open, 1);
  lane.stop();
  assert.equal(lane.open, 0);
  answers[0]?.({ kind: "resolved", addresses: ["192.0.2.1"] });
  assert.deepEqual(
    frontier.resolutions.map(([, { kind }]) => kind),
    ["cancelled"],
  );
});

test("an errand that ends twice is a mistake of ours", () => {
  const { lane, visits, pages } = rig();
  pages(1);
  lane.start();
  visits[0]?.over();
  assert.throws(() => visits[0]?.over(), /an errand is over once/);
});

test("who may not visit does what needs no visit, and decides offers for which others wait", () => {
  let mayVisit = false;
  const { time, frontier, lane, visits, unfetched, pages } = rig({ mayVisit: () => mayVisit });
  const given = { kind: "unfetched", ticket: {}, code: "DNS_NOT_FOUND" } as Errand;
  pages(1);
  frontier.waiting.push({ atMs: 0, errand: given });
  lane.start();
  assert.deepEqual([visits.length, unfetched], [0, [given]]);
  assert.deepEqual(frontier.decided, [], "there is room");
  frontier.isFull = true;
  lane.pump();
  time.settle();
  assert.deepEqual(frontier.decided, [0, 10, 20], "until there is");
  mayVisit = true;
  lane.pump();
  assert.equal(visits.length, 1);
});

test("a page that was given is under way without a slot, and counts for no limit", () => {
  const given: Visit[] = [];
  const { lane, visits, pages } = rig({
    ...{ pagesWanted: () => 0, mayBegin: () => false, mayTake: () => true },
    replayed: ({ errand }, over) => {
      const visit: Visit = { errand: errand as PageErrand, over, isCancelled: false };
      given.push(visit);
      return {
        cancel: () => {
          visit.isCancelled = true;
        },
      };
    },
  });
  const told: string[] = [];
  pages(1);
  lane.start();
  for (const name of ["1", "2", "3", "4"]) {
    const page = { kind: "page", errand: { kind: "page" }, page: {} } as unknown as GivenPage;
    lane.give(page, () => told.push(`${name}, ${lane.open} open`));
  }
  assert.deepEqual([given.length, visits.length, lane.open, lane.pagesOpen], [4, 0, 4, 0]);
  given[1]?.over();
  assert.deepEqual(told, ["2, 3 open"]);
  lane.cancelAll();
  assert.deepEqual(
    given.map(({ isCancelled }) => isCancelled),
    [true, false, true, true],
  );
});

test("a page that was given waits for the replay, and is forgotten when the lane is stopped before", () => {
  const state = { isOver: false, begun: 0, mayTake: false };
  const { lane } = rig({
    replay: {
      next: () => null,
      get isOver() {
        return state.isOver;
      },
    },
    mayTake: () => state.mayTake,
    replayed: (_given, over) => {
      state.begun += 1;
      over();
      return { cancel: () => {} };
    },
  });
  const page = { kind: "page", errand: { kind: "page" }, page: {} } as unknown as GivenPage;
  let ended = 0;
  const over = (): void => {
    ended += 1;
  };
  lane.start();
  lane.give(page, over);
  state.mayTake = true;
  lane.pump();
  assert.deepEqual([state.begun, lane.open], [0, 1], "a replay is under way");
  state.isOver = true;
  lane.pump();
  assert.deepEqual([state.begun, ended, lane.open], [1, 1, 0]);
  state.mayTake = false;
  lane.give(page, over);
  lane.stop();
  assert.deepEqual([state.begun, ended, lane.open], [1, 1, 0], "there was no room for it");
});
