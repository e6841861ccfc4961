/**
 * Gives the hosts of some lanes their numbers in others. The hosts of all old lanes are taken in turn,
 * so that those found early still come before those found late.
 */
import type { HostName } from "../../../formats/url/index.ts";
import type { HostLedger } from "../hosts/host-ledger.ts";

/** Where a host has gone. */
export interface HostPlace {
  readonly lane: number;
  readonly number: number;
}

export class MovedHosts {
  /** By old lane, and by the old number of the host. */
  readonly #lanes: readonly Uint16Array[];
  readonly #numbers: readonly Uint32Array[];

  /** Takes everything that old lanes know of their hosts over to new ones. */
  constructor(
    before: readonly HostLedger[],
    after: readonly HostLedger[],
    laneOf: (host: HostName) => number,
  ) {
    this.#lanes = before.map(({ hosts }) => new Uint16Array(hosts));
    this.#numbers = before.map(({ hosts }) => new Uint32Array(hosts));
    for (const [old, theirs] of inRounds(before.map(({ hosts }) => hosts))) {
      const ledger = before[old] as HostLedger;
      const host = ledger.nameOf(theirs);
      const lane = laneOf(host);
      const heir = after[lane] as HostLedger;
      const number = heir.numberOf(host);
      heir.adopt(number, ledger, theirs);
      (this.#lanes[old] as Uint16Array)[theirs] = lane;
      (this.#numbers[old] as Uint32Array)[theirs] = number;
    }
  }

  /** Where the host with this number in an old lane is now. */
  placeOf(old: number, theirs: number): HostPlace {
    return {
      lane: this.#lanes[old]?.[theirs] as number,
      number: this.#numbers[old]?.[theirs] as number,
    };
  }
}

/** The first place of every list, then the second of every list that has one, and so on. */
export function* inRounds(
  lengths: readonly number[],
): Generator<readonly [list: number, at: number]> {
  for (let at = 0; at < Math.max(0, ...lengths); at += 1) {
    for (const [list, length] of lengths.entries()) if (at < length) yield [list, at];
  }
}
