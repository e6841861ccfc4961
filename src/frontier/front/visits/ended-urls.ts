/**
 * URLs that have ended though the frontier does not know it: their pages were fetched by a process that
 * was killed, after its last checkpoint, and have been taken from the archive since. Their tickets are
 * still in sieve or queues, or will be offered again; when they come out, they are dropped. Until then
 * they are part of checkpoints, those of a host together.
 *
 * All of this is in memory, so it is for what ended after a checkpoint, in seconds. A rebuild, which has
 * all pages of a crawl, tells the frontier of them before anything else is offered: then the sieve knows
 * them, no ticket of theirs is ever queued, and nothing is marked (`dropTold`).
 */
import { type Fingerprint, FingerprintTable, NO_VALUE } from "../../../base/fingerprints/index.ts";
import { ChangedPieces } from "../../queues/index.ts";
import type { Ticket } from "../../ticket/index.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";
import type { Tally } from "../hosts/tally.ts";
import type { DepthBook } from "./depth-book.ts";

/**
 * `times`: how many tickets are to be dropped; more than one where URLs are visited again and again.
 * `isPage`: whether the page then counts as one of its host; else there is none, or it is elsewhere.
 * `depth`: what the page counted from when it was fetched, as depths are compared; 0, which nothing improves,
 * where these are not kept. Left out by earlier versions.
 * `isElsewhere`: whether another agent has the page, and counts the URL; left out if not.
 */
export type SavedEnded = readonly [
  high: number,
  low: number,
  host: number,
  isPage: boolean,
  times: number,
  depth?: number,
  isElsewhere?: boolean,
];

const NO_PAGE = -1;
const ELSEWHERE = -2;

export interface EndedUrlsParts {
  /** Whether a URL may have several tickets. */
  readonly repeats: boolean;
  readonly tally: Pick<Tally, "ended" | "leave">;
  readonly ledger: Pick<HostLedger, "countPage">;
  /** Null without a depth limit. */
  readonly depths: Pick<DepthBook, "ended" | "endedBefore" | "endedElsewhere"> | null;
}

export class EndedUrls {
  readonly #times = new FingerprintTable(Uint16Array);
  /** By host: fingerprints, and of each page its depth, of all others `NO_PAGE` or `ELSEWHERE`. */
  readonly #hosts = new Map<number, Map<string, number>>();
  /** Those of each host, for checkpoints. */
  readonly pieces: ChangedPieces = new ChangedPieces((host) => this.#saveHost(host));
  readonly #parts: EndedUrlsParts;

  constructor(parts: EndedUrlsParts) {
    this.#parts = parts;
  }

  /** Asked for every ticket. */
  get isEmpty(): boolean {
    return this.#hosts.size === 0;
  }

  /** Whether the ticket of this URL will be dropped. */
  has({ high, low }: Fingerprint): boolean {
    return !this.isEmpty && this.#times.get(high, low) !== NO_VALUE;
  }

  /** Whether some of them are of this host. */
  hasHost(host: number): boolean {
    return this.#hosts.has(host);
  }

  mark(...[high, low, host, isPage, times, depth = 0, isElsewhere = false]: SavedEnded): void {
    this.pieces.changing(host);
    const before = Math.max(0, this.#times.get(high, low));
    this.#times.set(high, low, this.#parts.repeats ? before + times : 1);
    const urls = this.#hosts.get(host) ?? new Map<string, number>();
    this.#hosts.set(
      host,
      urls.set(`${high} ${low}`, isPage ? depth : isElsewhere ? ELSEWHERE : NO_PAGE),
    );
  }

  /** A ticket of this host has come out: whether it is dropped, and so has ended. */
  drops(ticket: Ticket, host: number): boolean {
    if (this.isEmpty) return false;
    const { high, low } = ticket;
    const times = this.#times.get(high, low);
    if (times === NO_VALUE) return false;
    // A page without a ticket had been counted before the checkpoint, or it would have one.
    const depth = this.#hosts.get(host)?.get(`${high} ${low}`) ?? NO_PAGE;
    const isPage = depth >= 0;
    if (isPage) this.#parts.ledger.countPage(host);
    this.pieces.changing(host);
    if (times > 1) this.#times.set(high, low, times - 1);
    else this.forget(high, low, host);
    if (depth === ELSEWHERE) this.#parts.tally.leave();
    else this.#parts.tally.ended(1);
    if (isPage) this.#parts.depths?.endedBefore(ticket, depth);
    else this.#parts.depths?.endedElsewhere(ticket);
    return true;
  }

  /** A page that had ended when it was offered has come out of the sieve, which knows it from now on. */
  dropTold(ticket: Ticket): void {
    this.#parts.tally.ended(1);
    this.#parts.depths?.ended(ticket);
  }

  /** The URL is to be visited again, whatever was before. */
  forget(high: number, low: number, host: number): void {
    const urls = this.#hosts.get(host);
    if (urls === undefined) return;
    this.pieces.changing(host);
    this.#times.delete(high, low);
    urls.delete(`${high} ${low}`);
    if (urls.size === 0) this.#hosts.delete(host);
  }

  /** None of its URLs is known here any more. */
  forgetHost(host: number): void {
    for (const url of [...(this.#hosts.get(host)?.keys() ?? [])]) {
      const [high = 0, low = 0] = url.split(" ").map(Number);
      this.forget(high, low, host);
    }
  }

  #saveHost(host: number): Uint8Array | null {
    const urls = this.#hosts.get(host);
    if (urls === undefined) return null;
    const saved = Array.from(urls, ([url, depth]): SavedEnded => {
      const [high = 0, low = 0] = url.split(" ").map(Number);
      const ended = [high, low, host, depth >= 0, this.#times.get(high, low)] as const;
      const from = Math.max(0, depth);
      return depth === ELSEWHERE ? [...ended, from, true] : [...ended, from];
    });
    return Buffer.from(JSON.stringify(saved));
  }
}

/** What a piece has. */
export function endedOf(piece: Uint8Array): readonly SavedEnded[] {
  return JSON.parse(Buffer.from(piece).toString()) as readonly SavedEnded[];
}
