/** The node asks a lane, and the lane asks the node, by messages that are copied and take their time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { CrawlError, isCrawlError } from "../../../base/errors/index.ts";
import type { UrlEntry } from "../../../cluster/delivery/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { entryOf } from "../../../holdings/index.ts";
import type { LaneItem } from "../../lanes/lane-messages.ts";
import { LanePostWriter, readLanePost } from "../../lanes/lane-posts.ts";
import type { MemberLane } from "../lane/member-lane.ts";
import type { NodeSide } from "../lane/node-side.ts";
import type { GuestRobots, RobotsEnd } from "./lane-asks.ts";
import { RemoteLane } from "./remote-lane.ts";
import { RemoteNode } from "./remote-node.ts";
import { ServedLane } from "./served-lane.ts";

const RING = {
  ...{ self: "a", replicas: 20 },
  members: ["a", "b"].map((id) => ({ id, capacity: 1, isInRing: true })),
};
const HOSTS = Array.from({ length: 20 }, (_, at) => `h${at}.example`);

const ROBOTS = {
  ...{ origin: "http://b.example", url: "http://a.example/robots.txt", redirects: 1 },
} as GuestRobots;

function ticketOf(path: string): Ticket {
  const url = `http://a.example/${path}` as FetchableUrl;
  return { url, high: 1, low: path.length, depth: 3, via: null, redirects: 0, priority: 0 };
}

function entryAt(path: string): UrlEntry {
  return entryOf(ticketOf(path));
}

class Rig {
  readonly time = new SimulatedTime();
  /** What each side was asked for, in order. */
  readonly lane: string[] = [];
  readonly node: string[] = [];
  isIdle = true;
  pagesOpen = 0;
  readonly slots: ((mayBegin: boolean) => void)[] = [];
  readonly #lease = { mayFetch: true, hasTokens: true };
  readonly far = new RemoteNode({
    ...{ post: (item) => this.#post(item), lease: this.#lease, rests: true },
  });
  readonly served = new ServedLane({
    ...{ clock: this.time, node: this.far, lane: this.#memberLane() },
    post: (item) => this.#post(item),
    ways: () => [{ lane: 1, sent: 2, received: 3 }],
  });
  readonly near = new RemoteLane({
    ...{ clock: this.time, node: this.#nodeSide(), changed: () => this.node.push("changed") },
    whenNumbered: (done) => void this.time.after(1, done),
    lane: {
      number: 0,
      post: (message) => {
        const copy = structuredClone(message);
        this.time.after(2, () => copy.kind === "asks" && this.served.take(copy.asks));
      },
    },
  });

  settle(): void {
    while (this.time.step());
  }

  /** As posts carry it. */
  #post(item: LaneItem): void {
    const writer = new LanePostWriter();
    writer.add(structuredClone(item));
    const post = structuredClone(writer.take());
    this.time.after(2, () =>
      readLanePost(post, (read) => {
        if (read.kind === "entry" || read.kind === "member") this.near.heard(read);
      }),
    );
  }

  #memberLane(): MemberLane {
    const note = (name: string) => (entry: UrlEntry) => void this.lane.push(`${name} ${entry.low}`);
    const lane = {
      ...{ take: note("take"), again: note("again") },
      end: (entry: UrlEntry, done: (isHad: boolean) => void) => done(entry.low === 1),
      adopt: (host: string, record: Uint8Array) => this.lane.push(`adopt ${host} ${record[0]}`),
      lost: (isOwn: (host: string) => boolean, each: Each, done: () => void) => {
        const lost = HOSTS.filter((host) => !isOwn(host));
        const next = (): void => {
          const host = lost.shift();
          if (host === undefined) done();
          else each(host, next);
        };
        next();
      },
      giveAway: (_host: string, each: (entry: UrlEntry) => void, done: (r: Uint8Array) => void) => {
        for (const path of ["1", "22"]) each(entryAt(path));
        done(Uint8Array.of(7));
      },
      fetchRobots: (robots: GuestRobots, done: (end: RobotsEnd) => void) =>
        done({ kind: "redirected", to: robots.url }),
      inTurn: (done: (isQuiet: boolean) => void) => done(true),
      withhold: ({ has }: { has: (host: string) => boolean }) =>
        this.lane.push(`withhold ${HOSTS.filter(has).length}`),
      admit: () => this.lane.push("admit"),
      recheck: () => this.lane.push("recheck"),
      nearer: ({ low }: { low: number }, depth: number) => this.lane.push(`nearer ${low} ${depth}`),
      pages: {
        print: async () => Buffer.from("printed"),
        take: async () => {
          throw new CrawlError("STORAGE_FULL", "no room");
        },
        ...{ tell: note("tell"), forget: note("forget"), offerNearer: note("offer") },
      },
    };
    const standing = () => ({
      ...{ isIdle: this.isIdle, isWaiting: true, isFull: false, changes: 5 },
      ...{ pages: 4, bytes: 40, pagesOpen: this.pagesOpen },
    });
    return Object.defineProperty(lane, "standing", { get: standing }) as unknown as MemberLane;
  }

  #nodeSide(): NodeSide {
    const note = (name: string) => (entry: UrlEntry) => {
      this.node.push(
        `${name} ${entry.host} ${entry.low} ${entry.depth} ${entry.record.length > 0}`,
      );
    };
    return {
      ...{ mayFetch: true, hasTokens: true, isHere: () => true },
      ...{ found: note("found"), logged: note("logged"), foundAgain: note("found again") },
      nearer: note("nearer"),
      ledTo: (url) => this.node.push(`led to ${url}`),
      enter: ({ address, isPage }, entered) => {
        this.node.push(`enter ${address} ${isPage}`);
        this.slots.push(entered);
        return () => this.node.push("left");
      },
      stored: {
        has: ({ low }, done) => done(low === 2),
        find: ({ low }, done) => done(low === 2 ? ticketOf("22") : null),
        ofHost: (_host, done) => done([ticketOf("1")]),
        ofHosts: (isWanted, each, done) => {
          if (isWanted("a.example")) each(ticketOf("333"));
          done(null);
        },
      },
      askRobots: ({ url }, done) => done({ kind: "redirected", to: url }),
      rowOf: (_page, done) => done(new CrawlError("STORAGE_FAILED", "broken"), undefined),
    };
  }
}

