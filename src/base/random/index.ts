/**
 * Random numbers. All of them come from seeds, so that a run can be repeated: `SeededRandom` is the
 * generator, in production as in the simulator, and `freshSeed` the one place where a seed is drawn
 * from the machine. The contract is `Random` in `seams`.
 *
 * Read `seeded-random.ts` first.
 */
export { freshSeed } from "./fresh-seed.ts";
export { SeededRandom } from "./seeded-random.ts";
