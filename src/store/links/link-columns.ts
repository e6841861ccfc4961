/** The records of the three runs that are made of a batch of links. */
import type { Position } from "../../base/log/index.ts";
import type { BatchToWrite } from "../../base/runs/index.ts";
import type { LinkBatch } from "./link-batch.ts";
import { LINK_FORMATS, type LinkRuns } from "./link-marks.ts";
import type { PackedLinks } from "./pack-links.ts";

export type RunColumns = Pick<BatchToWrite, "highs" | "lows" | "payloads">;

interface WrittenBatch {
  readonly batch: LinkBatch;
  readonly packed: PackedLinks;
  /** Where each block is in the log. */
  readonly places: readonly Position[];
}

export function columnsOf(name: LinkRuns, { batch, packed, places }: WrittenBatch): RunColumns {
  const { arcHighs, arcBlocks } = packed;
  switch (name) {
    case "arcs":
      // Copies, since what is given to the background is gone, and may be needed again.
      return { highs: arcHighs.slice(), lows: arcBlocks.slice(), payloads: new Uint8Array(0) };
    case "pages": {
      const pages = emptyColumns(name, batch.pages.count);
      batch.pages.each(pages.add);
      return pages.columns;
    }
    case "places": {
      const { columns, add } = emptyColumns(name, places.length);
      for (const [at, place] of places.entries()) add(0, batch.firstBlock + at, place);
      return columns;
    }
  }
}

function emptyColumns(
  name: LinkRuns,
  count: number,
): { columns: RunColumns; add: (high: number, low: number, value: number) => void } {
  const { payloadBytes } = LINK_FORMATS[name];
  const highs = new Uint32Array(count);
  const lows = new Uint32Array(count);
  const payloads = new Uint8Array(count * payloadBytes);
  const view = Buffer.from(payloads.buffer);
  let at = 0;
  const add = (high: number, low: number, value: number): void => {
    highs[at] = high;
    lows[at] = low;
    view.writeUIntLE(value, at * payloadBytes, payloadBytes);
    at += 1;
  };
  return { columns: { highs, lows, payloads }, add };
}
