/**
 * Hosts whose names DNS leads to one canonical name are one server, and are visited like one host: one
 * of them at a time, with the longest of their delays in between. So they wait here first, on a
 * workbench whose entries are canonical names, and the one that is *admitted* goes on to the workbench
 * of addresses; the others wait until its turn is over. However many hosts there are behind a name,
 * finding the next of them takes O(log n), and only one of them bothers its address.
 *
 * Invariant: of one canonical name at most one seat is admitted, in all lanes together.
 */
import type { AliasTable } from "./alias-table.ts";
import { Workbench } from "./workbench.ts";

/**
 * How soon a lane looks again for a server that another lane visits, if it need not rest: soon, but
 * without being busy with it.
 */
const LOOK_AGAIN_MS = 5;

export class AliasBench {
  readonly table: AliasTable;
  readonly #bench: Workbench;

  constructor(table: AliasTable, ranks: boolean) {
    this.table = table;
    const delayMsOf = (row: number): number => Math.max(LOOK_AGAIN_MS, table.delayMsOf(row));
    this.#bench = new Workbench({ addresses: table.rows, addressDelayMs: delayMsOf, ranks });
  }

  /** When a seat may be admitted; not after the first moment at which that is so. */
  get nextAtMs(): number {
    return this.#bench.nextAtMs;
  }

  /** A seat waits to be admitted, not before this instant. */
  put(seat: number, canonical: string, atMs: number, rank: number): void {
    this.#bench.put(seat, canonical, atMs, rank);
  }

  /** Takes a waiting seat back; false when it is not waiting. */
  tryWithdraw(seat: number): boolean {
    return this.#bench.tryWithdraw(seat);
  }

  /** Admits a seat that may be visited now; or `NONE`. */
  admit(nowMs: number): number {
    return this.#bench.acquire(nowMs);
  }

  /** Ends an admission; after a visit that has just ended nothing follows before `restsUntilMs`. */
  dismiss(
    seat: number,
    visit: { readonly endAtMs: number; readonly restsUntilMs: number } | null,
  ): void {
    if (visit === null) {
      this.#bench.release(seat, 0, false);
      return;
    }
    const { endAtMs, restsUntilMs } = visit;
    const canonical = this.#bench.addressOf(seat) as string;
    const delayMs = this.table.delayMsOf(this.table.rows.rowOf(canonical));
    this.#bench.release(seat, endAtMs, true, Math.max(restsUntilMs, endAtMs + delayMs));
  }

  detach(seat: number): void {
    this.#bench.detach(seat);
  }
}
