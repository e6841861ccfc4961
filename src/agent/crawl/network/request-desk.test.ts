import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../../base/errors/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import type { PageAnswer, PageRequest } from "../../units/fetch-items.ts";
import { RequestDesk } from "./request-desk.ts";

const FACTS = { address: null, attempt: 0, durationMs: 1, fetchedAtMs: 2 };

function ticketOf(page: string): Required<Omit<Ticket, "hostDepth">> {
  const url = `http://a.test/${page}` as FetchableUrl;
  const rest = { depth: 0, via: null, redirects: 0, priority: 0, requisite: 0 };
  return { url, high: 0, low: 0, ...rest };
}

/** A desk with what it offered to the frontier, what it answered, and what it told the crawl. */
class Rig {
  readonly desk = new RequestDesk();
  readonly offered: string[] = [];
  readonly answers: PageAnswer[] = [];
  readonly told: string[] = [];

  constructor() {
    const { desk } = this;
    desk.listener = { asked: () => this.told.push("asked"), over: () => this.told.push("over") };
    desk.answerBy((answer) => this.answers.push(answer));
    desk.open();
  }

  ask(number: number, { run = "one", isAgain = false }: Partial<PageRequest> = {}): void {
    const request = { run, number, isAgain, ticket: ticketOf(String(number)) };
    this.desk.take(request, ({ url }) => this.offered.push(url.slice("http://a.test/".length)));
  }
}

test("a desk says first that its life begins, and answers each request once", () => {
  const rig = new Rig();
  const { desk, answers } = rig;
  rig.ask(1);
  const error = new CrawlError("FETCH_TIMED_OUT", "It took too long.");
  assert.ok(desk.isOpen(ticketOf("1")));
  desk.failed(ticketOf("1"), FACTS, error);
  desk.failed(ticketOf("1"), FACTS, error);
  assert.equal(desk.unfetched(ticketOf("1"), "FETCH_TIMED_OUT"), false);
  const { code, message } = error;
  assert.deepEqual(answers, [
    { kind: "begun" },
    { run: "one", number: 1, ...FACTS, kind: "failed", code, message },
  ]);
});

test("what is refused or given up is answered too; what nobody asked for is not", () => {
  const rig = new Rig();
  rig.ask(1);
  rig.ask(2);
  rig.desk.refused({ ticket: ticketOf("1"), reason: "robots", cause: null });
  rig.desk.refused({ ticket: ticketOf("7"), reason: "robots", cause: null });
  assert.equal(rig.desk.unfetched(ticketOf("2"), "FETCH_CONNECT_FAILED"), true);
  assert.deepEqual(rig.answers.slice(1), [
    { run: "one", number: 1, kind: "refused", reason: "robots", cause: null },
    { run: "one", number: 2, kind: "unfetched", code: "FETCH_CONNECT_FAILED" },
  ]);
});

test("what is sent again counts only if this life has not had it", () => {
  const rig = new Rig();
  // These waited on their way when this life began; it has answered one of them.
  rig.ask(5);
  rig.ask(6);
  rig.desk.unfetched(ticketOf("5"), "FETCH_CONNECT_FAILED");
  for (const number of [2, 4, 5, 6]) rig.ask(number, { isAgain: true });
  rig.ask(7);
  assert.deepEqual(rig.offered, ["5", "6", "2", "4", "7"]);
});

test("another run of the asking process counts from its own first request", () => {
  const rig = new Rig();
  rig.ask(1);
  rig.ask(3, { run: "two", isAgain: true });
  rig.ask(4, { run: "two" });
  rig.ask(4, { run: "two", isAgain: true });
  assert.deepEqual(rig.offered, ["1", "3", "4"]);
});

test("the crawl is told of every request, and once of the end", () => {
  const rig = new Rig();
  assert.ok(rig.desk.isExpecting);
  rig.ask(1);
  rig.desk.end();
  rig.desk.end();
  assert.deepEqual(rig.told, ["asked", "over"]);
  assert.equal(rig.desk.isExpecting, false);
});

test("a desk that is not opened expects nothing, and leaves sitemaps to the crawl", () => {
  const desk = new RequestDesk();
  const { url } = ticketOf("sitemap.xml");
  assert.equal(desk.isExpecting, false);
  assert.equal(desk.sitemaps([url], url), false);
  const rig = new Rig();
  assert.equal(rig.desk.sitemaps([url], url), true);
  assert.deepEqual(rig.answers.at(-1), { kind: "sitemaps", urls: [url], via: url });
});

test("those that ask others are told of the end of the crawl once", () => {
  const desk = new RequestDesk();
  let finished = 0;
  desk.atEnd(() => {
    finished += 1;
  });
  desk.finish();
  desk.finish();
  assert.equal(finished, 1);
});
