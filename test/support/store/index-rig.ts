/** A page index on a simulated disk, to which pages are added by host and path. */
import { CrawlError } from "../../../src/base/errors/index.ts";
import type { Acknowledge } from "../../../src/base/seams/index.ts";
import { SimBackground, SimDatabases } from "../../../src/lab/simulator/index.ts";
import { type OpenedIndex, openPageIndexWriter } from "../../../src/store/index/index.ts";
import { SimulatedMachine } from "../lab/simulated-machine.ts";
import { fingerprintOf, pageAt } from "./indexed-pages.ts";

export class IndexRig {
  readonly machine: SimulatedMachine;
  readonly background: SimBackground;
  readonly writer: OpenedIndex["writer"];
  /** How often what was added was written. */
  flushes = 0;
  /** Why it cannot be. */
  broken: CrawlError | null = null;

  constructor(seed: string) {
    this.machine = new SimulatedMachine(seed);
    const { time: clock, random, disk, storage } = this.machine;
    const databases = new SimDatabases({ clock, random, disk });
    const background = new SimBackground({ clock, random, disk });
    this.background = background;
    const ignore = (): void => undefined;
    this.writer = this.machine.result<OpenedIndex>((done) =>
      openPageIndexWriter(
        {
          ...{ clock, storage, background, databases, fingerprintOf, memoryBytes: 4096 },
          ...{ revisits: false, due: ignore, failed: ignore, report: ignore },
        },
        done,
      ),
    ).writer;
  }

  add(host: string, path: string, facts: Parameters<typeof pageAt>[1] = {}): void {
    const url = `https://${host}/${path}`;
    const batch = this.writer.expect();
    this.writer.reserve(fingerprintOf(url), url, (_error, number = 0) => {
      this.writer.add(batch, number, pageAt(path, { url, key: url, host, ...facts }));
      this.writer.settle(batch);
    });
    this.machine.time.settle();
  }

  readonly flush = (done: Acknowledge): void => {
    this.flushes += 1;
    this.writer.commit(this.writer.seal(), { "crawl-log": this.flushes });
    this.writer.flush((error) => done(this.broken ?? error));
  };

  breakDisk(): void {
    this.broken = new CrawlError("DATABASE_FAILED", "a disk broke");
  }
}
