/**
 * The seam to randomness: everything that is drawn comes from one seed, so a run can be repeated.
 */

export interface Random {
  /** A whole number in [0, 2^32). */
  u32(): number;

  /** A whole number in [0, bound), without bias; `bound` is from 1 to 2^32. */
  below(bound: number): number;

  /** A number in [0, 1) with 53 random bits. */
  unit(): number;

  /**
   * Another source, determined by this one's seed and the label alone: not by how much was drawn
   * before, so adding a draw in one place does not change every other place.
   */
  fork(label: string): Random;
}
