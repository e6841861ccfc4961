import assert from "node:assert/strict";
import { test } from "node:test";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { replayedErrand } from "../recovery/replayed-page.ts";
import { ticketNotes } from "./page-record.ts";
import { crawlLine } from "./visit-facts.ts";

const TICKET: Ticket = {
  ...{ url: "http://h.example/" as FetchableUrl, high: 1, low: 2, depth: 3, via: null },
  ...{ redirects: 0, priority: 0 },
};

test("a line says of its ticket what a replay has to know", () => {
  for (const more of [
    {},
    { redirects: 4 },
    { hostDepth: 0 },
    { hostDepth: 7, redirects: 1 },
    { requisite: 1 },
    { requisite: 3, redirects: 2 },
  ]) {
    const ticket: Ticket = { ...TICKET, ...more };
    const { url, depth, via } = ticket;
    const notes = ticketNotes(ticket);
    const facts = { url, depth, via, atMs: 0, durationMs: 0, attempt: 1, address: null, notes };
    const line = crawlLine(facts, "DNS_NOT_FOUND", 0);
    assert.deepEqual(replayedErrand(line, ticket).ticket, ticket);
  }
});
