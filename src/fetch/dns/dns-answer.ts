/**
 * What is known of a name for a while: the addresses of both families, or why there are none. This
 * is what the cache keeps.
 *
 * Times to live are kept within bounds. The minimum also applies to "do not keep this" (0): the
 * address that is checked is the one that is connected to, so a kept answer is safe, and a crawler
 * that visits a host every second would otherwise ask every second. Node does not tell how long a
 * negative answer may be kept, so that time is fixed.
 */
import { parseAddress, printAddress, unmapped } from "../../formats/address/index.ts";
import type { AddressRecord, LookupAnswer } from "./dns-lookup.ts";

export interface DnsAnswer {
  readonly kind: "found" | "not-found" | "failed" | "timed-out";
  /** In order of preference; empty unless found. */
  readonly addresses: readonly string[];
  /** The error of the server, if it failed. */
  readonly reason: string;
  readonly expiresAtMs: number;
  /** The name at the end of its chain of aliases; null if that is not known, or was not asked for. */
  readonly canonical: string | null;
}

export const TTL_MS_MIN = 10_000;
export const TTL_MS_MAX = 86_400_000;
const NOT_FOUND_TTL_MS = 300_000;
/** Shorter than the first wait before a retry, so that the retry asks again. */
const FAILURE_TTL_MS = 5_000;

/** Combines the answers for both families, as far as they arrived. */
export function combined(name: string, answers: readonly LookupAnswer[], nowMs: number): DnsAnswer {
  const records = answers.flatMap((answer) => (answer.kind === "found" ? answer.records : []));
  if (records.length > 0) {
    const addresses = inPreference(
      name,
      records.map(({ address }) => address),
    );
    const expiresAtMs = nowMs + ttlMs(records);
    return { kind: "found", addresses, reason: "", expiresAtMs, canonical: null };
  }
  const failed = answers.find((answer) => answer.kind === "failed");
  if (failed !== undefined) return without("failed", nowMs + FAILURE_TTL_MS, failed.reason);
  const isKnown = answers.length === 2 && answers.every(({ kind }) => kind === "not-found");
  return isKnown
    ? without("not-found", nowMs + NOT_FOUND_TTL_MS)
    : without("timed-out", nowMs + FAILURE_TTL_MS);
}

export function without(
  kind: Exclude<DnsAnswer["kind"], "found">,
  expiresAtMs: number,
  reason = "",
): DnsAnswer {
  return { kind, addresses: [], reason, expiresAtMs, canonical: null };
}

function ttlMs(records: readonly AddressRecord[]): number {
  const leastMs = 1000 * records.reduce((least, one) => Math.min(least, one.ttlSeconds), Infinity);
  return Math.min(TTL_MS_MAX, Math.max(TTL_MS_MIN, leastMs));
}

/**
 * IPv4 before IPv6, each sorted and then rotated by the host's name. Servers rotate their answers
 * with every question, so their order means nothing; this one is the same each time, and hosts that
 * share a pool of addresses are spread over it.
 */
export function inPreference(name: string, texts: readonly string[]): readonly string[] {
  const families: { readonly ipv4: Uint8Array[]; readonly ipv6: Uint8Array[] } = {
    ipv4: [],
    ipv6: [],
  };
  for (const text of texts) {
    const bytes = parseAddress(text);
    // The policy refuses it, and the whole answer with it.
    if (bytes === null) return [text];
    const address = unmapped(bytes);
    families[address.length === 4 ? "ipv4" : "ipv6"].push(address);
  }
  const turn = turnOf(name);
  return [...turned(families.ipv4, turn), ...turned(families.ipv6, turn)];
}

function turned(addresses: readonly Uint8Array[], turn: number): readonly string[] {
  const sorted = [...new Set(addresses.toSorted(Buffer.compare).map(printAddress))];
  if (sorted.length < 2) return sorted;
  const start = turn % sorted.length;
  return [...sorted.slice(start), ...sorted.slice(0, start)];
}

/** Any number that differs between names will do. */
function turnOf(name: string): number {
  let turn = 0;
  for (let at = 0; at < name.length; at += 1)
    turn = (Math.imul(turn, 31) + name.charCodeAt(at)) | 0;
  return turn >>> 0;
}
