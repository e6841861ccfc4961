/**
 * A disk that knows just what the toy counter needs of a storage. A replacement that has not been
 * answered when the life ends has happened or has not, as the seed decides; an answered one always
 * has.
 */
import { CrawlError } from "../../src/errors/index.ts";
import type { Random } from "../../src/seams/index.ts";
import type { Life } from "../../src/simulator/index.ts";
import type { CounterStorage } from "./counter.ts";

const WRITE_MS = 2;
const READ_MS = 0.5;

export class ToyDisk {
  readonly #files = new Map<string, Uint8Array>();
  readonly #random: Random;
  /** Replacements under way in the present life. */
  #underWay: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  /** How many faults make the disk full, and by how much each of others slows it down. */
  fullBy = 0;
  readonly slowFactors: Set<{ readonly factor: number }> = new Set();
  /** Grows whenever the content changes. */
  version = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** What would be found after a crash now. */
  content(name: string): Uint8Array | undefined {
    return this.#files.get(name);
  }

  /** The disk as this life of its node sees it. */
  mount(life: Life): CounterStorage {
    life.onEnd(() => this.#crash());
    return {
      readWhole: (name, done) => {
        life.clock.after(READ_MS * this.#slowFactor, () => {
          const bytes = this.#files.get(name);
          if (bytes !== undefined) done(null, bytes.slice());
          else done(new CrawlError("STORAGE_MISSING", `There is no ${name}.`), undefined);
        });
      },
      replace: (name, bytes, done) => this.#replace(life, { name, bytes: bytes.slice() }, done),
    };
  }

  get #slowFactor(): number {
    return Math.max(1, ...[...this.slowFactors].map(({ factor }) => factor));
  }

  #replace(
    life: Life,
    write: { readonly name: string; readonly bytes: Uint8Array },
    done: (error: CrawlError | null) => void,
  ): void {
    this.#underWay.push(write);
    const latencyMs = WRITE_MS * this.#slowFactor * (0.5 + this.#random.unit());
    life.clock.after(latencyMs, () => {
      this.#underWay = this.#underWay.filter((other) => other !== write);
      if (this.fullBy > 0) done(new CrawlError("STORAGE_FULL", "The toy disk is full."));
      else {
        this.#put(write.name, write.bytes);
        done(null);
      }
    });
  }

  #crash(): void {
    for (const { name, bytes } of this.#underWay) {
      if (this.fullBy === 0 && this.#random.below(2) === 0) this.#put(name, bytes);
    }
    this.#underWay = [];
  }

  #put(name: string, bytes: Uint8Array): void {
    this.#files.set(name, bytes);
    this.version += 1;
  }
}
