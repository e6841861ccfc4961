/** The sieve for links to hosts of others, over a disk that takes its time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toyFingerprint } from "../../test/support/frontier/toy-crawl.ts";
import type { UrlEntry } from "../cluster/delivery/index.ts";
import type { FetchableUrl } from "../formats/url/index.ts";
import type { Ticket } from "../frontier/ticket/index.ts";
import { Kernel, SimBackground, SimCluster, SimDisk } from "../lab/simulator/index.ts";
import { type ForeignLinks, openForeignLinks } from "./foreign-links.ts";

function ticketOf(number: number, depth = 0): Ticket {
  const url = `http://b.example/${number}` as FetchableUrl;
  return { url, ...toyFingerprint(url), depth, via: null, redirects: 0, priority: 0 };
}

/** What is told: the number of each link and its depth. */
function rig(keepsDepths: boolean): {
  readonly links: ForeignLinks;
  readonly told: string[];
  readonly run: () => void;
} {
  const kernel = new Kernel({ seed: "foreign" });
  const disk = new SimDisk(kernel.random.fork("disk"));
  const told: string[] = [];
  const found = ({ high, low, depth }: UrlEntry): void => {
    const number = Array.from({ length: 3000 }, (_none, at) => at).find((at) => {
      const link = ticketOf(at);
      return link.high === high && link.low === low;
    });
    told.push(`${number} at ${depth}`);
  };
  const failed = (error: Error): never => assert.fail(error);
  let links: ForeignLinks | null = null;
  new SimCluster(kernel, {}).add("self", ({ clock, random }) =>
    openForeignLinks(
      {
        ...{ clock, random, storage: disk.mount(clock), folder: "foreign", marks: null, failed },
        ...{ background: new SimBackground({ clock, random, disk }), keepsDepths },
        ...{ memoryBytes: 1000, smallKeysMax: 100, found, idle: () => undefined },
      },
      (error, opened) => {
        assert.ifError(error);
        links = opened ?? null;
      },
    ),
  );
  const run = (): void => kernel.pass(10_000);
  run();
  return { links: links ?? assert.fail("it is open"), told, run };
}

test("U1: a link to a host of another is told once", () => {
  const { links, told, run } = rig(false);
  for (const number of [1, 2, 1]) links.offer(ticketOf(number, 4));
  run();
  links.offer(ticketOf(2, 3));
  run();
  assert.deepEqual(told, ["1 at 4", "2 at 4"]);
});

test("U1, U6: with a depth limit it is told once at each depth", () => {
  const { links, told, run } = rig(true);
  for (const depth of [4, 3, 4]) {
    links.offer(ticketOf(1, depth));
    run();
  }
  assert.deepEqual(told, ["1 at 4", "1 at 3"]);
});

test("T1: nothing is idle before every link is told, also if there is no room for all at once", () => {
  const { links, told, run } = rig(false);
  assert.ok(links.isIdle);
  links.offer(ticketOf(0));
  assert.ok(!links.isIdle && !links.isWaiting, "it is in the sieve");
  for (let number = 1; number < 300; number += 1) links.offer(ticketOf(number));
  assert.ok(!links.isIdle && links.isWaiting);
  run();
  assert.equal(new Set(told).size, 300);
  assert.ok(links.isIdle);
});
