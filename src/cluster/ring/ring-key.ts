/**
 * What the ring assigns: hosts, to the agents that crawl them, and addresses, to the agents that
 * grant fetch slots for them. Both are texts, and some hosts are addresses; so an address has a sign
 * before it that no host can contain, and its place says nothing about that of the host.
 */
import { HostHasher, type KeyHost } from "../../formats/url/index.ts";
import type { Place } from "./nearest-agent.ts";

/** Only `addressKey` makes one. */
export type AddressKey = string & { readonly brand: "AddressKey" };

export type RingKey = KeyHost | AddressKey;

/** The key of an IP address as `printAddress` writes it, without brackets. */
export function addressKey(address: string): AddressKey {
  return `@${address}` as AddressKey;
}

/** One for all rings of a thread: it has memory of its own, and every call is complete in itself. */
let hasher: HostHasher | null = null;

/** Writes the place of a key on the circle to `place`: the high half, then the low one. */
export function placeOf(key: RingKey, place: Place): void {
  hasher ??= new HostHasher();
  hasher.ringPoint(key, place);
}
