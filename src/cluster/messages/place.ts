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

/**
 * As `cluster.id` takes them. Ids are parts of names of files, and a list of agents must fit into a
 * message; so another one, which only a broken or hostile peer says, is not read.
 */
const ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;

/** Far beyond what clocks give. A larger one is not read. */
export const GENERATION_MAX: number = 2 ** 53 - 2;

export const AGENT_ID: Codec<AgentId> = {
  write: (id, into) => into.text(id),
  read(from) {
    const id = from.text();
    if (!ID.test(id)) throw new RangeError("an id in them is not one of an agent");
    return id;
  },
};

/** A place whose generation may be 0: that of an agent that has not drawn it yet. */
export const EARLY_PLACE: Codec<Place> = placeFrom(0);

export const PLACE: Codec<Place> = placeFrom(1);

function placeFrom(generationMin: number): Codec<Place> {
  return codec.struct<Place>({
    id: AGENT_ID,
    generation: {
      write: (generation, into) => into.count(generation),
      read(from) {
        const generation = from.count();
        if (generation >= generationMin && generation <= GENERATION_MAX) return generation;
        throw new RangeError("a generation in them is not one of a disk");
      },
    },
  });
}

const TEXT = /^(?<id>.+)\.(?<generation>[1-9][0-9]{0,15})$/;

/** `n1.17`: for messages, maps and names of files. */
export function placeText({ id, generation }: Place): string {
  return `${id}.${generation}`;
}

/** The place that has this text; null if none has. */
export function parsePlace(text: string): Place | null {
  const { id, generation } = TEXT.exec(text)?.groups ?? {};
  if (id === undefined || !ID.test(id) || !Number.isSafeInteger(Number(generation))) return null;
  return { id, generation: Number(generation) };
}

export function samePlace(one: Place, other: Place): boolean {
  return one.id === other.id && one.generation === other.generation;
}
