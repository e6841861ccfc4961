/**
 * How much of what politeness allows a crawl uses, in virtual time: a lane of the agent on a
 * frontier whose sieve and queues are on disk, hosts that are found one by one from a single seed,
 * and few addresses for many hosts.
 *
 * An address allows one visit in each delay of the address and the time of the visit, and a host one in
 * each delay of the host and that time; hosts count from when they are known.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lane } from "../../src/agent/crawl/lane/lane.ts";
import type { FetchableUrl } from "../../src/formats/url/index.ts";
import { AddressTable, type Frontier, openDiskFrontier } from "../../src/frontier/front/index.ts";
import { Kernel, SimBackground, SimDisk } from "../../src/lab/simulator/index.ts";
import { answered, robotsStatus, toyFingerprint } from "../support/frontier/toy-crawl.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const HOSTS = isFull ? 2000 : 400;
const HOST_DELAY_MS = 1000;
const ADDRESS_DELAY_MS = 200;
const VISIT_MS = 20;
const PAGES_PER_HOST = 400;
const LINKS_HOME = 8;
const LINKS_AWAY = 2;

class Visits {
  readonly kernel: Kernel = new Kernel({ seed: "politeness" });
  /** Visits begun. */
  count = 0;
  /** By address, how many of its hosts are known. */
  readonly #hosts = new Map<string, number>();
  readonly #addressOf = new Map<string, string>();
  readonly #addresses: number;

  constructor(addresses: number) {
    this.#addresses = addresses;
  }

  /** Visits a second that politeness allows of the hosts that are known now. */
  get allowed(): number {
    let sum = 0;
    for (const hosts of this.#hosts.values()) {
      const ofHosts = (1000 * hosts) / (HOST_DELAY_MS + VISIT_MS);
      sum += Math.min(ofHosts, 1000 / (ADDRESS_DELAY_MS + VISIT_MS));
    }
    return sum;
  }

  addressOf(host: string): string {
    const known = this.#addressOf.get(host);
    if (known !== undefined) return known;
    const address = `10.0.0.${this.kernel.random.below(this.#addresses)}`;
    this.#addressOf.set(host, address);
    this.#hosts.set(address, (this.#hosts.get(address) ?? 0) + 1);
    return address;
  }
}

function openFrontier(kernel: Kernel, woken: () => void): Frontier {
  const { clock, random } = kernel;
  const disk = new SimDisk(random.fork("disk"));
  const background = new SimBackground({ clock, disk, random: random.fork("background") });
  const opened: Frontier[] = [];
  openDiskFrontier(
    {
      ...{ clock, random, background, storage: disk.mount(clock), folder: "frontier" },
      ...{ addresses: new AddressTable(), sieveBytes: 1_000_000, queueBytes: 500_000 },
      listener: { woken, failed: (error) => assert.ifError(error) },
      settings: { hostDelayMs: HOST_DELAY_MS, addressDelayMs: ADDRESS_DELAY_MS },
    },
    (error, frontier) => (error === null ? opened.push(frontier) : assert.ifError(error)),
  );
  kernel.runUntil(() => opened.length > 0, { stepsMax: 10_000, virtualMsMax: 10_000 });
  return opened[0] as Frontier;
}

/** A lane on a web in which every page leads home and away, begun at one seed. */
function startCrawl(visits: Visits): void {
  const { kernel } = visits;
  const links = kernel.random.fork("links");
  const frontier = openFrontier(kernel, () => lane.pump());
  const offer = (host: number, depth: number): void => {
    const url = `http://h${host}.example/${links.below(PAGES_PER_HOST)}` as FetchableUrl;
    const key = { ...toyFingerprint(url), depth, via: null, redirects: 0, priority: 0 };
    frontier.offer({ url, ...key });
  };
  const visit = (end: () => void, over: () => void): { cancel(): void } => {
    visits.count += 1;
    kernel.schedule(VISIT_MS, () => {
      end();
      over();
    });
    return { cancel: () => undefined };
  };
  const lane = new Lane({
    ...{ clock: kernel.clock, frontier, concurrency: 500, changed: () => undefined },
    ...{ pagesWanted: () => Number.POSITIVE_INFINITY, mayBegin: () => true },
    resolver: {
      resolve: (host, done) => {
        const addresses = [visits.addressOf(host)];
        kernel.schedule(3, () => done({ kind: "resolved", addresses, expiresAtMs: 1e15 }));
      },
      close: () => undefined,
    },
    robots: (errand, over) => visit(() => frontier.robotsFetched(errand, robotsStatus(404)), over),
    page: (errand, over) => {
      const { ticket } = errand;
      const host = Number(/h(\d+)/.exec(ticket.url)?.[1]);
      return visit(() => {
        frontier.pageFetched(errand, answered(200));
        for (let link = 0; link < LINKS_HOME; link += 1) offer(host, ticket.depth + 1);
        for (let link = 0; link < LINKS_AWAY; link += 1)
          offer(links.below(HOSTS), ticket.depth + 1);
      }, over);
    },
    unresolved: () => assert.fail("every host has an address"),
    unfetched: () => assert.fail("every page can be had"),
  });
  offer(0, 0);
  lane.start();
}

for (const hostsPerAddress of [20, 4]) {
  test(`${hostsPerAddress} hosts on an address are visited as often as politeness allows`, () => {
    const visits = new Visits(HOSTS / hostsPerAddress);
    startCrawl(visits);
    const shares: number[] = [];
    for (let tens = 0; tens < 5; tens += 1) {
      const before = visits.count;
      visits.kernel.runUntil(() => false, { stepsMax: 1e9, virtualMsMax: 10_000 });
      shares.push((visits.count - before) / 10 / visits.allowed);
    }
    const text = shares.map((share) => `${(100 * share).toFixed(0)} %`).join(", ");
    // In the first ten seconds hosts are found.
    for (const share of shares.slice(1)) assert.ok(share >= 0.95 && share <= 1.02, text);
    assert.ok((shares[0] as number) > 0.25, text);
  });
}