type Each = (host: string, next: () => void) => void;

test("what is asked of a lane is carried out in order, and answered", () => {
  const rig = new Rig();
  const { near, lane } = rig;
  const told: unknown[] = [];
  near.setRing(RING);
  near.withhold({ hosts: "all", has: () => true });
  near.withhold({ hosts: { takeover: [], absences: [] }, has: () => true });
  near.admit();
  near.take(entryAt("1"));
  near.again(entryAt("22"));
  near.adopt("b.example", Uint8Array.of(9));
  near.nearer({ high: 1, low: 2 }, 4);
  near.end(entryAt("1"), (isHad) => told.push(["end", isHad]));
  near.find({ ...entryAt("22") }, (isHad) => told.push(["find", isHad]));
  near.giveAway(
    "a.example",
    (entry) => told.push(["given", entry.low]),
    (record) => told.push(["gone", record[0]]),
  );
  near.pagesOf(
    () => true,
    (entry) => told.push(["page", entry.low]),
    (error) => told.push(["pages", error]),
  );
  near.fetchRobots(ROBOTS, (end) => told.push(["robots", end.kind]));
  near.recheck();
  assert.deepEqual([lane, told], [[], []], "nothing happens inside a call");
  rig.settle();
  assert.deepEqual(lane, [
    ...["withhold 20", "withhold 0", "admit", "take 1", "again 2", "adopt b.example 9"],
    ...["nearer 2 4", "recheck"],
  ]);
  assert.deepEqual(told, [
    ...[["end", true] as const, ["find", true], ["given", 1], ["given", 2], ["gone", 7]],
    ...[["page", 3] as const, ["pages", null], ["robots", "redirected"]],
  ]);
});

test("hosts that are others' by the ring of the lane are lost, but for those that are ours by now", () => {
  const rig = new Rig();
  rig.near.setRing(RING);
  const lost: string[] = [];
  let isOver = false;
  rig.near.lost(
    (host) => host === lost[0],
    (host, next) => {
      lost.push(host);
      next();
    },
    () => {
      isOver = true;
    },
  );
  rig.settle();
  assert.ok(isOver);
  assert.ok(lost.length > 0 && lost.length < HOSTS.length);
  for (const host of HOSTS) assert.equal(rig.far.isHere(host), !lost.includes(host));
});

