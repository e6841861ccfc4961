/**
 * Depths that improved after a URL was given out by the sieve. Needed with a depth limit: a page that
 * turns out to be nearer to a seed leads further, so its links are followed again. And with
 * requisites: one that turns out to be a page has links that were not followed.
 *
 * A URL that is still waiting takes the better depth when its turn comes, if memory knows it; one
 * whose fetch has ended is *expanded*, without a fetch; one in flight, or whose better depth only
 * the disk knew, is expanded after its end. Hence the book knows, in a table that grows on disk,
 * what has ended and which better depths wait. A URL has one entry: its better depth, or that it
 * has ended.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import { type Fingerprint, FingerprintTable, NO_VALUE } from "../../../base/fingerprints/index.ts";
import type { KeyTable, TableMarks } from "../../../base/runs/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import { Fifo } from "../../queues/index.ts";
import { bestDepth } from "../../sieve/index.ts";
import type { Ticket } from "../../ticket/index.ts";
import {
  type ComparedDepths,
  readDepths,
  requisiteOfDepth,
  roleDepth,
} from "../../ticket/index.ts";
import type { ExpandErrand } from "../frontier.ts";

export interface DepthBookParts {
  readonly table: KeyTable;
  /** By what pages are compared; if by nothing, only roles are (`role-depth.ts`). */
  readonly compared: ComparedDepths;
  /** The disk has answered: something may be due, or nothing is left. */
  readonly woken: () => void;
  /** Gets URLs whose pages are elsewhere, at the smallest depths that are known of them; left out if there is no elsewhere. */
  readonly elsewhere?: (ticket: Ticket) => void;
  readonly failed: (error: CrawlError) => void;
}

export type SavedExpansion = readonly [
  high: number,
  low: number,
  depth: number | null,
  requisite: number,
  hostDepth: number | null,
];

/** A URL and its depth, as the sieve compares it. */
export type SavedDepth = readonly [high: number, low: number, depth: number];

export interface SavedDepths {
  readonly expansions: readonly SavedExpansion[];
  /** Better depths of URLs of which it was not known whether they have ended. */
  readonly asked: readonly SavedDepth[];
  /** URLs that have ended, of which it was not known whether a better depth had been found. */
  readonly ending: readonly SavedDepth[];
}

/** How many bytes an entry of the table takes. */
export const DEPTH_ENTRY_BYTES = 2;
/** The entry of a URL that has ended; greater than any depth and role. */
const ENDED = 0xffff;

export class DepthBook {
  readonly #parts: DepthBookParts;
  readonly #due = new Fifo<ExpandErrand>();
  /** Better depths of URLs about which the disk is being asked whether they have ended. */
  readonly #asked = new FingerprintTable(Uint16Array);
  /** URLs that have ended, with the depths they went out with, until the disk says what it knew of them. */
  readonly #ending = new FingerprintTable(Uint16Array);
  #asking = 0;
  #telling = 0;
  #isClosed = false;

  constructor(parts: DepthBookParts) {
    this.#parts = parts;
  }

  /** Whether pages are to be expanded, or the disk is asked whether they are. */
  get isOpen(): boolean {
    return this.#due.size > 0 || this.#asking > 0;
  }

  /** Whether the disk is asked for depths that `elsewhere` is to get, which no checkpoint has. */
  get isTelling(): boolean {
    return this.#telling > 0;
  }

  get memoryBytes(): number {
    return this.#parts.table.memoryBytes;
  }

