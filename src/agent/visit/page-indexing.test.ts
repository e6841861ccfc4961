/** Rows wait for the places of their texts, and flushes of rows for both. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { PageIndexWriter } from "../../store/index/index.ts";
import type { PageTexts } from "../../store/texts/index.ts";
import type { RowRules } from "./indexed-row.ts";
import { PageIndexing } from "./page-indexing.ts";

type Logged = Parameters<PageIndexing["addLogged"]>[0];
const LOGGED = { number: null, ticket: { url: "" }, page: {}, text: {} } as unknown as Logged;

/** A page that is committed while the disk is asked which number it has; `flushed` is how a flush ended. */
function rig() {
  const flushed: (CrawlError | null)[] = [];
  const waiting: Acknowledge[] = [];
  const placed: (() => void)[] = [];
  const told = { failure: null as CrawlError | null, held: 0, number: (_: number): void => {} };
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

test("a text that cannot be written then ends the flush, which is tried again", () => {
  const { told, flushed } = rig();
  told.failure = new CrawlError("STORAGE_FULL", "planted");
  told.number(7);
  assert.deepEqual(flushed, [told.failure]);
});