test("what a lane tells and asks comes in order, and is answered", () => {
  const rig = new Rig();
  const { far, node } = rig;
  const told: unknown[] = [];
  far.found(entryAt("1"));
  far.logged(entryAt("22"));
  far.foundAgain(entryAt("1"));
  far.ledTo("http://b.example/");
  far.nearer(entryAt("1"));
  far.stored.has({ high: 1, low: 2 }, (isHad) => told.push(isHad));
  far.stored.find({ high: 1, low: 2 }, (page) => void told.push(`find ${page?.url}`));
  far.stored.ofHost("a.example", (pages) => void told.push(pages.map(({ url }) => url)));
  far.askRobots(ROBOTS, (end) => void told.push(end.kind));
  far.rowOf({ high: 1, low: 1 }, (...[error]) => void told.push(error?.code));
  rig.settle();
  assert.deepEqual(node.slice(0, 5), [
    ...["found a.example 1 3 true", "logged a.example 2 3 true", "found again a.example 1 3 true"],
    ...["led to http://b.example/", "nearer a.example 1 3 true"],
  ]);
  assert.deepEqual(
    told.sort(),
    [
      "STORAGE_FAILED",
      "find http://a.example/22",
      ["http://a.example/1"],
      "redirected",
      true,
    ].sort(),
  );
});

test("A1, M1: a visit waits for the node, and gives back what it has when it is over", () => {
  const rig = new Rig();
  const told: string[] = [];
  const enter = (address: string | null, isPage: boolean) =>
    rig.far.enter({ address, isPage }, (mayBegin) => told.push(`${address} ${isPage} ${mayBegin}`));
  enter(null, false)();
  assert.deepEqual(told, ["null false true"], "there is nothing to wait for");
  const leave = enter("192.0.2.1", true);
  const giveUp = enter("192.0.2.2", false);
  enter(null, true);
  giveUp();
  rig.settle();
  const [first, second, third] = rig.slots;
  first?.(true);
  second?.(true);
  third?.(false);
  rig.settle();
  leave();
  rig.settle();
  assert.deepEqual(told.slice(1), ["192.0.2.1 true true", "null true false"]);
  assert.equal(rig.node.filter((one) => one === "left").length, 2);
});

test("T1: a lane is idle only if it has got all that was asked, and pages count from when they enter", () => {
  const rig = new Rig();
  const { near } = rig;
  assert.equal(near.standing.isIdle, false, "it has said nothing yet");
  rig.served.changed();
  rig.settle();
  assert.deepEqual(
    [near.standing.isIdle, near.standing.pages, near.way(1)],
    [...[true, 4], { lane: 1, sent: 2, received: 3 }],
  );
  near.take(entryAt("1"));
  assert.equal(near.standing.isIdle, false);
  rig.settle();
  assert.equal(near.standing.isIdle, true);
  rig.far.enter({ address: null, isPage: true }, () => undefined);
  rig.settle();
  assert.equal(near.standing.pagesOpen, 1, "before the lane says how many are open");
  rig.pagesOpen = 1;
  rig.isIdle = false;
  rig.served.changed();
  rig.settle();
  assert.deepEqual([near.standing.pagesOpen, near.standing.isIdle], [1, false]);
});

test("L1: pages between agents are printed and taken by the lane, and its errors are told", async () => {
  const rig = new Rig();
  const { pages } = rig.near;
  const printed = pages.print({ url: "http://a.example/" } as never, "a.1", true);
  const taken = pages.take(entryAt("1"), Buffer.from("x"), false).catch((error: unknown) => error);
  for (const name of ["tell", "forget", "offerNearer"] as const) pages[name](entryAt("1"));
  for (let turn = 0; turn < 20; turn += 1) {
    rig.settle();
    await Promise.resolve();
  }
  assert.equal(Buffer.from(await printed).toString(), "printed");
  const error = await taken;
  assert.ok(isCrawlError(error) && error.code === "STORAGE_FULL");
  assert.deepEqual(rig.lane, ["tell 1", "forget 1", "offer 1"]);
});
