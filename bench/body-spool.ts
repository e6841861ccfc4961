/**
 * Claim: receiving a page through the spool costs one copy: less than collecting its pieces and
 * joining them, which copies twice and allocates. Pages of 25 kB come from one reading buffer that
 * is used again, in pieces as sockets give them, with and without an announced length.
 */

import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { PooledSpool } from "../src/fetch/body/index.ts";
import { compare } from "./support/rounds.ts";

const PAGES = 5000;
const clock = new SystemClock();
const storage = new DiskStorage("/nonexistent");
const spool = new PooledSpool({ memoryBytes: 128 * 2 ** 20, storage, clock });
const buffer = Buffer.alloc(64 * 1024, "a page of the web ");

/** As many bodies as a lane has in hand at a time. */
const HELD = 64;

function spooled(pieces: readonly number[], announced: boolean): number {
  const length = pieces.reduce((sum, piece) => sum + piece, 0);
  const held: { release(): void }[] = [];
  let total = 0;
  for (let page = 0; page < PAGES; page += 1) {
    const sink = spool.open(announced ? length : null, () => undefined);
    for (const piece of pieces) sink.write(buffer, 0, piece);
    sink.end((_error, body) => {
      if (body === undefined) return;
      total += (body.bytes?.[100] ?? 0) + body.lengthBytes;
      held.push(body);
    });
    if (held.length === HELD) for (const body of held.splice(0)) body.release();
  }
  for (const body of held) body.release();
  return total;
}

function joined(pieces: readonly number[]): number {
  const held: Buffer[] = [];
  let total = 0;
  for (let page = 0; page < PAGES; page += 1) {
    const chunks: Buffer[] = [];
    for (const piece of pieces) chunks.push(Buffer.from(buffer.subarray(0, piece)));
    const body = Buffer.concat(chunks);
    total += (body[100] ?? 0) + body.length;
    held.push(body);
    if (held.length === HELD) held.length = 0;
  }
  return total;
}

for (const [name, pieces] of [
  ["one piece of 25 kB", [25_000]],
  ["pieces as of a network", [1400, 8000, 8000, 7600]],
  ["many small pieces", Array.from({ length: 18 }, () => 1400)],
] as const) {
  const reference = (): number => joined(pieces);
  compare({
    name: `${name}, length announced`,
    rounds: 21,
    ours: () => spooled(pieces, true),
    reference,
    promised: 1,
  });
  compare({
    name: `${name}, length unknown`,
    rounds: 21,
    ours: () => spooled(pieces, false),
    reference,
    promised: 1,
  });
}
