/**
 * Which addresses may be connected to: the one decision between a link on a hostile page and the
 * networks around the crawler. It is made for the actual address and port of every new connection,
 * so it does not matter what a name resolved to a moment ago.
 *
 * Invariant: an IPv6 address is permitted only if it and every IPv4 address inside it are
 * permitted; a text that is not an address never is. A blocked range is refused even if it is also
 * allowed, and the crawler's own listening ports are refused whatever is allowed.
 */
import assert from "node:assert/strict";
import { AddressRange } from "./address-range.ts";
import { embeddedAddresses, unmapped } from "./embedded-addresses.ts";
import { parseAddress } from "./parse-address.ts";
import { specialRangeOf } from "./special-ranges.ts";

export interface AddressPolicyOptions {
  /** Special ranges that may be connected to nevertheless: `fetch.allowAddresses`. */
  readonly allow: readonly string[] | "any";
  /** Ranges that are never connected to: `politeness.blockAddresses`. */
  readonly block: readonly string[];
  /** `fetch.ports`. */
  readonly ports: readonly number[] | "any";
  /** Ports on which this process listens. The set is read each time, so ports may be added later. */
  readonly ownPorts?: ReadonlySet<number> | undefined;
  /** Addresses of this machine besides loopback, at which its own ports can also be reached. */
  readonly ownAddresses?: readonly string[] | undefined;
}

export interface AddressRefusal {
  /**
   * `not-an-address`: the text is not one. `special`: not part of the public internet. `blocked`:
   * by the configuration. `port`: not a port that is crawled. `own-port`: the crawler's own.
   */
  readonly reason: "not-an-address" | "special" | "blocked" | "port" | "own-port";
  /** The range that decided, with its purpose if it is special: `10.0.0.0/8 (private use)`. */
  readonly range: string;
}

/** Addresses of this machine: systems treat the unspecified address as loopback. */
const OWN_RANGES = ["127.0.0.0/8", "0.0.0.0/8", "::1", "::"] as const;

export class AddressPolicy {
  readonly #allowed: readonly AddressRange[] | "any";
  #blocked: readonly AddressRange[];
  readonly #ports: ReadonlySet<number> | "any";
  readonly #ownPorts: ReadonlySet<number>;
  readonly #own: readonly AddressRange[];

  /** The ranges must be valid; the configuration has checked them. */
  constructor(options: AddressPolicyOptions) {
    const { allow, block, ports, ownPorts = new Set(), ownAddresses = [] } = options;
    this.#allowed = allow === "any" ? allow : allow.map(AddressRange.of);
    this.#blocked = block.map(AddressRange.of);
    this.#ports = ports === "any" ? ports : new Set(ports);
    this.#ownPorts = ownPorts;
    this.#own = [...OWN_RANGES, ...ownAddresses].map(AddressRange.of);
  }

  /** Other ranges that are never connected to; they must be valid too. */
  set block(ranges: readonly string[]) {
    this.#blocked = ranges.map(AddressRange.of);
  }

  /** Why no connection may be made to this address and port; null if one may. */
  refusal(address: string, port: number): AddressRefusal | null {
    const refusal = this.addressRefusal(address);
    if (refusal !== null) return refusal;
    if (this.#isOwn(address, port)) return { reason: "own-port", range: String(port) };
    if (this.#ports === "any" || this.#ports.has(port)) return null;
    return { reason: "port", range: [...this.#ports].join(", ") };
  }

  /** The part of `refusal` that does not depend on the port. */
  addressRefusal(address: string): AddressRefusal | null {
    const bytes = parseAddress(address);
    if (bytes === null) return { reason: "not-an-address", range: "" };
    const outer = unmapped(bytes);
    const refusal = this.#refusalOf(outer);
    if (refusal !== null || outer.length === 4) return refusal;
    for (const embedded of embeddedAddresses(outer)) {
      const inner = this.#refusalOf(embedded);
      if (inner !== null) return inner;
    }
    return null;
  }

  #refusalOf(bytes: Uint8Array): AddressRefusal | null {
    const blocked = holding(this.#blocked, bytes);
    if (blocked !== undefined) return { reason: "blocked", range: blocked.text };
    if (this.#allowed === "any") return null;
    const special = specialRangeOf(bytes);
    if (special === null || holding(this.#allowed, bytes) !== undefined) return null;
    return { reason: "special", range: `${special.range.text} (${special.name})` };
  }

  #isOwn(address: string, port: number): boolean {
    if (!this.#ownPorts.has(port)) return false;
    const bytes = parseAddress(address);
    assert(bytes !== null, "only addresses come this far");
    const reached = [unmapped(bytes), ...embeddedAddresses(bytes)];
    return reached.some((one) => holding(this.#own, one) !== undefined);
  }
}

function holding(ranges: readonly AddressRange[], bytes: Uint8Array): AddressRange | undefined {
  return ranges.find((range) => range.contains(bytes));
}
