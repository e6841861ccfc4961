/**
 * A place in a log: the number of bytes ever appended before it. Positions only grow, whichever
 * segments hold the bytes or have been dropped. A safe integer: 9 petabytes.
 */
export type Position = number;

/** The bytes from a position up to, not including, another. */
export interface Range {
  readonly from: Position;
  readonly to: Position;
}
