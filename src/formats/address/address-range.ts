/**
 * A range of addresses in the notation of RFC 4632 and 4291, `10.0.0.0/8`: all addresses that begin
 * with the same bits as the one written. A single address is a range of one. A range of IPv4
 * contains no IPv6 address and vice versa, except that a range inside `::ffff:0:0/96` is stored as
 * the range of IPv4 that it is another spelling of.
 */
import assert from "node:assert/strict";
import { unmapped } from "./embedded-addresses.ts";
import { parseAddress } from "./parse-address.ts";

const MAPPED_BITS = 96;

export class AddressRange {
  /** As it was written. */
  readonly text: string;
  readonly #prefix: Uint8Array;
  readonly #bits: number;

  private constructor(text: string, prefix: Uint8Array, bits: number) {
    this.text = text;
    this.#prefix = prefix;
    this.#bits = bits;
  }

  /** Only for a text without `addressRangeProblem`. */
  static of(text: string): AddressRange {
    const problem = addressRangeProblem(text);
    assert(problem === null, `${text} ${problem}`);
    const { address, bitsText } = split(text);
    const written = parseAddress(address) ?? new Uint8Array(0);
    const bits = bitsText === null ? 8 * written.length : Number(bitsText);
    const prefix = bits >= MAPPED_BITS ? unmapped(written) : written;
    const dropped = 8 * (written.length - prefix.length);
    return new AddressRange(text, prefix, bits - dropped);
  }

  contains(address: Uint8Array): boolean {
    if (address.length !== this.#prefix.length) return false;
    const whole = this.#bits >> 3;
    for (let at = 0; at < whole; at += 1) if (address[at] !== this.#prefix[at]) return false;
    const rest = this.#bits & 7;
    if (rest === 0) return true;
    const difference = (address[whole] ?? 0) ^ (this.#prefix[whole] ?? 0);
    return difference >> (8 - rest) === 0;
  }
}

/** What is wrong with the text of a range, as the end of a sentence; null for a valid one. */
export function addressRangeProblem(text: string): string | null {
  const { address, bitsText } = split(text);
  const bytes = parseAddress(address);
  if (bytes === null) return "is not an address or a range of addresses";
  if (bitsText === null) return null;
  const bitsMax = 8 * bytes.length;
  return /^(?:0|[1-9]\d{0,2})$/.test(bitsText) && Number(bitsText) <= bitsMax
    ? null
    : `needs a number from 0 to ${bitsMax} after its slash`;
}

function split(text: string): { readonly address: string; readonly bitsText: string | null } {
  const slash = text.indexOf("/");
  if (slash === -1) return { address: text, bitsText: null };
  return { address: text.slice(0, slash), bitsText: text.slice(slash + 1) };
}
