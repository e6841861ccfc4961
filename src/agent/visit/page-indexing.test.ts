/**
 * Rows wait for the places of their texts, and flushes of rows for both. What becomes known of a page waits
 * for its row.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError, type ErrorCode } from "../../base/errors/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { PageIndexWriter } from "../../store/index/index.ts";
import type { PageTexts } from "../../store/texts/index.ts";
import type { RowRules } from "./indexed-row.ts";
import { PageIndexing } from "./page-indexing.ts";
import type { PageVisit } from "./page-visit.ts";

type Logged = Parameters<PageIndexing["addLogged"]>[0];
const LOGGED = { number: null, ticket: { url: "" }, page: {}, text: {} } as unknown as Logged;

/** A page that is committed while the disk is asked which number it has; `flushed` is how a flush ended. */
function rig() {
  const flushed: (CrawlError | null)[] = [];
  const waiting: Acknowledge[] = [];
  const placed: (() => void)[] = [];
  const told = {
    failure: null as CrawlError | null,
    held: 0,
    number: (_: number): void => {},
    none: (_: CrawlError): void => {},
  };
  const settle = (): void => {
    told.held -= 1;
    if (told.held === 0) for (const done of waiting.splice(0)) done(null);
  };
  const writer = {
    ...{ add: () => [], placeText: () => {}, settle },
    hold: () => {
      told.held += 1;
    },
    flush: (done: Acknowledge) => void waiting.push(done),
    reserve: (_: object, _url: string, done: Done<number>) => {
      told.number = (number) => done(null, number);
      told.none = (error) => done(error, undefined);
    },
  };
  const texts = {
    add: (_: object, done: (place: null) => void) => void placed.push(() => done(null)),
    flush: (done: Acknowledge) => {
      if (told.failure === null) for (const place of placed.splice(0)) place();
      done(told.failure);
    },
  };
  const indexing = new PageIndexing({
    writer: writer as unknown as PageIndexWriter,
    texts: texts as unknown as PageTexts,
    rows: {} as RowRules,
  });
  const batch = {} as Parameters<PageIndexing["addLogged"]>[1];
  told.held = 1;
  indexing.addLogged(LOGGED, batch, (work) => work(), settle);
  indexing.flushRows((error) => flushed.push(error));
  return { told, flushed };
}

test("a text that comes while rows are flushed is flushed too: nobody else would", () => {
  const { told, flushed } = rig();
  assert.deepEqual(flushed, [], "the page has no row yet");
  told.number(7);
  assert.deepEqual(flushed, [null]);
});

test("a page that gets no number has no row, and holds up nobody", () => {
  const { told, flushed } = rig();
  told.none(new CrawlError("RUN_DAMAGED", "planted"));
  assert.deepEqual(flushed, [null]);
});

test("a text that cannot be written then ends the flush, which is tried again", () => {
  const { told, flushed } = rig();
  told.failure = new CrawlError("STORAGE_FULL", "planted");
  told.number(7);
  assert.deepEqual(flushed, [told.failure]);
});

/** Tells in which order the writer is called; numbers come when `number` is called. */
function journal() {
  const calls: string[] = [];
  let number = (): void => assert.fail("no number was asked for");
  const tell =
    (what: string) =>
    (...[, value, batch]: unknown[]): void =>
      void calls.push(what === "improve" ? `improve ${JSON.stringify([value, batch])}` : what);
  const batch = { batch: 1 };
  const writer = {
    ...{ expect: () => batch, add: tell("add"), settle: tell("settle"), drop: tell("drop") },
    improve: tell("improve"),
    reserve: (_page: object, _url: string, done: Done<number>) => {
      number = () => done(null, 7);
    },
  };
  const indexing = new PageIndexing({
    writer: writer as unknown as PageIndexWriter,
    texts: null,
    rows: { rules: {} } as RowRules,
  });
  return { calls, indexing, batch, number: () => number() };
}

const TICKET = {
  ...{ url: "http://a.example/", high: 1, low: 2, depth: 3, via: null },
  ...{ redirects: 0, priority: 0 },
} as Ticket;
const NEARER = { depth: 2, requisite: false };
const WITH_ROW = 'improve [{"depth":2,"requisite":false},{"batch":1}]';

test("what becomes known of a page while it is worked on is written with its row", () => {
  const { calls, indexing, batch } = journal();
  const ended = (isTold: boolean, expected: object | null): void =>
    indexing.ended({
      expected,
      isTold,
      record: { number: 7 },
      errand: { ticket: TICKET },
    } as never as PageVisit);
  indexing.begin(TICKET);
  indexing.improve(TICKET, NEARER);
  assert.deepEqual(calls, []);
  ended(true, batch);
  assert.deepEqual(calls.splice(0), ["drop", WITH_ROW, "settle"]);
  indexing.improve(TICKET, NEARER);
  assert.deepEqual(
    calls.splice(0),
    ['improve [{"depth":2,"requisite":false},null]'],
    "later, at once",
  );
  indexing.begin(TICKET);
  indexing.improve(TICKET, NEARER);
  ended(true, null);
  // It may have had a row before.
  assert.deepEqual(calls.splice(0), ["drop", 'improve [{"depth":2,"requisite":false},null]']);
});

test("the same while the number of a page without a visit is looked for", () => {
  const { calls, indexing, number } = journal();
  indexing.addFailed(TICKET, "DNS_NO_SUCH_HOST" as ErrorCode, 0);
  indexing.improve(TICKET, NEARER);
  assert.deepEqual(calls, []);
  number();
  assert.deepEqual(calls, ["add", WITH_ROW, "settle"]);
});
