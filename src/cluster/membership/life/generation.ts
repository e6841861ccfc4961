/**
 * The identity of a disk: by the wall clock, so that it grows without anybody remembering the last one,
 * and with a little chance, so that two agents that are started with one id at one moment differ. If
 * the clock was set back, it follows the latest one that is known.
 */
import type { Clock, Random } from "../../../base/seams/index.ts";
import { GENERATION_MAX } from "../../messages/index.ts";

const DRAWS = 1024;
/** In the year 2109; a clock that is wrong by so much must not use up all numbers. */
const WALL_MS_MAX = 2 ** 42;

/** A generation that is larger than `known`, which is the latest of the agent, or 0; null if there is none. */
export function drawGeneration(clock: Clock, random: Random, known: number): number | null {
  if (known >= GENERATION_MAX) return null;
  const wallMs = Math.min(Math.max(clock.wallMs(), 0), WALL_MS_MAX);
  return Math.max(wallMs * DRAWS + random.below(DRAWS), known + 1);
}
