/** With a depth limit, a better depth that only the disk knows goes with the host too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toyFingerprint } from "../../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl, HostName } from "../../../formats/url/index.ts";
import { Kernel, SimBackground, SimDisk } from "../../../lab/simulator/index.ts";
import type { Ticket } from "../../ticket/index.ts";
import { AddressTable, type Frontier, openDiskFrontier } from "../index.ts";

const LIMITS = { stepsMax: 100_000, virtualMsMax: 100_000 };
const HOST = "a.example" as HostName;
const URL = `http://${HOST}/1` as FetchableUrl;

function ticketAt(depth: number): Ticket {
  return { url: URL, ...toyFingerprint(URL), depth, via: null, redirects: 0, priority: 0 };
}

function openedOn(kernel: Kernel, told: Ticket[] = []): Frontier {
  const { clock, random } = kernel;
  const disk = new SimDisk(random.fork("disk"));
  const opened: Frontier[] = [];
  openDiskFrontier(
    {
      ...{ clock, random, storage: disk.mount(clock), folder: "frontier" },
      ...{ sieveBytes: 1000, queueBytes: 6000 },
      settings: { keepsDepths: true, robots: "ignore", memoryBytes: 4 * 2 ** 20 },
      addresses: new AddressTable({ memory: AddressTable.memory(64), lane: 0 }),
      background: new SimBackground({ clock, disk, random: random.fork("background") }),
      listener: { woken: () => undefined, failed: (error) => assert.ifError(error) },
      ...{ checkpoint: null, wasKilled: false },
      ...{ nearer: (ticket) => told.push(ticket), isOurs: () => true },
    },
    (error, frontier) => {
      assert.ifError(error);
      if (frontier !== undefined) opened.push(frontier);
    },
  );
  kernel.runUntil(() => opened.length > 0, LIMITS);
  return opened[0] as Frontier;
}

/** Hosts that are withheld are resolved, and that is all. */
function resolve(frontier: Frontier): void {
  for (let errand = frontier.acquire(); errand !== null; errand = frontier.acquire()) {
    assert.ok(errand.kind === "resolve", errand.kind);
    const expiresAtMs = Number.POSITIVE_INFINITY;
    frontier.resolved(errand, { kind: "resolved", addresses: ["192.0.2.1"], expiresAtMs });
  }
}

/** Its URL is found at two depths while its host is withheld, and all of it is on disk. */
function withhold(frontier: Frontier, kernel: Kernel): void {
  let isSaved = false;
  frontier.handovers.withhold(() => true);
  for (const depth of [5, 3]) {
    frontier.offer(ticketAt(depth));
    frontier.decideOffers();
    kernel.pass(5000);
    resolve(frontier);
  }
  frontier.checkpoint((...[error]) => {
    assert.ifError(error);
    isSaved = true;
  });
  kernel.runUntil(() => isSaved, LIMITS);
}

test("U6: while the better depth of a URL is read that goes with its host, it is told of", () => {
  const kernel = new Kernel({ seed: "better depths" });
  const frontier = openedOn(kernel);
  const { handovers } = frontier;
  withhold(frontier, kernel);
  const depths: number[] = [];
  let isGiven = false;
  handovers.giveAway(HOST, {
    each: ({ depth }) => depths.push(depth),
    done: () => {
      isGiven = true;
    },
  });
  assert.equal(handovers.isFinding, false, "nothing is given yet");
  kernel.runUntil(() => depths.length > 0, LIMITS);
  assert.deepEqual([depths, isGiven, handovers.isFinding], [[5], false, true]);
  kernel.runUntil(() => !handovers.isFinding, LIMITS);
  assert.deepEqual([depths, isGiven], [[5, 3], true]);
});

test("U6: while the better depth of a URL is read whose page is elsewhere, no checkpoint is taken", () => {
  const kernel = new Kernel({ seed: "better depths elsewhere" });
  const told: Ticket[] = [];
  const frontier = openedOn(kernel, told);
  const { handovers } = frontier;
  withhold(frontier, kernel);
  handovers.endElsewhere(ticketAt(7));
  handovers.admit();
  resolve(frontier);
  kernel.pass(5000);
  frontier.acquire();
  assert.deepEqual([handovers.isFinding, told.length], [true, 0]);
  kernel.runUntil(() => !handovers.isFinding, LIMITS);
  assert.deepEqual(
    told.map(({ depth }) => depth),
    [3],
  );
});
