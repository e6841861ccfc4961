import assert from "node:assert/strict";
import { test } from "node:test";
import { PageEvents } from "./page-events.ts";

const ROOM = { eventsMax: 12, textBytesMax: 40 };

/** What a sink is told, as text. */
class Told {
  readonly all: string[] = [];

  openTag(tag: number): void {
    this.all.push(`<${tag}>`);
  }

  closeTag(tag: number): void {
    this.all.push(`</${tag}>`);
  }

  frameSource(bytes: Uint8Array, from: number, to: number): void {
    this.all.push(`frame ${Buffer.from(bytes.subarray(from, to))}`);
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.all.push(String(Buffer.from(bytes.subarray(from, to))));
  }
}

function replayed(events: PageEvents): readonly string[] {
  const told = new Told();
  events.replay(told);
  return told.all;
}

test("what was told is told again, in its order", () => {
  const events = new PageEvents(ROOM);
  const page = Buffer.from("<p>one<iframe src=x>two");
  events.chunk(page);
  assert.ok(events.openTag(7));
  assert.ok(events.text(page, 3, 6));
  assert.ok(events.frameSource(Buffer.from("/x"), 0, 2));
  assert.ok(events.text(page, 20, 23));
  assert.ok(events.closeTag(0));
  assert.deepEqual(replayed(events), ["<7>", "one", "frame /x", "two", "</0>"]);
  events.clear();
  assert.deepEqual(replayed(events), []);
});

test("a chunk is copied once, from its first text on, and any other text by itself", () => {
  const events = new PageEvents(ROOM);
  const page = Buffer.from("0123456789");
  const other = Buffer.from("other");
  events.chunk(page);
  for (const from of [4, 6, 8]) events.text(page, from, from + 1);
  assert.equal(events.texts.length, 6);
  events.text(other, 1, 3);
  other.fill("x");
  events.text(other, 1, 3);
  assert.deepEqual(replayed(events), ["4", "6", "8", "th", "xx"]);
  assert.equal(events.texts.length, 10);
});

test("texts of a chunk need not come in the order of their bytes", () => {
  const events = new PageEvents(ROOM);
  const page = Buffer.from("0123456789");
  events.chunk(page);
  for (const from of [8, 3, 5]) events.text(page, from, from + 2);
  assert.deepEqual(replayed(events), ["89", "34", "56"]);
});

test("the same array is another chunk when it is announced again", () => {
  const events = new PageEvents(ROOM);
  const page = Buffer.from("first");
  events.chunk(page);
  events.text(page, 0, 5);
  page.write("later");
  events.chunk(page);
  events.text(page, 0, 5);
  assert.deepEqual(replayed(events), ["first", "later"]);
});

test("what there is no room for is not taken", () => {
  const events = new PageEvents({ ...ROOM, eventsMax: 8 });
  for (let tag = 1; tag <= 7; tag += 1) assert.ok(events.openTag(tag));
  assert.equal(events.text(Buffer.from("two words"), 0, 9), false);
  assert.ok(events.closeTag(8));
  assert.equal(events.openTag(9), false);
  assert.equal(replayed(events).length, 8);
  events.clear();
  const long = Buffer.alloc(41);
  assert.equal(events.text(long, 0, 41), false);
  assert.ok(events.text(long, 0, 40));
  assert.equal(events.text(long, 0, 1), false);
  assert.equal(replayed(events).length, 1);
});
