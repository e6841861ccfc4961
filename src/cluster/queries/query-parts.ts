/** What queries are made of. */
import type { Clock } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import type { Messenger, Place, Replied } from "../messages/index.ts";
import type { RingKey } from "../ring/index.ts";

export interface QuerySettings {
  /** How long an answer is waited for. */
  readonly timeoutMs: number;
  /** How often a question is asked in vain, and how long after each. */
  readonly triesMax: number;
  readonly retryMs: number;
  /** How long a part is. */
  readonly partBytes: number;
  /** How many questions of others are answered at once. */
  readonly servedMax: number;
  /** How long after its end a stream that goes on asks again. */
  readonly pollMs: number;
}

type Standing = "alive" | "suspect" | "dead" | "given-up";

export interface QueryView {
  readonly self: Place;
  members(): Iterable<{
    readonly place: Place;
    readonly standing: Standing;
  }>;
  ownerOf(key: RingKey): AgentId | null;
  placeOf(id: AgentId): Place | null;
  isGivenUp(place: Place): boolean;
}

/** Who has not answered, and why: it is dead, was given up, was silent, or could not. */
export interface Missing {
  readonly place: Place;
  readonly why: "dead" | "given-up" | "timed-out" | "failed";
}

export interface AskParts {
  readonly clock: Clock;
  readonly messenger: Pick<Messenger, "ask">;
  readonly view: QueryView;
  readonly settings: QuerySettings;
}

/** Whether an answer can be hoped for: who is dead has not been heard for long enough. */
export function isThere(standing: Standing): boolean {
  return standing === "alive" || standing === "suspect";
}

/** Why no answer came of the last try. */
export function whyMissing<Reply>(
  parts: AskParts,
  place: Place,
  replied: Replied<Reply>,
): Missing["why"] {
  return whyGone(parts, place) ?? (replied.kind === "reply" ? "failed" : "timed-out");
}

/** Why it makes no sense to ask once more; null if it does. */
export function whyGone({ view }: AskParts, place: Place): "dead" | "given-up" | null {
  if (view.isGivenUp(place)) return "given-up";
  for (const member of view.members()) {
    if (member.place.id === place.id && member.standing === "dead") return "dead";
  }
  return null;
}
