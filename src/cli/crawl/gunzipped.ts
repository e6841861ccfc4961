/** A stream of bytes as it is, or unpacked if it begins like gzip. */
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

const MAGIC = [0x1f, 0x8b] as const;

/** Rejects if the packed bytes are damaged or end too early. */
export async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array(0);
  let isOver = false;
  while (first.length < MAGIC.length && !isOver) {
    const step = await source.next();
    isOver = step.done === true;
    if (step.done !== true) first = Buffer.concat([first, step.value]);
  }
  const rest = followedBy(first, source);
  if (MAGIC.some((byte, index) => first[index] !== byte)) yield* rest;
  // Errors of either reach the reader of the last stream.
  else yield* pipeline(rest, createGunzip(), () => undefined);
}

async function* followedBy(
  first: Uint8Array,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let step = await source.next(); step.done !== true; step = await source.next()) {
    yield step.value;
  }
}
