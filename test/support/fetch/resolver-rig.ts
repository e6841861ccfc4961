/** A resolver in simulated time, with name servers from a table; asking drives time on. */

import assert from "node:assert/strict";
import { DnsResolver } from "../../../src/fetch/dns/dns-resolver.ts";
import type { DnsResolverOptions, Resolution } from "../../../src/fetch/dns/index.ts";
import { AddressPolicy, type AddressPolicyOptions } from "../../../src/formats/address/index.ts";
import type { HostName } from "../../../src/formats/url/index.ts";
import { SimulatedTime } from "../lab/simulated-world.ts";
import { TableLookup, type TableLookupOptions } from "./table-lookup.ts";

export interface RigOptions extends Partial<DnsResolverOptions>, Omit<TableLookupOptions, "clock"> {
  readonly allow?: AddressPolicyOptions["allow"];
}

export class ResolverRig {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly lookup: TableLookup;
  readonly resolver: DnsResolver;

  constructor({ allow = [], ...options }: RigOptions) {
    this.lookup = new TableLookup({ ...options, clock: this.time });
    this.resolver = new DnsResolver({
      clock: this.time,
      lookup: this.lookup,
      policy: new AddressPolicy({ allow, block: [], ports: "any" }),
      hosts: null,
      timeoutMs: 5_000,
      cacheSize: 1_000,
      ...options,
    });
  }

  /** Asks, and checks that the answer comes once and not inside the call. */
  ask(host: string): { resolution: Resolution | null } {
    const box: { resolution: Resolution | null } = { resolution: null };
    let hasReturned = false;
    this.resolver.resolve(host as HostName, (resolution) => {
      assert.ok(hasReturned, "an answer never comes inside the call");
      assert.equal(box.resolution, null, "an answer comes only once");
      box.resolution = resolution;
    });
    hasReturned = true;
    return box;
  }

  /** Asks, and lets time pass until the answer is there. */
  resolve(host: string): Resolution {
    const box = this.ask(host);
    while (box.resolution === null) assert.ok(this.time.step(), "nothing will ever happen");
    return box.resolution;
  }

  /** The addresses, or the code of the failure. */
  outcome(host: string): string {
    return outcomeOf(this.resolve(host));
  }

  pass(ms: number): void {
    const untilMs = this.time.nowMs() + ms;
    let isOver = false;
    this.time.after(ms, () => {
      isOver = true;
    });
    while (!isOver) this.time.step();
    assert.ok(this.time.nowMs() >= untilMs);
  }
}

export function outcomeOf(resolution: Resolution | null): string {
  if (resolution === null) return "none yet";
  return resolution.kind === "resolved" ? resolution.addresses.join(" ") : resolution.error.code;
}
