/**
 * What a visit state, as it is saved, says about one URL of its host, for people who ask: where the URL
 * waits, how many go before it, and what the robots.txt of its origin says.
 */
import { RobotRules, type RobotsDecision } from "../../../formats/robots/index.ts";
import { type FetchableUrl, originOf } from "../../../formats/url/index.ts";
import type { RobotsCause } from "../frontier.ts";
import type { RobotsRefusal } from "../visits/origin-robots.ts";
import type { SavedVisit } from "./saved-visit.ts";

export type WaitingPlace =
  /** Another try is due in this time. */
  | { readonly kind: "retry"; readonly inMs: number }
  /** This many URLs of the host go before it. */
  | { readonly kind: "queue"; readonly before: number };

export interface RobotsLook {
  /** Why everything there is refused; null if the rules decide. */
  readonly refusal: RobotsRefusal | null;
  /** Why the file could not be fetched the last time. */
  readonly cause: RobotsCause;
  readonly decision: RobotsDecision;
}

export interface VisitLook {
  /** Null if the URL is not among those in memory. */
  readonly place: WaitingPlace | null;
  /** Null if the robots.txt is not known. */
  readonly robots: RobotsLook | null;
  /** The canonical name of the host, as far as it was learnt. */
  readonly canonical: string | null;
  /** For how long the host is left alone from the moment of the checkpoint on. */
  readonly restsForMs: number;
  /** URLs of the host that wait. */
  readonly waiting: number;
}

/**
 * `isOf` knows the queue records of the URL; `nowMs` is the time of the crawl. Those in the queue of the
 * host are not in a visit state.
 */
export function lookAtVisit(
  { waits, reach, origins, tickets }: SavedVisit,
  url: FetchableUrl,
  isOf: (record: Buffer) => boolean,
  nowMs: number,
): VisitLook {
  const origin = originOf(url);
  const known = origins.find((one) => one.origin === origin);
  const waiting = [...(tickets.head === null ? [] : [tickets.head]), ...tickets.window];
  const isIt = (record: string): boolean => isOf(Buffer.from(record, "base64"));
  const before = waiting.findIndex(isIt);
  const retry = tickets.retries.find(([, record]) => isIt(record));
  const place: WaitingPlace | null =
    retry === undefined ? null : { kind: "retry", inMs: Math.max(0, (retry[0] ?? nowMs) - nowMs) };
  const path = url.slice(origin.length);
  return {
    place: before === -1 ? place : { kind: "queue", before },
    robots:
      known === undefined || known.settled === null
        ? null
        : {
            ...{ refusal: known.refusal, cause: known.cause },
            decision: RobotRules.restore(known.rules).decide(path),
          },
    canonical: reach.canonical ?? null,
    restsForMs: Math.max(0, (waits.rests ?? nowMs) - nowMs),
    waiting: waiting.length + tickets.retries.length,
  };
}
