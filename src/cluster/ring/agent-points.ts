/**
 * The points of one agent: a function of its id and of nothing else, so that every agent that knows
 * the id puts them at the same places, whenever it was started and whatever it has seen before.
 */
import { createHash } from "node:crypto";
import { sortKeys } from "../../base/runs/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import { blankPoints, type Points } from "./circle.ts";
import { MersenneTwister } from "./mersenne-twister.ts";

/** The first `count` points of this agent, in order. */
export function agentPoints(id: AgentId, count: number): Points {
  const points = blankPoints([id], count);
  const { highs, lows } = points;
  const twister = new MersenneTwister(keyOf(id));
  for (let at = 0; at < count; at += 1) {
    highs[at] = twister.u32();
    lows[at] = twister.u32();
  }
  const scratch = { highs: new Uint32Array(count), lows: new Uint32Array(count) };
  sortKeys(
    { highs, lows, indexes: new Uint32Array(count) },
    { ...scratch, indexes: new Uint32Array(count) },
    count,
  );
  return points;
}

/** The 32 bytes of SHA-256 as eight words, each with its highest byte first. */
function keyOf(id: AgentId): Uint32Array {
  const digest = createHash("sha256").update(id, "utf8").digest();
  return Uint32Array.from({ length: 8 }, (_, index) => digest.readUInt32BE(4 * index));
}
