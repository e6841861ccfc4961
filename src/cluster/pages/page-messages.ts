/** Pages between agents, a piece at a time: each is asked of one place, and answered by what that has. */
import { type Codec, codec } from "../../topology/items/index.ts";
import { ENTRY, type Entry, type UrlEntry } from "../delivery/index.ts";
import { choice, type MessageType, messageType } from "../messages/index.ts";

export interface PagePart {
  readonly entry: UrlEntry;
  /** Whether the body is in it; else the page stays where it is, in the archive of a leaver. */
  readonly withBody: boolean;
  readonly from: number;
  readonly total: number;
  readonly bytes: Uint8Array;
}

/**
 * `had`: the page is durable there. `more`: it goes on at this offset, which is 0 if nothing is known of it.
 * `busy`: to be tried again later.
 */
export interface PageAnswer {
  readonly kind: "had" | "more" | "busy";
  readonly from: number;
}

const URL: Codec<UrlEntry> = {
  write: (entry, into) => ENTRY.write(entry, into),
  read(from) {
    const entry: Entry = ENTRY.read(from);
    if (entry.kind !== "url") throw new RangeError("it is not about a page");
    return entry;
  },
};

export const PAGE: MessageType<PagePart, PageAnswer> = messageType(
  "page",
  codec.struct<PagePart>({
    ...{ entry: URL, withBody: codec.flag, from: codec.count, total: codec.count },
    bytes: codec.bytes,
  }),
  codec.struct<PageAnswer>({ kind: choice(["had", "more", "busy"]), from: codec.count }),
);
