/** What agents say to each other about limits. Every message says how long the crawl has run (M8). */
import { type Codec, codec } from "../../topology/items/index.ts";
import { choice, DURATION, type MessageType, messageType, PLACE } from "../messages/index.ts";
import { AMOUNTS, type Amounts } from "./amounts.ts";
import type { Transfer } from "./ledger.ts";

/** How long the crawl has run, as far as the sender knows. */
export interface Timed {
  readonly elapsedMs: number;
}

/** `low`: more would be welcome. `lacking`: nothing can be begun. */
export type Need = "none" | "low" | "lacking";

/** The sender needs more than it has; or it only wants to compare the time. */
export interface LimitRequest extends Timed {
  readonly pages: Need;
  readonly bytes: Need;
  /** What it has used and did not have. */
  readonly debt: Amounts;
}

/** The treasurer wants what others can spare, for somebody who lacks it. */
export interface LimitRecall extends Timed {
  readonly pages: boolean;
  readonly bytes: boolean;
  /** Whether it is for a debt: then it comes before pages that are still to be fetched. */
  readonly isDebt: boolean;
}

export interface LimitRecallReply extends Timed {
  /** Something comes. */
  readonly isGiving: boolean;
}

/** A leaver wants nothing any more. */
export interface FarewellReply extends Timed {
  /** Nothing is under way to it. */
  readonly isClear: boolean;
}

export interface LimitTransfer extends Timed, Transfer {}

const { count, flag, struct } = codec;
const NEED: Codec<Need> = choice(["none", "low", "lacking"]);
const TIMED: Codec<Timed> = struct<Timed>({ elapsedMs: DURATION });

export const LIMIT_REQUEST: MessageType<LimitRequest, Timed> = messageType(
  "limit.request",
  struct<LimitRequest>({ elapsedMs: DURATION, pages: NEED, bytes: NEED, debt: AMOUNTS }),
  TIMED,
);

export const LIMIT_RECALL: MessageType<LimitRecall, LimitRecallReply> = messageType(
  "limit.recall",
  struct<LimitRecall>({ elapsedMs: DURATION, pages: flag, bytes: flag, isDebt: flag }),
  struct<LimitRecallReply>({ elapsedMs: DURATION, isGiving: flag }),
);

export const LIMIT_TRANSFER: MessageType<LimitTransfer, Timed> = messageType(
  "limit.transfer",
  struct<LimitTransfer>({
    ...{ elapsedMs: DURATION, origin: PLACE, number: count, to: PLACE, amount: AMOUNTS },
  }),
  TIMED,
);

export const LIMIT_FAREWELL: MessageType<Timed, FarewellReply> = messageType(
  "limit.farewell",
  TIMED,
  struct<FarewellReply>({ elapsedMs: DURATION, isClear: flag }),
);
