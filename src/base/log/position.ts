/**
 * Where in a log: how many bytes were appended to it before, ever. Positions only grow, whatever
 * segments the bytes are in and whichever of these have been dropped. A safe integer: 9 petabytes.
 */
export type Position = number;

/** The bytes from a position up to, not including, another. */
export interface Range {
  readonly from: Position;
  readonly to: Position;
}
