import assert from "node:assert/strict";
import { test } from "node:test";
import { toyFingerprint } from "../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import { hostInRecord, queueRecordFrom, readTicket, type Ticket } from "../ticket/index.ts";
import type { VisitState } from "./hosts/state/visit-state.ts";
import { OfferedTickets, type OfferedTicketsParts } from "./offered-tickets.ts";

function ticketOf(path: string): Ticket {
  const url = `http://h.example/${path}` as FetchableUrl;
  return { url, ...toyFingerprint(url), depth: 0, via: null, redirects: 0, priority: 0 };
}

/** Offered tickets in front of a sieve with room for as many as the test says. */
function rig(parts: Partial<OfferedTicketsParts> = {}) {
  const sieved: Ticket[] = [];
  const records: string[] = [];
  const turnedAway: string[] = [];
  const aside: unknown[] = [];
  const state = { room: 0 };
  const offered = new OfferedTickets({
    settings: { keepsDepths: false, keepsHostDepths: false, takesRequisites: false },
    traversal: { priorityOf: null },
    refusals: null,
    sieve: {
      tryOffer: (_high, _low, _depth, bytes, from, to) => {
        if (state.room === 0) return false;
        state.room -= 1;
        const copy = Buffer.from(bytes.subarray(from, to));
        const queueFrom = queueRecordFrom(copy, 0);
        records.push(copy.toString("base64"));
        sieved.push(readTicket(hostInRecord(copy, 0), copy, queueFrom, copy.length));
        return true;
      },
    },
    queues: {
      push: (host, record, from, to, priority) => {
        const copy = Buffer.from(record.subarray(from, to));
        const { url, attempt } = readTicket("h.example" as never, copy, 0, copy.length);
        aside.push([host, url, attempt, priority]);
      },
    },
    promoting: null,
    ledger: {
      find: () => 0,
      epochOf: () => 0,
      countPage: () => {},
      epochsMax: 0,
      numberOf: () => 1,
    },
    distributor: { promote: () => {}, putAside: ({ number }) => aside.push(number) },
    tally: { turnedAway: (reason) => turnedAway.push(reason) },
    ...parts,
  });
  const paths = (): string[] => sieved.map(({ url }) => url.slice("http://h.example/".length));
  return { offered, state, sieved, records, turnedAway, aside, paths };
}

test("tickets for which the sieve has no room wait, and go before later ones", () => {
  const { offered, state, paths } = rig();
  for (const path of ["a", "b", "c"]) offered.offer(ticketOf(path));
  assert.equal(offered.waiting, 3);
  state.room = 2;
  offered.offer(ticketOf("d"));
  assert.deepEqual(paths(), [], "what comes later does not overtake");
  offered.offerAgain();
  assert.deepEqual(paths(), ["a", "b"]);
  assert.deepEqual(
    offered.items().map(({ url }) => url),
    ["http://h.example/c", "http://h.example/d"],
  );
  state.room = 9;
  offered.offerAgain();
  offered.offer(ticketOf("e"));
  assert.deepEqual(paths(), ["a", "b", "c", "d", "e"]);
  assert.equal(offered.waiting, 0);
});

test("a URL that is too long for a record is turned away and holds nothing up", () => {
  const { offered, state, turnedAway, paths } = rig();
  offered.offer(ticketOf("x".repeat(1 << 17)));
  assert.deepEqual(turnedAway, ["url-too-long"]);
  assert.equal(offered.waiting, 0);
  state.room = 1;
  offered.offer(ticketOf("a"));
  assert.deepEqual(paths(), ["a"]);
});

test("tickets that waited at a checkpoint wait again, in order", () => {
  const first = rig();
  first.state.room = 3;
  for (const path of ["a", "b", "c"]) first.offered.offer(ticketOf(path));
  const second = rig();
  second.state.room = 1;
  second.offered.restore(first.records);
  assert.deepEqual(second.sieved, first.sieved.slice(0, 1));
  assert.equal(second.offered.waiting, 2);
  second.state.room = 2;
  second.offered.offerAgain();
  assert.deepEqual(second.sieved, first.sieved);
});

test("the traversal says the priority of a ticket", () => {
  const { offered, state, sieved } = rig({ traversal: { priorityOf: ({ depth }) => 5 - depth } });
  state.room = 2;
  offered.offer(ticketOf("a"));
  offered.offer({ ...ticketOf("b"), depth: 3 });
  assert.deepEqual(
    sieved.map(({ priority }) => priority),
    [5, 2],
  );
});

test("a page that is put aside is in its queue again, with its attempts", () => {
  const { offered, aside } = rig();
  const state = { number: 7 } as VisitState;
  offered.putAside(state, { ...ticketOf("a"), priority: 4, attempt: 2 });
  assert.deepEqual(aside, [[7, "http://h.example/a", 2, 4], 7]);
});
