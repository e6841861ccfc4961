/**
 * Chance. All of it comes from seeds, so that a run can be repeated; `freshSeed` is the one place
 * where a seed is drawn from the machine. The contract is `Random` in `seams`.
 */
export { freshSeed } from "./fresh-seed.ts";
export { SeededRandom } from "./seeded-random.ts";
