/**
 * An entry: what one agent tells another about a URL, or about a host that it hands over.
 *
 * It is a statement about a moment, and never altered: if more becomes known (a shorter way from a seed,
 * another holder), that is a further entry. Whoever takes entries must bear them twice and in any order
 * of senders.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Codec, codec, type ItemType, itemType } from "../../topology/items/index.ts";
import { PLACE, type Place } from "../messages/index.ts";

export interface UrlEntry extends Fingerprint {
  readonly kind: "url";
  readonly host: string;
  /** The shortest way from a seed that the sender knows. */
  readonly depth: number;
  /** Places that have the page, as far as the sender knows: claims. */
  readonly holders: readonly Place[];
  /** Its ticket, in bytes that only the frontier understands. */
  readonly record: Uint8Array;
}

/** What belongs to a host and goes with it: when it may be visited next, its delays and rules. */
export interface HostEntry {
  readonly kind: "host";
  readonly host: string;
  /** In bytes that only the frontier understands. */
  readonly record: Uint8Array;
}

export type Entry = UrlEntry | HostEntry;

const URL_TAG = 1;
const HOST_TAG = 2;

const PLACES: Codec<readonly Place[]> = codec.list(PLACE);

const ENTRY: Codec<Entry> = {
  write(entry, into) {
    into.byte(entry.kind === "url" ? URL_TAG : HOST_TAG);
    into.text(entry.host);
    into.bytes(entry.record);
    if (entry.kind === "host") return;
    into.count(entry.high);
    into.count(entry.low);
    into.count(entry.depth);
    PLACES.write(entry.holders, into);
  },
  read(from) {
    const tag = from.byte();
    const host = from.text();
    const record = from.bytes();
    if (tag === HOST_TAG) return { kind: "host", host, record };
    if (tag !== URL_TAG) throw new RangeError("there is no entry of this kind");
    const [high, low, depth] = [from.count(), from.count(), from.count()];
    return { kind: "url", host, record, high, low, depth, holders: PLACES.read(from) };
  },
};

/** Entries as items of a stream; their bytes are read as views of what arrived. */
export const EntryType: ItemType<Entry> = itemType("entry", ENTRY);
