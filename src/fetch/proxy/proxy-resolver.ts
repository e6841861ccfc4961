/**
 * The resolver behind a proxy: the proxy resolves names, and often only the proxy can. We then know no
 * address of a host, so only the delay of hosts applies to it. Hosts that are addresses are still
 * checked by the policy, and so is loopback for names that mean it.
 */

import type { Clock } from "../../base/seams/index.ts";
import { type AddressPolicy, hostAddress, resolutionRefusal } from "../../formats/address/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { Resolution, Resolver } from "../dns/index.ts";
import { isLocalhost, nameOf } from "../dns/index.ts";

const LOOPBACK = "127.0.0.1";

const UNKNOWN: Resolution = {
  kind: "resolved",
  addresses: [],
  expiresAtMs: Number.POSITIVE_INFINITY,
};

export class ProxyResolver implements Resolver {
  readonly #policy: AddressPolicy;
  readonly #clock: Clock;

  constructor(policy: AddressPolicy, clock: Clock) {
    this.#policy = policy;
    this.#clock = clock;
  }

  resolve(host: HostName, done: (resolution: Resolution) => void): void {
    const resolution = this.#resolution(host);
    this.#clock.after(0, () => done(resolution));
  }

  close(): void {}

  #resolution(host: HostName): Resolution {
    const address = isLocalhost(nameOf(host)) ? LOOPBACK : hostAddress(host);
    const refusal = address === null ? null : this.#policy.addressRefusal(address);
    if (address === null || refusal === null) return UNKNOWN;
    return { kind: "failed", error: resolutionRefusal(host, address, refusal) };
  }
}
