import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ticket } from "../../ticket/index.ts";
import { EndedUrls, endedOf } from "./ended-urls.ts";

interface Kept {
  readonly urls: EndedUrls;
  /** Pages that were counted, by host. */
  readonly counted: number[];
}

function made(repeats = false): Kept {
  const counted: number[] = [];
  const ledger = { countPage: (host: number) => void counted.push(host) };
  const urls = new EndedUrls({
    repeats,
    tally: { ended: () => {}, leave: () => {} },
    ledger,
    depths: null,
  });
  return { urls, counted };
}

function ticketOf(low: number): Ticket {
  return { high: 1, low } as Ticket;
}

/** The pieces of a checkpoint: how many URLs each host has in it, 0 if it is gone. */
function saved({ pieces }: EndedUrls): Record<number, number> {
  const found: Record<number, number> = {};
  pieces.begin((host, bytes) => {
    found[host] = bytes === null ? 0 : endedOf(bytes).length;
  });
  while (!pieces.writeSome(100));
  pieces.committed();
  return found;
}

test("the ticket of a URL that has ended is dropped once, and its page counts then", () => {
  const { urls, counted } = made();
  urls.mark(1, 5, 7, true, 1);
  assert.deepEqual([urls.has({ high: 1, low: 5 }), urls.hasHost(7)], [true, true]);
  assert.equal(urls.drops(ticketOf(6), 7), false);
  assert.equal(urls.drops(ticketOf(5), 7), true);
  assert.equal(urls.drops(ticketOf(5), 7), false);
  assert.deepEqual([counted, urls.isEmpty], [[7], true]);
});

test("where URLs come again, as many tickets are dropped as visits have ended", () => {
  const { urls } = made(true);
  urls.mark(1, 5, 7, false, 1);
  urls.mark(1, 5, 7, false, 2);
  const drops = [1, 2, 3, 4].map(() => urls.drops(ticketOf(5), 7));
  assert.deepEqual(drops, [true, true, true, false]);
});

test("a URL whose page is elsewhere counts there, after a restart too", () => {
  const ends: string[] = [];
  const tally = { ended: () => void ends.push("here"), leave: () => void ends.push("elsewhere") };
  const around = { repeats: false, tally, ledger: { countPage: () => {} }, depths: null };
  const [before, again] = [new EndedUrls(around), new EndedUrls(around)];
  before.mark(1, 5, 7, false, 1, 0, true);
  before.mark(1, 6, 7, false, 1);
  before.pieces.begin((_host, bytes) => {
    for (const ended of bytes === null ? [] : endedOf(bytes)) again.mark(...ended);
  });
  while (!before.pieces.writeSome(100));
  for (const urls of [before, again]) {
    for (const low of [5, 6]) assert.ok(urls.drops(ticketOf(low), 7));
  }
  assert.deepEqual(ends, ["elsewhere", "here", "elsewhere", "here"]);
});

test("with its end, a page is told the depth that it was fetched at, after a restart too", () => {
  const told: unknown[] = [];
  const depths = {
    ended: ({ low }: Ticket) => void told.push([low, "now"]),
    endedBefore: ({ low }: Ticket, depth: number) => void told.push([low, depth]),
    endedElsewhere: ({ low }: Ticket) => void told.push([low, "elsewhere"]),
  };
  const around = {
    tally: { ended: () => {}, leave: () => {} },
    ledger: { countPage: () => {} },
    depths,
  };
  const before = new EndedUrls({ repeats: false, ...around });
  before.mark(1, 5, 7, true, 1, 6);
  before.mark(1, 6, 7, false, 1, 6);
  const again = new EndedUrls({ repeats: false, ...around });
  before.pieces.begin((_host, bytes) => {
    for (const ended of bytes === null ? [] : endedOf(bytes)) again.mark(...ended);
  });
  while (!before.pieces.writeSome(100));
  // As an earlier version has it.
  again.mark(1, 8, 7, true, 1);
  for (const low of [5, 6, 8]) assert.ok(again.drops(ticketOf(low), 7));
  assert.deepEqual(told, [
    [5, 6],
    [6, "elsewhere"],
    [8, 0],
  ]);
});

test("a checkpoint has the URLs of hosts that have changed since the last one", () => {
  const { urls } = made();
  for (const low of [1, 2, 3]) urls.mark(1, low, low % 2, true, 1);
  assert.deepEqual(saved(urls), { 0: 1, 1: 2 });
  assert.deepEqual(saved(urls), {});
  urls.drops(ticketOf(2), 0);
  urls.drops(ticketOf(9), 1);
  assert.deepEqual(saved(urls), { 0: 0 });
  urls.forget(1, 1, 1);
  assert.deepEqual(saved(urls), { 1: 1 });
});

test("a checkpoint has URLs as they were at its moment, whatever happens meanwhile", () => {
  const { urls } = made();
  for (const low of [1, 2]) urls.mark(1, low, 4, true, 1);
  const found: unknown[] = [];
  urls.pieces.begin((host, bytes) => found.push([host, bytes && endedOf(bytes)]));
  urls.drops(ticketOf(1), 4);
  while (!urls.pieces.writeSome(100));
  assert.deepEqual(found, [
    [
      4,
      [
        [1, 1, 4, true, 1, 0],
        [1, 2, 4, true, 1, 0],
      ],
    ],
  ]);
});
