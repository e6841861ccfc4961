/**
 * What one lane sends to another, as bytes: tickets for hosts of the other, and news of where seeds
 * lead. A batch is a sequence of entries, each a tag (1 byte), a length (4) and a payload:
 *
 *     tag below 8: a ticket, as a sieve record; bits 0 and 1 say how a sitemap was named (0: it is
 *                  none), bit 2 that a seed leads here
 *     tag 16:      a seed redirects to this URL (UTF-8)
 *     tag 17:      such a page has ended: high and low half of its fingerprint
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import {
  hostInRecord,
  queueRecordFrom,
  readTicket,
  type Ticket,
  TicketWriter,
} from "../../../frontier/ticket/index.ts";
import type { SitemapLevel } from "../../links/named-sitemaps.ts";

/** A ticket with what the other lane must know of it. */
export interface RoutedTicket {
  readonly ticket: Ticket;
  readonly level: SitemapLevel | null;
  readonly isWatched: boolean;
}

/** Takes the entries of a batch, in their order. */
export interface BatchTaker {
  ticket(routed: RoutedTicket): void;
  trailBegun(url: FetchableUrl): void;
  trailEnded(page: Fingerprint): void;
}

const LEVEL_BITS = 3;
const WATCHED = 4;
const TRAIL_BEGUN = 16;
const TRAIL_ENDED = 17;
const HEAD_BYTES = 5;
const FIRST_BYTES = 8 * 1024;

const writer = new TicketWriter();

export class LinkBatchWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  get lengthBytes(): number {
    return this.#length;
  }

  /** False for a ticket that fits into no record. */
  tryTicket({ ticket, level, isWatched }: RoutedTicket): boolean {
    if (!writer.tryWrite(ticket, 0)) return false;
    this.#add((level ?? 0) | (isWatched ? WATCHED : 0), writer.bytes.subarray(0, writer.to));
    return true;
  }

  trailBegun(url: string): void {
    this.#add(TRAIL_BEGUN, Buffer.from(url));
  }

  trailEnded({ high, low }: Fingerprint): void {
    const payload = Buffer.alloc(8);
    payload.writeUInt32LE(high, 0);
    payload.writeUInt32LE(low, 4);
    this.#add(TRAIL_ENDED, payload);
  }

  /** What was written; the writer begins anew. */
  take(): ArrayBuffer {
    const batch = new Uint8Array(this.#bytes.subarray(0, this.#length)).buffer;
    this.#length = 0;
    return batch;
  }

  #add(tag: number, payload: Uint8Array): void {
    const end = this.#length + HEAD_BYTES + payload.length;
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(end, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    this.#bytes[this.#length] = tag;
    this.#bytes.writeUInt32LE(payload.length, this.#length + 1);
    this.#bytes.set(payload, this.#length + HEAD_BYTES);
    this.#length = end;
  }
}

export function readLinkBatch(batch: ArrayBuffer, taker: BatchTaker): void {
  const bytes = Buffer.from(batch);
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] as number;
    const from = at + HEAD_BYTES;
    at = from + bytes.readUInt32LE(at + 1);
    if (tag === TRAIL_BEGUN) taker.trailBegun(bytes.toString("utf8", from, at) as FetchableUrl);
    else if (tag === TRAIL_ENDED) {
      taker.trailEnded({ high: bytes.readUInt32LE(from), low: bytes.readUInt32LE(from + 4) });
    } else taker.ticket(routedTicket(tag, bytes, from, at));
  }
}

function routedTicket(tag: number, bytes: Buffer, from: number, to: number): RoutedTicket {
  const host = hostInRecord(bytes, from);
  const { attempt: _none, ...ticket } = readTicket(host, bytes, queueRecordFrom(bytes, from), to);
  const level = tag & LEVEL_BITS;
  return {
    ticket,
    level: level === 0 ? null : (level as SitemapLevel),
    isWatched: (tag & WATCHED) !== 0,
  };
}
