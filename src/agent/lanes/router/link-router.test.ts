import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { MemoryPort } from "../../../../test/support/topology/memory-ports.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { RoutedTicket } from "./link-batch.ts";
import { LinkRouter, type RouterMessage } from "./link-router.ts";

function ticketTo(url: string): RoutedTicket {
  const ticket = {
    url: url as FetchableUrl,
    ...{ high: 1, low: 2, depth: 0, via: null, redirects: 0, priority: 0 },
  };
  return { ticket, level: null, isWatched: false };
}

class Side {
  readonly journal: string[] = [];
  open = 0;
  hasRoom = true;
  readonly router: LinkRouter;

  constructor(time: SimulatedTime, other: number, port: MemoryPort<RouterMessage, RouterMessage>) {
    this.router = new LinkRouter({
      clock: time,
      ports: new Map([[other, port]]),
      taker: {
        ticket: ({ ticket }) => this.journal.push(ticket.url),
        trailBegun: (url) => this.journal.push(`begun ${url}`),
        trailEnded: ({ low }) => this.journal.push(`ended ${low}`),
      },
      hold: () => {
        this.open += 1;
      },
      release: () => {
        this.open -= 1;
      },
      hasRoom: () => this.hasRoom,
      received: () => this.journal.push("received"),
      fetchRobots: ({ url }, done) => {
        this.journal.push(`robots ${url}`);
        done({ kind: "redirected", to: "http://c.example/robots.txt" as FetchableUrl });
      },
    });
    this.router.start();
  }
}

function pair() {
  const time = new SimulatedTime();
  const [one, other] = MemoryPort.pair<RouterMessage, RouterMessage>(time, 5);
  const sides = { time, far: new Side(time, 0, other), near: new Side(time, 1, one), other };
  const settle = (): void => {
    while (time.step());
  };
  return { ...sides, settle };
}

test("links of one turn go in one batch, under way until they are acknowledged", () => {
  const { near, far, settle } = pair();
  near.router.begun("http://b.example/");
  near.router.trySend(1, ticketTo("http://b.example/x"));
  near.router.ended({ high: 1, low: 9 });
  assert.equal(near.open, 1);
  settle();
  assert.deepEqual(far.journal, [
    "begun http://b.example/",
    "http://b.example/x",
    "ended 9",
    "received",
  ]);
  assert.deepEqual([near.open, near.router.sent, far.router.received], [0, 1, 1]);
});

test("a lane without room does not acknowledge, and the sender is full after some batches", () => {
  const { near, far, settle } = pair();
  far.hasRoom = false;
  const fill = (): number => {
    let batches = 0;
    for (; !near.router.isFull; batches += 1) {
      assert.ok(batches < 1000, "some time it is full");
      near.router.trySend(1, ticketTo(`http://b.example/${batches}`));
      near.router.flush();
    }
    return batches;
  };
  const batches = fill();
  settle();
  assert.equal(near.open, batches);
  assert.equal(far.router.received, batches);
  far.hasRoom = true;
  far.router.acknowledge();
  settle();
  assert.deepEqual([near.open, near.router.isFull], [0, false]);
  assert.equal(fill(), batches, "all of them were taken, so there is room for as many again");
});

test("a ticket for a lane that there is not, or that fits into no record, is not sent", () => {
  const { near } = pair();
  assert.equal(near.router.trySend(7, ticketTo("http://b.example/")), false);
  assert.equal(near.router.trySend(1, ticketTo(`http://b/${"x".repeat(70_000)}`)), false);
  assert.equal(near.open, 0);
});

test("a robots.txt is fetched by the other lane, and its end comes back", () => {
  const { time, near, far, other, settle } = pair();
  const ends: unknown[] = [];
  const url = "http://b.example/robots.txt" as FetchableUrl;
  near.router.askRobots(1, { origin: "http://a.example" as never, url, redirects: 1 }, (end) =>
    ends.push(end),
  );
  while (far.open === 0) assert.ok(time.step(), "the other lane is asked");
  assert.equal(far.router.isSettled, false, "no checkpoint is taken before the end has come back");
  settle();
  assert.deepEqual([far.router.isSettled, far.open], [true, 0]);
  assert.deepEqual(far.journal, [`robots ${url}`, "received"]);
  assert.deepEqual(ends, [{ kind: "redirected", to: "http://c.example/robots.txt" }]);
  assert.deepEqual(near.journal, ["received"]);
  other.post({ kind: "robots-end", id: 1, end: { kind: "redirected", to: url } });
  settle();
  assert.equal(ends.length, 1, "whoever asked is told once, and then forgotten");
});
