/**
 * One question to each of some places, repeated for a while if no answer comes: on a network that loses
 * and delays, a wave would else hardly ever be whole. It is over when each of them has answered or has
 * let the time pass, so everything that is found in it was true at some moment after it began.
 */
import type { Clock } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import type { Messenger, Place } from "../messages/index.ts";
import type { Vote } from "./ballot.ts";
import { PROBE, type Probe } from "./termination-messages.ts";

export interface WaveParts {
  readonly clock: Clock;
  readonly messenger: Pick<Messenger, "ask">;
  readonly timeoutMs: number;
}

/** How often a question is asked. */
const TRIES_MAX = 8;

/** What those have said who answered, by id. */
export type Votes = Map<AgentId, Vote>;

/** `ended` is never called inside this call. */
export function makeWave(
  { clock, messenger, timeoutMs }: WaveParts,
  places: readonly Place[],
  probe: (place: Place) => Probe,
  ended: (votes: Votes) => void,
): void {
  const votes: Votes = new Map();
  let open = places.length;
  if (open === 0) clock.after(0, () => ended(votes));
  const ask = (place: Place, tries: number): void =>
    messenger.ask(place, PROBE, { body: probe(place), timeoutMs }, (replied) => {
      if (replied.kind === "reply") {
        const { incarnation } = replied.from;
        votes.set(place.id, { place, incarnation, status: replied.body });
      } else if (replied.why === "timed-out" && tries < TRIES_MAX) {
        ask(place, tries + 1);
        return;
      }
      open -= 1;
      if (open === 0) ended(votes);
    });
  for (const place of places) ask(place, 1);
}
