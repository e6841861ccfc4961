/**
 * What a wave has found. There is a ballot only if every member has answered, was idle, and has the
 * view of the agent that asks. Two ballots of waves that follow each other and are equal prove the end:
 * the members, their lives and their counters of work are the same.
 */
import type { AgentId } from "../../base/transport/index.ts";
import { type Place, placeText, samePlace } from "../messages/index.ts";
import type { Status } from "./termination-messages.ts";

/** What one member has said in a wave. */
export interface Vote {
  readonly place: Place;
  readonly incarnation: number;
  readonly status: Status;
}

export interface Ballot {
  readonly hash: string;
  /** One for each member, in the order of their ids. */
  readonly votes: readonly Vote[];
}

/** The ballot of these members with this view; null if one is missing, busy, or sees things differently. */
export function ballotOf(
  hash: string,
  members: Iterable<{ readonly place: Place }>,
  votes: ReadonlyMap<AgentId, Vote>,
): Ballot | null {
  const found: Vote[] = [];
  for (const { place } of members) {
    const vote = votes.get(place.id);
    if (vote === undefined || !samePlace(vote.place, place)) return null;
    if (!vote.status.isIdle || vote.status.hash !== hash) return null;
    found.push(vote);
  }
  found.sort((one, other) => (one.place.id < other.place.id ? -1 : 1));
  return { hash, votes: found };
}

export function sameBallot(one: Ballot, other: Ballot): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ hash, votes }: Ballot): string {
  const lines = votes.map(
    ({ place, incarnation, status }) => `${placeText(place)}/${incarnation} ${status.work}`,
  );
  return [hash, ...lines].join("\n");
}
