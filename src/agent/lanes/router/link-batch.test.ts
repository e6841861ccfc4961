import assert from "node:assert/strict";
import { test } from "node:test";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { LinkBatchWriter, type RoutedTicket, readLinkBatch } from "./link-batch.ts";

function ticketOf(url: string, more: Partial<Ticket> = {}): Ticket {
  return {
    url: url as FetchableUrl,
    ...{ high: 1, low: 2, depth: 3, via: null, redirects: 0, priority: 0 },
    ...more,
  };
}

/** What is read from a batch, in its order. */
function entriesOf(batch: ArrayBuffer): unknown[] {
  const entries: unknown[] = [];
  readLinkBatch(batch, {
    ticket: (routed) => entries.push(routed),
    trailBegun: (url) => entries.push(`begun ${url}`),
    trailEnded: ({ high, low }) => entries.push(`ended ${high} ${low}`),
  });
  return entries;
}

test("what one lane writes another reads, in the same order", () => {
  const writer = new LinkBatchWriter();
  const routed: RoutedTicket[] = [
    { ticket: ticketOf("http://a.example/x?y=1"), level: null, isWatched: false },
    {
      ticket: ticketOf("https://b.example:8443/", { via: "http://ä.example/", requisite: 2 }),
      ...{ level: 2, isWatched: true },
    },
    { ticket: ticketOf("http://c.example/s.xml", { redirects: 4 }), level: 1, isWatched: false },
  ];
  writer.tryTicket(routed[0] as RoutedTicket);
  writer.trailBegun("http://d.example/ü");
  writer.tryTicket(routed[1] as RoutedTicket);
  writer.trailEnded({ high: 0xffff_ffff, low: 7 });
  writer.tryTicket(routed[2] as RoutedTicket);
  assert.deepEqual(entriesOf(writer.take()), [
    routed[0],
    "begun http://d.example/ü",
    routed[1],
    "ended 4294967295 7",
    routed[2],
  ]);
});

test("a batch grows beyond its first memory, and the writer begins anew", () => {
  const writer = new LinkBatchWriter();
  const urls = Array.from({ length: 2000 }, (_, at) => `http://host-${at}.example/`);
  for (const url of urls) {
    writer.tryTicket({ ticket: ticketOf(url), level: null, isWatched: false });
  }
  const read = entriesOf(writer.take()).map((entry) => (entry as RoutedTicket).ticket.url);
  assert.deepEqual(read, urls);
  assert.equal(writer.lengthBytes, 0);
  assert.deepEqual(entriesOf(writer.take()), []);
});

test("a ticket that fits into no record is not taken", () => {
  const writer = new LinkBatchWriter();
  const ticket = ticketOf(`http://a.example/${"x".repeat(70_000)}`);
  assert.equal(writer.tryTicket({ ticket, level: null, isWatched: false }), false);
  assert.equal(writer.lengthBytes, 0);
});
