/** A stream of bytes as it is, or unpacked where it begins as gzip does. */
import { createGunzip } from "node:zlib";

const MAGIC = [0x1f, 0x8b] as const;

/** Rejects where the packed bytes are damaged or end too early. */
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
  else yield* unpacked(rest);
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

async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // Its errors reach whoever reads it.
  gunzip.on("error", () => undefined);
  void feed(chunks, gunzip);
  yield* gunzip;
}

async function feed(
  chunks: AsyncIterable<Uint8Array>,
  gunzip: ReturnType<typeof createGunzip>,
): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (gunzip.destroyed) return;
      if (!gunzip.write(chunk)) {
        await new Promise<void>((resolve) => {
          gunzip.once("drain", resolve).once("close", resolve);
        });
      }
    }
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
