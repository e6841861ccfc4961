/**
 * The simplest possible sieve, to compare others with: a list of offers, decided one by one. And a
 * front that listens to a real sieve and records what it is told in the same form.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import {
  depthsOfPair,
  type FreshBatch,
  pairOfDepths,
  SINGLE_DEPTH_MAX,
  type SieveListener,
} from "../../frontier/sieve/index.ts";

export interface TestOffer extends Fingerprint {
  readonly depth: number;
  readonly text: string;
}

/** What a sieve must tell about these offers, in this order for one key: `fresh` and `improved`. */
export function toldOf(offers: readonly TestOffer[], withDepth: boolean): Told {
  const best = new Map<string, number>();
  const told: Told = { fresh: [], improved: [] };
  for (const offer of offers) {
    const key = `${offer.high} ${offer.low}`;
    const before = best.get(key);
    const better = before === undefined ? offer.depth : bestOf(before, offer.depth);
    if (before === undefined) told.fresh.push(freshLine(offer));
    else if (withDepth && better !== before) told.improved.push(`${key} ${better}`);
    else continue;
    best.set(key, better);
  }
  return told;
}

/** The smaller one; of two pairs of depths, the smaller of each. */
function bestOf(one: number, other: number): number {
  const isPair = [one, other].every((depth) => depth > SINGLE_DEPTH_MAX && depth < 0x8000);
  if (!isPair) return Math.min(one, other);
  const [left, right] = [depthsOfPair(one), depthsOfPair(other)];
  const hostDepth = Math.min(left.hostDepth, right.hostDepth);
  return pairOfDepths(Math.min(left.depth, right.depth), hostDepth);
}

export interface Told {
  readonly fresh: string[];
  readonly improved: string[];
}

function freshLine({ high, low, depth, text }: TestOffer): string {
  return `${high} ${low} ${depth} ${text}`;
}

export class SieveFront implements SieveListener {
  readonly told: Told = { fresh: [], improved: [] };
  readonly batches: number[] = [];
  readonly failures: CrawlError[] = [];
  rooms = 0;
  idles = 0;
  /** How many more batches are asked for at once; then `feed` has to be called. */
  appetite: number = Number.POSITIVE_INFINITY;
  /** Called after anything was told. */
  onChange: () => void = () => undefined;
  #more: (() => void) | null = null;

  /** A batch was given out and no more asked for. */
  get isFull(): boolean {
    return this.#more !== null;
  }

  fresh(batch: FreshBatch, more: () => void): void {
    this.batches.push(batch.count);
    for (let at = 0; at < batch.count; at++) {
      const text = Buffer.from(batch.bytes).toString("latin1", batch.starts[at], batch.ends[at]);
      const [high, low] = [batch.highs[at] ?? -1, batch.lows[at] ?? -1];
      this.told.fresh.push(freshLine({ high, low, depth: batch.depths[at] ?? -1, text }));
    }
    if (this.appetite > 0) {
      this.appetite--;
      more();
    } else this.#more = more;
    this.onChange();
  }

  improved(high: number, low: number, depth: number): void {
    this.told.improved.push(`${high} ${low} ${depth}`);
    this.onChange();
  }

  room(): void {
    this.rooms++;
    this.onChange();
  }

  idle(): void {
    this.idles++;
    this.onChange();
  }

  failed(error: CrawlError): void {
    this.failures.push(error);
    this.onChange();
  }

  /** Asks for more, this many times; the first one now, if a batch is with us. */
  feed(batches: number): void {
    this.appetite += batches;
    const more = this.#more;
    if (more === null || this.appetite <= 0) return;
    this.#more = null;
    this.appetite--;
    more();
  }
}
