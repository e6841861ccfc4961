import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type FetchableUrl, type HostName, hostOf, parseUrl } from "../../formats/url/index.ts";
import { pairOfDepths } from "../sieve/index.ts";
import { atBetterDepths } from "./role-depth.ts";
import type { OfferedTicket, Ticket } from "./ticket.ts";
import {
  depthInRecord,
  hostInRecord,
  isEndedRecord,
  politeHost,
  priorityInRecord,
  queueRecordFrom,
  readTicket,
  TicketWriter,
} from "./ticket-record.ts";

const writer = new TicketWriter();

function written(ticket: OfferedTicket, attempt: number): Buffer {
  assert.ok(writer.tryWrite(ticket, attempt));
  return Buffer.from(writer.bytes.slice(0, writer.to));
}

const urls: fc.Arbitrary<FetchableUrl> = fc
  .webUrl({ withQueryParameters: true, authoritySettings: { withPort: true } })
  .chain((text) => fc.constantFrom(text, text.replace(/^(\w+:\/\/[^/:]+)/, "$1.")))
  .chain((text) => fc.constantFrom(text, text.replace(/^\w+/, "ftp"), `x-${text}`))
  .map((text) => parseUrl(text, { schemes: new Set(["ftp", "x-http", "x-https"]) }))
  .filter((outcome) => outcome.kind === "accepted")
  .map(({ url }) => url);

const pages: fc.Arbitrary<Ticket> = fc.record({
  url: urls,
  high: fc.nat(0xffffffff),
  low: fc.nat(0xffffffff),
  depth: fc.nat(70_000),
  via: fc.oneof(fc.constant(null), urls, fc.string({ unit: "grapheme", minLength: 1 })),
  redirects: fc.nat(20),
  priority: fc.oneof(fc.constant(0), fc.double({ noNaN: true, noDefaultInfinity: true })),
});

const tickets: fc.Arbitrary<OfferedTicket> = fc
  .tuple(pages, fc.nat(5), fc.option(fc.nat(300)), fc.boolean())
  .map(([page, requisite, hostDepth, hasEnded]) => ({
    ...page,
    ...(hasEnded ? { hasEnded } : {}),
    ...(requisite === 0 ? {} : { requisite }),
    ...(hostDepth === null ? {} : { hostDepth }),
  }));

test("a ticket survives being written and read", () => {
  fc.assert(
    fc.property(tickets, fc.nat(200), (ticket, attempt) => {
      const bytes = written(ticket, attempt);
      const host = hostInRecord(bytes, 0);
      assert.equal(host, politeHost(hostOf(ticket.url)));
      const from = queueRecordFrom(bytes, 0);
      const expected = { ...ticket, priority: ticket.priority + 0, attempt };
      assert.deepEqual(readTicket(host, bytes, from, bytes.length), expected);
      assert.equal(isEndedRecord(bytes, from), ticket.hasEnded === true);
      assert.equal(priorityInRecord(bytes, from), expected.priority);
      const { depth, hostDepth } = expected;
      const inRecord = hostDepth === undefined ? depth : pairOfDepths(depth, hostDepth);
      assert.equal(depthInRecord(bytes, from), inRecord);
    }),
  );
});

test("a link to its own host costs little more than its path", () => {
  const url = "https://www.example.org/some/folder/page.html" as FetchableUrl;
  const via = "https://www.example.org/some/folder/index.html";
  const ticket = { url, high: 1, low: 2, depth: 3, via, redirects: 0, priority: 0 };
  const bytes = written(ticket, 0);
  assert.ok(bytes.length - queueRecordFrom(bytes, 0) <= "/some/folder/page.html".length + 30);
});

test("a way to a URL that is too long is left out", () => {
  const url = `http://a.example/${"x".repeat(40_000)}` as FetchableUrl;
  const via = `http://b.example/${"y".repeat(40_000)}`;
  const bytes = written({ url, high: 1, low: 2, depth: 3, via, redirects: 0, priority: 0 }, 0);
  const from = queueRecordFrom(bytes, 0);
  const read = readTicket("a.example" as HostName, bytes, from, bytes.length);
  assert.equal(read.url, url);
  assert.equal(read.via, null);
});

test("a ticket takes the better depths of a record, each by itself", () => {
  const url = "http://a.example/" as FetchableUrl;
  const ticket = { url, high: 1, low: 2, depth: 5, via: null, redirects: 0, priority: 0 };
  assert.equal(atBetterDepths(ticket, 3).depth, 3);
  const better = atBetterDepths({ ...ticket, hostDepth: 2 }, pairOfDepths(7, 0));
  assert.deepEqual([better.depth, better.hostDepth], [5, 0]);
});
