/**
 * What is to be done to a batch of links before it is written, in the background: its blocks are
 * compressed, and of several equal arcs one is left.
 */
import { constants, zstdCompressSync } from "node:zlib";
import { sortKeys } from "../../base/runs/index.ts";
import type { Task } from "../../base/seams/index.ts";

export interface LinksToPack {
  /** Blocks, one after the other, and where each ends. */
  readonly text: Uint8Array<ArrayBuffer>;
  readonly ends: readonly number[];
  /** Of each arc the high half of its target, and the block that has it. */
  readonly arcHighs: Uint32Array<ArrayBuffer>;
  readonly arcBlocks: Uint32Array<ArrayBuffer>;
}

export interface PackedLinks {
  readonly blocks: readonly Uint8Array<ArrayBuffer>[];
  /** In order, all different. */
  readonly arcHighs: Uint32Array<ArrayBuffer>;
  readonly arcBlocks: Uint32Array<ArrayBuffer>;
}

/** Links compress four to one at any level; the lowest takes least time. */
const LEVEL = 1;

export const packLinks: Task<LinksToPack, PackedLinks> = {
  module: import.meta.url,
  name: "packLinks",
  run({ text, ends, arcHighs, arcBlocks }, _world, done) {
    const count = sortArcs(arcHighs, arcBlocks);
    done(null, {
      blocks: ends.map((end, at) => packed(text.subarray(ends[at - 1] ?? 0, end))),
      arcHighs: arcHighs.slice(0, count),
      arcBlocks: arcBlocks.slice(0, count),
    });
  },
  moves: {
    input: ({ text, arcHighs, arcBlocks }) => [text.buffer, arcHighs.buffer, arcBlocks.buffer],
    output: ({ arcHighs, arcBlocks }) => [arcHighs.buffer, arcBlocks.buffer],
  },
};

function packed(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL };
  return new Uint8Array(zstdCompressSync(text, { params }));
}

/** Sorts in place; how many different ones are in front afterwards. */
function sortArcs(highs: Uint32Array, blocks: Uint32Array): number {
  const { length } = highs;
  const column = (): Uint32Array => new Uint32Array(length);
  sortKeys(
    { highs, lows: blocks, indexes: column() },
    { highs: column(), lows: column(), indexes: column() },
    length,
  );
  let count = 0;
  for (let at = 0; at < length; at++) {
    if (at > 0 && highs[at] === highs[at - 1] && blocks[at] === blocks[at - 1]) continue;
    highs[count] = highs[at] as number;
    blocks[count] = blocks[at] as number;
    count += 1;
  }
  return count;
}
