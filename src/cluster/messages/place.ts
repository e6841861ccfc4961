/**
 * A place: an agent together with the disk that it has. Everything that one agent learns from another
 * (who acknowledged a URL, who says to have a page) names a place, never just an agent: if the disk is
 * lost, an agent that comes back under the same id is another place, and what was known of the old one
 * no longer holds.
 */
import type { AgentId } from "../../base/transport/index.ts";
import { type Codec, codec } from "../../topology/items/index.ts";

export interface Place {
  readonly id: AgentId;
  /**
   * Identifies the disk: drawn when it is first used, never used again, and larger than those of the
   * disks that the agent had before. From 1 on.
   */
  readonly generation: number;
}

export const PLACE: Codec<Place> = codec.struct<Place>({
  id: codec.text,
  generation: codec.count,
});

const TEXT = /^(?<id>.+)\.(?<generation>[1-9][0-9]{0,15})$/;

/** `n1.17`: for messages, maps and names of files. */
export function placeText({ id, generation }: Place): string {
  return `${id}.${generation}`;
}

/** The place that has this text; null if none has. */
export function parsePlace(text: string): Place | null {
  const { id, generation } = TEXT.exec(text)?.groups ?? {};
  if (id === undefined || !Number.isSafeInteger(Number(generation))) return null;
  return { id, generation: Number(generation) };
}

export function samePlace(one: Place, other: Place): boolean {
  return one.id === other.id && one.generation === other.generation;
}
