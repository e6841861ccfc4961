/**
 * The sieve for links to hosts of other agents: each is told to the owner of its host once (U1); with a
 * depth limit once at each depth, since the owner must learn of a shorter way (U6). What waits for room in
 * the sieve is kept here.
 */
import type { CrawlError } from "../base/errors/index.ts";
import type { Background, Clock, Random, Storage } from "../base/seams/index.ts";
import { type Done, withValue } from "../base/seams/index.ts";
import type { UrlEntry } from "../cluster/delivery/index.ts";
import { openDiskSieve, type Sieve } from "../frontier/sieve/index.ts";
import { type Ticket, TicketWriter } from "../frontier/ticket/index.ts";
import { entryOf, ticketIn } from "./ticket-entries.ts";

export interface ForeignLinksParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
  readonly background: Background;
  readonly folder: string;
  /** Of the last checkpoint. */
  readonly marks: string | null;
  readonly keepsDepths: boolean;
  /** Memory for links that are not yet compared with what is on disk. */
  readonly memoryBytes: number;
  /** Up to this many links everything stays in memory. */
  readonly smallKeysMax: number;
  /** A link that was not found here before. */
  readonly found: (entry: UrlEntry) => void;
  /** Nothing waits any more. */
  readonly idle: () => void;
  readonly failed: (error: CrawlError) => void;
}

const NAMELESS = { kind: "url", host: "", holders: [], high: 0, low: 0 } as const;
/** Makes another key of the same URL for each depth. */
const DEPTH_FACTOR = 0x9e3779b1;

export function openForeignLinks(parts: ForeignLinksParts, done: Done<ForeignLinks>): void {
  const { clock, random, storage, background, folder, marks, found, idle, failed } = parts;
  const { memoryBytes, smallKeysMax } = parts;
  let links: ForeignLinks | null = null;
  openDiskSieve(
    {
      ...{ clock, random, storage, folder, background, marks },
      ...{ withDepth: false, memoryBytes, smallKeysMax },
      listener: {
        fresh: ({ count, bytes, starts, ends, depths }, more) => {
          for (let at = 0; at < count; at += 1) {
            const record = bytes.slice(starts[at], ends[at]);
            // Its fingerprint is in the record too.
            found(entryOf(ticketIn({ ...NAMELESS, record, depth: depths[at] ?? 0 })));
          }
          more();
        },
        ...{ improved: () => undefined, room: () => links?.offerMore(), idle, failed },
      },
    },
    withValue(done, (sieve) => {
      links = new ForeignLinks(sieve, parts.keepsDepths);
      done(null, links);
    }),
  );
}

/** Made by `openForeignLinks`. */
export class ForeignLinks {
  readonly #sieve: Sieve;
  readonly #keepsDepths: boolean;
  readonly #writer = new TicketWriter();
  readonly #waiting: Ticket[] = [];

  constructor(sieve: Sieve, keepsDepths: boolean) {
    this.#sieve = sieve;
    this.#keepsDepths = keepsDepths;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#sieve.pending === 0;
  }

  /** Whether something is not in the sieve yet. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get sieve(): Pick<Sieve, "checkpoint" | "committed"> {
    return this.#sieve;
  }

  offer(ticket: Ticket): void {
    this.#waiting.push(ticket);
    this.offerMore();
  }

  /** There is room in the sieve. */
  offerMore(): void {
    const sieve = this.#sieve;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const { high, low, depth } = next;
      const key = this.#keepsDepths ? (low ^ Math.imul(depth + 1, DEPTH_FACTOR)) >>> 0 : low;
      this.#writer.tryWrite(next, 0);
      if (!sieve.tryOffer(high, key, depth, this.#writer.bytes, 0, this.#writer.to)) return;
      this.#waiting.shift();
    }
    sieve.flush();
  }
}
