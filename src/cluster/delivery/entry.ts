/**
 * An entry: what one agent tells another about a URL, about a host that it hands over, about a copy that it
 * should not show, or about a page of its own that is nearer to a seed.
 *
 * It is a statement about a moment, and never altered: if more becomes known (a shorter way from a seed,
 * another holder), that is a further entry. Whoever takes entries must bear them twice and in any order
 * of senders.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import {
  type ByteReader,
  type Codec,
  codec,
  type ItemType,
  itemType,
} from "../../topology/items/index.ts";
import { HOST, PLACE, type Place } from "../messages/index.ts";

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

/** What belongs to a host and goes with it: when it may be visited next, its delay and its count of pages. */
export interface HostEntry {
  readonly kind: "host";
  readonly host: string;
  /** In bytes that only the frontier understands. */
  readonly record: Uint8Array;
}

/** Another place has the visible copy of a page that the receiver has too (C1). It concerns nobody else. */
export interface HideEntry extends Fingerprint {
  readonly kind: "hide";
  readonly host: string;
  readonly toward: Place;
}

/** The receiver has this page; there is a shorter way to it than the one that its links count from (U6). */
export interface NearerEntry extends Fingerprint {
  readonly kind: "nearer";
  readonly depth: number;
}

/** What is dispatched: to the owner of its host, whoever that is by then. */
export type HostsEntry = UrlEntry | HostEntry;

/** What concerns the place that it is told, and nobody else. */
type CopyEntry = HideEntry | NearerEntry;

export type Entry = HostsEntry | CopyEntry;

/** Whether it goes to the owner of its host, and to the next one if that is given up. */
export function isOfHost(entry: Entry): entry is HostsEntry {
  return entry.kind === "url" || entry.kind === "host";
}

/** A copy that stays as it is: the bytes of one that was read are a view of what it was read from. */
export function keptEntry<One extends Entry>(entry: One): One {
  return isOfHost(entry) ? { ...entry, record: entry.record.slice() } : entry;
}

const URL_TAG = 1;
const HOST_TAG = 2;
const HIDE_TAG = 3;
const NEARER_TAG = 4;
const TAGS = { url: URL_TAG, host: HOST_TAG, hide: HIDE_TAG, nearer: NEARER_TAG } as const;

const PLACES: Codec<readonly Place[]> = codec.list(PLACE);

/** A half of a fingerprint. Tables take 32 bits, so another number is not read. */
function half(from: ByteReader): number {
  const value = from.count();
  if (value > 0xff_ff_ff_ff) throw new RangeError("a fingerprint has halves of 32 bits");
  return value;
}

/** Their bytes are read as views of what arrived. */
export const ENTRY: Codec<Entry> = {
  write(entry, into) {
    into.byte(TAGS[entry.kind]);
    if (entry.kind !== "nearer") into.text(entry.host);
    if (isOfHost(entry)) into.bytes(entry.record);
    if (entry.kind === "host") return;
    into.count(entry.high);
    into.count(entry.low);
    if (entry.kind === "hide") PLACE.write(entry.toward, into);
    else into.count(entry.depth);
    if (entry.kind === "url") PLACES.write(entry.holders, into);
  },
  read(from) {
    const tag = from.byte();
    if (tag === NEARER_TAG) {
      const [high, low, depth] = [half(from), half(from), from.count()];
      return { kind: "nearer", high, low, depth };
    }
    const host = HOST.read(from);
    if (tag === HIDE_TAG) {
      const [high, low] = [half(from), half(from)];
      return { kind: "hide", host, high, low, toward: PLACE.read(from) };
    }
    const record = from.bytes();
    if (tag === HOST_TAG) return { kind: "host", host, record };
    if (tag !== URL_TAG) throw new RangeError("there is no entry of this kind");
    const [high, low, depth] = [half(from), half(from), from.count()];
    return { kind: "url", host, record, high, low, depth, holders: PLACES.read(from) };
  },
};

/** Entries as items of a stream; their bytes are read as views of what arrived. */
export const EntryType: ItemType<Entry> = itemType("entry", ENTRY);