  /** Whether the URL of this ticket is compared by its depth, and has ended, as far as memory knows. */
  mayHaveEnded(ticket: Ticket): boolean {
    const { table } = this.#parts;
    const { high, low } = ticket;
    if (!this.#isByDepth(ticket)) return false;
    if (this.#asked.has(high, low) || this.#ending.has(high, low)) return true;
    const known = table.recall(high, low);
    return known < 0 ? table.mayFind(high, low) : known === ENDED;
  }

  /** Each improvement of a URL is smaller than the one before. */
  improved(high: number, low: number, depth: number): void {
    const { table } = this.#parts;
    const known = table.recall(high, low);
    if (known === ENDED || this.#ending.has(high, low)) this.#expand(high, low, depth);
    else if (known >= 0 || !table.mayFind(high, low)) table.set(high, low, depth);
    else this.#askWhetherEnded(high, low, depth);
  }

  /**
   * The ticket of a URL whose turn has come, with the best that memory knows of it. While no pages
   * are wanted, a requisite stays one: it becomes a page when it has ended.
   */
  bestOf(ticket: Ticket, mayBecomePage: boolean): Ticket {
    const { table } = this.#parts;
    const { high, low } = ticket;
    const asked = this.#asked.get(high, low);
    const better = asked === NO_VALUE ? table.recall(high, low) : asked;
    if (better < 0) return ticket;
    const requisite = requisiteOfDepth(better);
    if (requisite === 0 && !mayBecomePage && (ticket.requisite ?? 0) > 0) return ticket;
    this.#asked.delete(high, low);
    return this.at(ticket, better);
  }

  /** The ticket with a better depth, if memory or disk know one, as `bestOf` has it of memory alone; else null. */
  findBetter(ticket: Ticket, done: (better: Ticket | null) => void): void {
    const { table } = this.#parts;
    const { high, low } = ticket;
    const answer = (found: number): void => {
      const best = found < 0 ? ticket : this.at(ticket, found);
      done(best === ticket ? null : best);
    };
    const asked = this.#asked.get(high, low);
    const known = asked === NO_VALUE ? table.recall(high, low) : asked;
    if (known >= 0 || !table.mayFind(high, low)) answer(known);
    else this.#ask(high, low, answer);
  }

  /** The ticket at this depth, if that is better than its own. */
  at(ticket: Ticket, better: number): Ticket {
    const { compared } = this.#parts;
    const requisite = requisiteOfDepth(better);
    if (better >= roleDepth(ticket, compared)) return ticket;
    if (requisite > 0) return { ...ticket, requisite };
    const { depth, hostDepth } = readDepths(better, compared);
    const page = { ...ticket, requisite: 0, depth: depth ?? ticket.depth };
    return hostDepth === null ? page : { ...page, hostDepth };
  }

  /**
   * There is a way of this depth, as the sieve has known for a while: if the URL has come to wait again since,
   * it counts when its turn comes.
   */
  nearer({ high, low }: Fingerprint, depth: number): void {
    const { table, compared } = this.#parts;
    if (!compared.depth) return;
    const way = this.depthOf({ depth, hostDepth: Number.POSITIVE_INFINITY });
    const lower = (known: number): void => {
      const isWaiting = known >= 0 && known !== ENDED;
      const best = isWaiting ? bestDepth(known, way) : known;
      if (best !== known) table.set(high, low, best);
    };
    const known = table.recall(high, low);
    if (known >= 0 || !table.mayFind(high, low)) lower(known);
    else {
      this.#ask(high, low, (found) => {
        const later = table.recall(high, low);
        lower(later < 0 ? found : later);
      });
    }
  }

  /** The URL was fetched, or given up; the ticket is the one it went out with. */
  ended(ticket: Ticket): void {
    this.#end(ticket.high, ticket.low, roleDepth(ticket, this.#parts.compared));
  }

  /** What pages at these depths are compared by. */
  depthOf({ depth, hostDepth }: Pick<Ticket, "depth" | "hostDepth">): number {
    const steps = hostDepth === undefined ? {} : { hostDepth };
    return roleDepth({ depth, ...steps }, this.#parts.compared);
  }

  /**
   * An earlier process has fetched the page, which counted from this depth (`depthOf`). The ticket was found
   * anew, and perhaps by a shorter way than then.
   */
  endedBefore(ticket: Ticket, fetched: number): void {
    const { high, low } = ticket;
    const best = bestDepth(roleDepth(ticket, this.#parts.compared), fetched);
    this.#end(high, low, best);
    if (best !== fetched) this.#expand(high, low, best);
  }

  /**
   * Its page is elsewhere, and its links count from a depth that is not known here: whoever has the page
   * is to hear of this one.
   */
  endedElsewhere(ticket: Ticket): void {
    const { compared, elsewhere } = this.#parts;
    const depth = roleDepth(ticket, compared);
    this.#telling += 1;
    this.#end(ticket.high, ticket.low, depth, (best) => {
      this.#telling -= 1;
      const nearest = this.at(ticket, best);
      if (this.#isByDepth(nearest)) elsewhere?.(nearest);
    });
    this.#expand(ticket.high, ticket.low, depth);
  }

  /** A URL that had ended waits again: nothing came of it. */
  revive(ticket: Ticket): void {
    const { high, low } = ticket;
    // If the disk was being asked, it says nothing of the end, and may know a better depth.
    if (this.#ending.delete(high, low)) return;
    this.#parts.table.set(high, low, roleDepth(ticket, this.#parts.compared));
  }

  /** What is to be expanded, and what the disk is being asked. `held`: expansions that are not over. */
  save(held: readonly ExpandErrand[] = []): SavedDepths {
    const asked: SavedDepth[] = [];
    const ending: SavedDepth[] = [];
    this.#asked.each((...entry) => asked.push(entry));
    this.#ending.each((...entry) => ending.push(entry));
    return { expansions: [...held, ...this.#due.items()].map(savedExpansion), asked, ending };
  }

  restore({ expansions, asked, ending }: SavedDepths): void {
    for (const [high, low, depth, requisite, hostDepth] of expansions) {
      this.#due.add({ kind: "expand", high, low, depth, hostDepth, requisite });
    }
    for (const entry of asked) this.improved(...entry);
    for (const entry of ending) this.#end(...entry);
  }

  takeDue(): ExpandErrand | null {
    return this.#due.take();
  }

  checkpointTable(done: Done<TableMarks>): void {
    this.#parts.table.checkpoint(done);
  }

  /** The owner has kept the marks of a checkpoint of the table. */
  keepOnly(marks: TableMarks): void {
    this.#parts.table.keepOnly(marks);
  }

  close(done: (error: CrawlError | null) => void): void {
    this.#isClosed = true;
    this.#parts.table.close(done);
  }

  /** `told` gets the smallest depth that is known, when it is. */
  #end(high: number, low: number, depth: number, told?: (best: number) => void): void {
    const { table } = this.#parts;
    const asked = this.#takeAsked(high, low);
    const known = asked === NO_VALUE ? table.recall(high, low) : asked;
    if (known >= 0 || !table.mayFind(high, low)) {
      table.set(high, low, ENDED);
      this.#compare({ high, low, depth }, known, told);
      return;
    }
    // A checkpoint taken now must not hide what the disk knew behind the entry of the end.
    this.#ending.set(high, low, depth);
    this.#ask(high, low, (found) => {
      const isEnding = this.#ending.delete(high, low);
      if (isEnding) table.set(high, low, ENDED);
      // If it waits again, what is told is still a way to it.
      if (isEnding || told !== undefined) this.#compare({ high, low, depth }, found, told);
    });
  }

  /** A URL has ended of which this better depth may be known. */
  #compare(
    { high, low, depth }: Fingerprint & { readonly depth: number },
    better: number,
    told?: (best: number) => void,
  ): void {
    const best = better < 0 || better === ENDED ? depth : bestDepth(better, depth);
    if (best !== depth) this.#expand(high, low, best);
    told?.(best);
  }

  /** Whether it is the depth of a page that counts, and not that it is a requisite. */
  #isByDepth(ticket: Ticket): boolean {
    return this.#parts.compared.depth && (ticket.requisite ?? 0) === 0;
  }

  #askWhetherEnded(high: number, low: number, depth: number): void {
    const isAsked = this.#asked.has(high, low);
    this.#asked.set(high, low, depth);
    if (isAsked) return;
    this.#ask(high, low, (found) => {
      // If its turn has come since, it had not ended, and went out with this depth.
      const better = this.#takeAsked(high, low);
      if (better === NO_VALUE) return;
      // It may have come to wait again meanwhile.
      const known = this.#parts.table.recall(high, low);
      if ((known < 0 ? found : known) === ENDED) this.#expand(high, low, better);
      else this.#parts.table.set(high, low, better);
    });
  }

  /** A failed read is reported and counts as not found. */
  #ask(high: number, low: number, answered: (found: number) => void): void {
    const { table, woken, failed } = this.#parts;
    this.#asking += 1;
    table.find(high, low, (error, found) => {
      this.#asking -= 1;
      if (this.#isClosed) return;
      if (error !== null) failed(error);
      answered(error === null ? found : -1);
      woken();
    });
  }

  /** The better depth of a URL that is being asked about, taken out; `NO_VALUE` when it is not. */
  #takeAsked(high: number, low: number): number {
    const depth = this.#asked.get(high, low);
    this.#asked.delete(high, low);
    return depth;
  }

  #expand(high: number, low: number, better: number): void {
    const requisite = requisiteOfDepth(better);
    const none = { depth: null, hostDepth: null };
    const depths = requisite === 0 ? readDepths(better, this.#parts.compared) : none;
    this.#due.add({ kind: "expand", high, low, ...depths, requisite });
  }
}

function savedExpansion(errand: ExpandErrand): SavedExpansion {
  const { high, low, depth, requisite, hostDepth = null } = errand;
  return [high, low, depth, requisite, hostDepth];
}
