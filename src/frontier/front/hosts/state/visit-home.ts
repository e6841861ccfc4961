/**
 * The surroundings of a visit state: where it is counted, where it waits, where its records come
 * from; and what is known about its host before it has one.
 */
import type { ErrorCode } from "../../../../base/errors/index.ts";
import type { HostName } from "../../../../formats/url/index.ts";
import type { HostQueues, QueueOrder } from "../../../queues/index.ts";
import type { WaitingTicket } from "../../../ticket/index.ts";
import type { FrontierRefusal, PageErrand, RobotsErrand } from "../../frontier.ts";
import type { RobotsTask } from "../../visits/robots-desk.ts";
import type { VisitLines } from "./visit-lines.ts";
import type { VisitState } from "./visit-state.ts";
import type { VisitStates } from "./visit-states.ts";

/** Why nothing more of a host will be fetched. */
export type HostEnd =
  | { readonly kind: "unfetched"; readonly code: ErrorCode }
  | { readonly kind: "refused"; readonly reason: FrontierRefusal };

export type Flight =
  | { readonly errand: PageErrand; readonly ticket: WaitingTicket }
  | { readonly errand: RobotsErrand; readonly task: RobotsTask };

/** Where the records of visit states come from: the queues of their hosts. */
export interface Supply {
  readonly queues: HostQueues;
  readonly order: QueueOrder;
  /** Whether a new record may stay in memory. */
  hasRoom(state: VisitState): boolean;
  /** Whether the host is dormant: then it reads nothing. */
  isDormant(number: number): boolean;
  /** Whether few records are left in memory and the queue has more. */
  isDue(state: VisitState): boolean;
  /** Begins to read some; true when `fill` or `endFilling` follows. */
  tryBegin(state: VisitState): boolean;
}

export interface VisitHome {
  readonly states: VisitStates;
  readonly lines: VisitLines;
  readonly supply: Supply;
}

/** What is known of a host when its visit state is made. */
export interface KnownHost {
  /** Its number for the whole crawl, which is that of its queue. */
  readonly number: number;
  readonly host: HostName;
  readonly crawlDelayMs: number;
  readonly end: HostEnd | null;
}
