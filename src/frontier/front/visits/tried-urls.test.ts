import assert from "node:assert/strict";
import { test } from "node:test";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { WaitingTicket } from "../../ticket/index.ts";
import { TriedUrls } from "./tried-urls.ts";

function ticket(low: number, attempt: number): WaitingTicket {
  const url = `http://a.example/${low}` as FetchableUrl;
  return { high: 1, low, url, depth: 0, via: null, redirects: 0, priority: 0, attempt };
}

const CLOCK = {
  save: (atMs: number) => atMs - 1000,
  restore: (at: number | null) => (at ?? 0) + 50,
};

function attemptOf(tried: TriedUrls, of: WaitingTicket): number {
  return tried.counted(of)?.ticket.attempt ?? of.attempt;
}

test("tries count once, and never make fewer of those that a ticket knows", () => {
  const tried = new TriedUrls();
  tried.mark({ high: 1, low: 1 }, 1, 0);
  tried.mark({ high: 1, low: 1 }, 2, 0);
  tried.mark({ high: 1, low: 2 }, 1, 0);
  assert.equal(attemptOf(tried, ticket(1, 0)), 2);
  assert.equal(attemptOf(tried, ticket(1, 0)), 0, "it is a ticket of another visit");
  assert.equal(attemptOf(tried, ticket(2, 3)), 3);
  assert.equal(attemptOf(tried, ticket(3, 0)), 0);
});

test("tries are saved until their tickets come out, or their URLs have ended", () => {
  const tried = new TriedUrls();
  for (const low of [1, 2, 3]) tried.mark({ high: 1, low }, low, 5000);
  tried.counted(ticket(1, 0));
  tried.forget({ high: 1, low: 2 });
  const again = new TriedUrls();
  again.restore(tried.save(CLOCK), CLOCK);
  assert.deepEqual(again.save(CLOCK), [[1, 3, 3, 3050]]);
  const counted = again.counted(ticket(3, 0));
  assert.equal(counted?.ticket.attempt, 3);
  assert.equal(counted?.againAtMs, 4050, "it is tried when it would have been");
  assert.deepEqual(again.save(CLOCK), []);
});
