/**
 * What a power failure may cost. Lines that were in the crawl log when somebody asked for a checkpoint, and
 * was told that there is one, stay, with their records; and there are commits at least every
 * `store.checkpoint`, so that what was answered longer ago than that has its line. Whatever keeps its line is
 * never asked for again, which `AgentRequests` checks; so no more is than was answered since the last
 * checkpoint that was told of.
 */
import assert from "node:assert/strict";
import type { RunningCrawl } from "../../src/agent/crawl/running-crawl.ts";
import type { SimDisk } from "../../src/lab/simulator/index.ts";
import { linesOn, wholeLinesOn } from "./agent-archive.ts";

export class DurableLines {
  readonly #disk: SimDisk;
  /** The crawl log as far as it was told to be durable. */
  #told: Buffer = Buffer.alloc(0);
  /** URLs that were answered so long ago that they must have lines. */
  readonly #due = new Set<string>();

  constructor(disk: SimDisk) {
    this.#disk = disk;
  }

  /** Asks a crawl for one checkpoint after the other, until it ends or is dead. */
  async watch({ life }: RunningCrawl, isDead: () => boolean): Promise<void> {
    for (;;) {
      const lines = wholeLinesOn(this.#disk);
      const isRecorded = await life.nextRecorded();
      if (!isRecorded || isDead()) return;
      this.#told = lines;
    }
  }

  /** Power has failed, when these had been answered for longer than there is between two commits. */
  addDue(urls: Iterable<string>): void {
    for (const url of urls) this.#due.add(url);
  }

  /** A process has opened what there is, and cut off what is not whole. */
  check(): void {
    const found = wholeLinesOn(this.#disk).subarray(0, this.#told.length);
    assert.ok(found.equals(this.#told), "lines are lost that a checkpoint was told to know");
    const urls = new Set(linesOn(this.#disk).map(({ url }) => url));
    const lost = [...this.#due].filter((url) => !urls.has(url));
    assert.deepEqual(lost, [], "answers are lost that are older than a checkpoint");
  }
}
