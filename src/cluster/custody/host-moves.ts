/**
 * Hosts that change hands (U2): one that is not ours any more leaves when no visit of it is under way, with
 * everything that is known of it; one that is ours comes, or comes back. While a host moves, entries of it
 * wait here; then the view of that moment decides.
 *
 * Invariant: an entry that is handed in comes out once: into an outbox, or into the holdings.
 */
import type { Entry, UrlEntry } from "../delivery/index.ts";
import type { Place } from "../messages/index.ts";
import type { Claims } from "./claims.ts";
import type { Holdings } from "./holdings.ts";

export interface HostMovesParts {
  readonly self: () => Place;
  readonly holdings: Holdings;
  readonly claims: Claims;
  /** Whether the host is ours, in the present view. */
  readonly isOwn: (host: string) => boolean;
  /** To the owner, who is another agent. `isRepeat`: that may know it. */
  readonly pass: (entry: Entry, isRepeat: boolean) => void;
  /** Into our custody: its host is here. */
  readonly take: (entry: Entry) => void;
  /** A host has moved. */
  readonly moved: () => void;
  readonly failed: (error: Error) => void;
}

interface Move {
  /** Entries that came meanwhile. */
  readonly waiting: Entry[];
}

export class HostMoves {
  readonly #parts: HostMovesParts;
  readonly #moves = new Map<string, Move>();

  constructor(parts: HostMovesParts) {
    this.#parts = parts;
  }

  /** How many hosts are on the move. */
  get count(): number {
    return this.#moves.size;
  }

  has(host: string): boolean {
    return this.#moves.has(host);
  }

  /** The view has changed: what is not ours any more leaves. */
  viewChanged(): void {
    const { holdings, isOwn } = this.#parts;
    const lost: string[] = [];
    for (const host of holdings.hosts()) if (!isOwn(host)) lost.push(host);
    for (const host of lost) if (!this.#moves.has(host)) this.#leave(host);
  }

  /** An entry that was found, received, or is to be dispatched anew. */
  dispatch(entry: Entry, isRepeat: boolean): void {
    const { isOwn, holdings, pass, take } = this.#parts;
    const { host } = entry;
    const move = this.#moves.get(host);
    if (move !== undefined) move.waiting.push(kept(entry));
    else if (!isOwn(host)) pass(entry, isRepeat);
    else if (holdings.isAway(host)) {
      this.#comeBack(host);
      this.dispatch(entry, isRepeat);
    } else take(entry);
  }

  #leave(host: string): void {
    const { self, holdings, claims, isOwn, pass } = this.#parts;
    const move = this.#begin(host);
    const give = (entry: Entry): void => {
      // The view may have changed again.
      if (isOwn(host)) move.waiting.push(entry);
      else pass(entry, false);
    };
    holdings.giveAway(
      host,
      (entry) => give(kept(entry)),
      (record) => {
        give({ kind: "host", host, record });
        const page = (entry: UrlEntry): void => give({ ...kept(entry), holders: [self()] });
        holdings.pagesOf(
          (one) => one === host,
          page,
          (error) => {
            if (error !== null) this.#parts.failed(error);
            for (const entry of claims.takeHost(host)) give(entry);
            this.#end(host, move);
          },
        );
      },
    );
  }

  #comeBack(host: string): void {
    const move = this.#begin(host);
    this.#parts.holdings.takeBack(host, () => this.#end(host, move));
  }

  #begin(host: string): Move {
    const move: Move = { waiting: [] };
    this.#moves.set(host, move);
    return move;
  }

  #end(host: string, { waiting }: Move): void {
    this.#moves.delete(host);
    for (const entry of waiting) this.dispatch(entry, true);
    // The view may have changed while it came.
    const { holdings, isOwn, moved } = this.#parts;
    const isStray = !this.#moves.has(host) && !holdings.isAway(host) && !isOwn(host);
    if (isStray && isHere(holdings, host)) this.#leave(host);
    moved();
  }
}

function isHere(holdings: Holdings, host: string): boolean {
  for (const one of holdings.hosts()) if (one === host) return true;
  return false;
}

/** Records that arrived are views of what they came in. */
function kept<One extends Entry>(entry: One): One {
  return { ...entry, record: entry.record.slice() };
}
