/** What agents ask each other about pages. */
import { codec } from "../../topology/items/index.ts";
import { choice, type MessageType, messageType, PLACE, type Place } from "../messages/index.ts";

export interface PageQuestion {
  readonly url: string;
  /** From which byte on. */
  readonly from: number;
  readonly bytesMax: number;
}

export interface PageReply {
  /** `busy`: to be asked again. `failed`: the store could not be read. */
  readonly outcome: "part" | "elsewhere" | "absent" | "busy" | "failed";
  /** For `part`. */
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
  readonly stamp: string;
  /** For `elsewhere`. */
  readonly place: Place | null;
}

export interface ItemsQuestion {
  readonly what: string;
  readonly argument: string;
  readonly cursor: string;
  readonly bytesMax: number;
}

export interface ItemsReply {
  readonly outcome: "part" | "busy" | "failed";
  readonly items: readonly Uint8Array[];
  readonly cursor: string;
  readonly isEnd: boolean;
  /** Items that are too long for a message, and left out. */
  readonly omitted: number;
}

const { bytes, count, flag, list, nullable, struct, text } = codec;

export const QUERY_PAGE: MessageType<PageQuestion, PageReply> = messageType(
  "query.page",
  struct<PageQuestion>({ url: text, from: count, bytesMax: count }),
  struct<PageReply>({
    outcome: choice(["part", "elsewhere", "absent", "busy", "failed"]),
    ...{ bytes, totalBytes: count, stamp: text, place: nullable(PLACE) },
  }),
);

export const QUERY_ITEMS: MessageType<ItemsQuestion, ItemsReply> = messageType(
  "query.items",
  struct<ItemsQuestion>({ what: text, argument: text, cursor: text, bytesMax: count }),
  struct<ItemsReply>({
    outcome: choice(["part", "busy", "failed"]),
    ...{ items: list(bytes), cursor: text, isEnd: flag, omitted: count },
  }),
);

export function pageReply(outcome: PageReply["outcome"], more: Partial<PageReply> = {}): PageReply {
  return { outcome, bytes: new Uint8Array(), totalBytes: 0, stamp: "", place: null, ...more };
}

export function itemsReply(
  outcome: ItemsReply["outcome"],
  more: Partial<ItemsReply> = {},
): ItemsReply {
  return { outcome, items: [], cursor: "", isEnd: false, omitted: 0, ...more };
}

export interface CallQuestion {
  /** The same whenever the same call is made again. */
  readonly id: string;
  readonly what: string;
  readonly argument: string;
}

export interface CallReply {
  /** `busy`: it is being carried out, or will be; to be asked again. */
  readonly outcome: "done" | "refused" | "busy";
  /** What came of it, or why it was refused. */
  readonly text: string;
  /** Of the error; empty if there was none. */
  readonly code: string;
}

export const QUERY_CALL: MessageType<CallQuestion, CallReply> = messageType(
  "query.call",
  struct<CallQuestion>({ id: text, what: text, argument: text }),
  struct<CallReply>({ outcome: choice(["done", "refused", "busy"]), text, code: text }),
);
