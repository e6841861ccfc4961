import assert from "node:assert/strict";
import { test } from "node:test";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { WaitingTicket } from "../../ticket/index.ts";
import { TriedUrls } from "./tried-urls.ts";

function ticket(low: number, attempt: number): WaitingTicket {
  const url = `http://a.example/${low}` as FetchableUrl;
  return { high: 1, low, url, depth: 0, via: null, redirects: 0, priority: 0, attempt };
}

test("tries count once, and never make fewer of those that a ticket knows", () => {
  const tried = new TriedUrls();
  tried.mark({ high: 1, low: 1 }, 1);
  tried.mark({ high: 1, low: 1 }, 2);
  tried.mark({ high: 1, low: 2 }, 1);
  assert.equal(tried.counted(ticket(1, 0)).attempt, 2);
  assert.equal(tried.counted(ticket(1, 0)).attempt, 0, "it is a ticket of another visit");
  assert.equal(tried.counted(ticket(2, 3)).attempt, 3);
  assert.equal(tried.counted(ticket(3, 0)).attempt, 0);
});

test("tries are saved until their tickets come out, or their URLs have ended", () => {
  const tried = new TriedUrls();
  for (const low of [1, 2, 3]) tried.mark({ high: 1, low }, low);
  tried.counted(ticket(1, 0));
  tried.forget({ high: 1, low: 2 });
  const again = new TriedUrls();
  again.restore(tried.save());
  assert.deepEqual(again.save(), [[1, 3, 3]]);
  assert.equal(again.counted(ticket(3, 0)).attempt, 3);
  assert.deepEqual(again.save(), []);
});
