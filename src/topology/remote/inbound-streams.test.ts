import assert from "node:assert/strict";
import { test } from "node:test";
import { type InboundStream, InboundStreams } from "./inbound-streams.ts";
import type { Frame, Piece } from "./remote-frame.ts";

const WHOLE = { isFirst: true, isLast: true, isClose: false };

function frame(after: number, end: number, floor = 0): Frame {
  const names = { connector: "numbers", type: "test/count", stream: "one" };
  return { ...names, floor, after, end, piece: new Uint8Array(0) };
}

function piece(text: string, flags: Partial<Piece> = WHOLE): Piece {
  const bytes = new TextEncoder().encode(text);
  return { isFirst: false, isLast: false, isClose: false, first: 0, count: 1, bytes, ...flags };
}

/** The stream after a frame has been taken. */
function taken(streams: InboundStreams, end: number, given: Piece, position = 0): InboundStream {
  const stream = streams.of(frame(0, end));
  streams.add(stream, end, given, position);
  return stream;
}

function textOf(batch: { readonly bytes: Uint8Array } | null): string | null {
  return batch === null ? null : new TextDecoder().decode(batch.bytes);
}

test("a frame is the next of its stream, known already, or comes too early", () => {
  const streams = new InboundStreams();
  const stream = taken(streams, 10, piece("a"));
  assert.equal(streams.verdict(stream, frame(10, 20)), "next");
  assert.equal(streams.verdict(stream, frame(0, 10)), "known");
  assert.equal(streams.verdict(stream, frame(5, 9)), "known");
  assert.equal(streams.verdict(stream, frame(11, 20)), "gap");
  // Of a frame that reaches beyond what is known, nothing may be taken twice.
  assert.equal(streams.verdict(stream, frame(9, 20)), "gap");
});

test("a stream is known from its first frame on, not from a look at it", () => {
  const streams = new InboundStreams();
  streams.of(frame(0, 10));
  assert.deepEqual([streams.count, streams.has("one")], [0, false]);
  taken(streams, 10, piece("a"));
  assert.deepEqual([streams.count, streams.has("one"), streams.has("two")], [1, true, false]);
  assert.deepEqual(streams.marked(), [{ name: "one", at: 10, isClosed: false }]);
});

test("what the sender has dropped is not waited for, nor the pieces before it", () => {
  const streams = new InboundStreams();
  taken(streams, 10, piece("a", { isFirst: true }));
  const stream = streams.of(frame(30, 40, 30));
  assert.deepEqual([stream.at, stream.durableAt, stream.piecesBytes], [30, 30, 0]);
  assert.equal(streams.verdict(stream, frame(30, 40, 30)), "next");
  assert.equal(streams.of(frame(30, 40, 20)).at, 30);
});

test("a batch is complete with its last piece, and lies where its first is", () => {
  const streams = new InboundStreams();
  const stream = streams.of(frame(0, 1));
  assert.equal(streams.add(stream, 1, piece("ab", { isFirst: true }), 100), null);
  assert.equal(streams.add(stream, 2, piece("cd", {}), 200), null);
  assert.deepEqual([stream.piecesBytes, stream.position], [4, 100]);
  const batch = streams.add(stream, 3, piece("e", { isLast: true }), 300);
  assert.deepEqual([textOf(batch), batch?.position], ["abcde", 100]);
  assert.deepEqual([stream.piecesBytes, stream.pieces.length, stream.position], [0, 0, null]);
  assert.equal(streams.add(stream, 4, piece("f"), 400)?.position, 400);
});

test("a batch that was begun and never ended is forgotten when the next begins", () => {
  const streams = new InboundStreams();
  const stream = streams.of(frame(0, 1));
  streams.add(stream, 1, piece("lost", { isFirst: true }), 100);
  const whole = streams.add(stream, 2, piece("whole"), 200);
  assert.deepEqual([textOf(whole), whole?.position], ["whole", 200]);
  streams.add(stream, 3, piece("lost", { isFirst: true }), 300);
  streams.add(stream, 4, piece("a", { isFirst: true }), 400);
  const later = streams.add(stream, 5, piece("b", { isLast: true }), 500);
  assert.deepEqual([textOf(later), later?.position], ["ab", 400]);
});

test("pieces of several streams do not mix, and closed ones are counted", () => {
  const streams = new InboundStreams();
  const one = streams.of(frame(0, 1));
  const two = streams.of({ ...frame(0, 1), stream: "two" });
  streams.add(one, 1, piece("1", { isFirst: true }), 0);
  streams.add(two, 1, piece("2", { isFirst: true }), 1);
  assert.equal(textOf(streams.add(one, 2, piece("1", { isLast: true }), 2)), "11");
  assert.equal(textOf(streams.add(two, 2, piece("2", { isLast: true }), 3)), "22");
  assert.equal(streams.closed, 0);
  streams.add(one, 3, piece("", { ...WHOLE, isClose: true }), 4);
  assert.deepEqual([streams.closed, Array.from(streams.all()).length], [1, 2]);
  // Its sender has been started again.
  streams.add(one, 4, piece("1"), 5);
  assert.equal(streams.closed, 0);
});

test("what is replayed from the log is durable", () => {
  const streams = new InboundStreams();
  const arrival = { stream: "one", number: 0, piece: new Uint8Array(0) };
  assert.equal(streams.replay({ ...arrival, end: 7 }, piece("a", { isFirst: true }), 50), null);
  const batch = streams.replay({ ...arrival, end: 9 }, piece("b", { isLast: true }), 60);
  assert.deepEqual([textOf(batch), batch?.position], ["ab", 50]);
  const stream = streams.of(frame(9, 10));
  assert.deepEqual([stream.at, stream.durableAt], [9, 9]);
});

test("a mark tells of streams whose frames are gone from the log; the end of all opens them again", () => {
  const streams = new InboundStreams();
  const marked = [
    { name: "one", at: 40, isClosed: true },
    { name: "two", at: 5, isClosed: false },
  ];
  streams.replayMark({ taken: 3, isOver: false, streams: marked });
  assert.deepEqual(streams.marked(), marked);
  assert.equal(streams.of(frame(40, 41)).durableAt, 40);
  assert.equal(streams.closed, 1);
  streams.replayMark({ taken: 3, isOver: true, streams: marked });
  assert.equal(streams.closed, 0);
});
