/** How much is lent, as plain rules (M3). */

/** What one agent has of one thing, as far as nobody here has spoken for it. */
export interface Spare {
  readonly free: number;
  /** Whether it has work of its own for it. */
  readonly canUse: boolean;
  /** The least that is lent, and that somebody who can use it keeps. */
  readonly least: number;
}

/** For somebody who lacks it, or has a debt, of so many members of the ring. */
export function loanOf({ free, canUse, least }: Spare, members: number, debt: number): number {
  const kept = canUse && debt === 0 ? least : 0;
  const share = Math.floor(free / (members + 1));
  return Math.max(0, Math.min(free - kept, Math.max(least, share, debt)));
}

/** For somebody who would welcome it: never the last. */
export function surplusOf({ free, least }: Spare, members: number): number {
  const share = Math.floor(free / (members + 1));
  return share < least ? 0 : share;
}

/** For the treasurer, who has asked for it. */
export function recalledOf({ free, canUse, least }: Spare, isDebt: boolean): number {
  if (!canUse || isDebt) return Math.max(0, free);
  return free < 2 * least ? 0 : Math.floor(free / 2);
}
