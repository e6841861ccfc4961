/**
 * Fetching: from a host to checked addresses.
 *
 * A `Resolver` answers with addresses that may be connected to, or with an error whose code says
 * what helps. `DnsResolver` is the one there is: a state machine that joins equal questions, keeps
 * answers for their time to live, lets few questions out at once and domains take turns, and shows
 * every address of every answer to the `AddressPolicy`. Below it is one seam, `AddressLookup`, one
 * question to name servers; the real one asks by Node's resolver, tests answer from a table in
 * simulated time. `openResolver` puts it together from the configuration's values.
 *
 *     host ─► literal? localhost? hosts file? ─► DnsCache ─► DnsQuestion ─► DnsQueue ─► AddressLookup
 *                                                                │ both families, one deadline
 *             Resolution ◄── AddressPolicy, every address ◄──────┘
 *
 * The address that was checked is handed on as it is, and is the one connected to; the connection
 * asks the policy once more (`connectRefusal` of `address`), with its port.
 *
 * Read `resolver.ts` first (the contract), then `dns-resolver.ts`; docs/adr/0022 has the reasons.
 */
export type { AddressLookup, AddressRecord, LookupAnswer } from "./dns-lookup.ts";
export { DnsResolver, type DnsResolverOptions } from "./dns-resolver.ts";
export { HostsFile } from "./hosts-file.ts";
export { type OpenResolverOptions, openResolver } from "./open-resolver.ts";
export type { Resolution, Resolver } from "./resolver.ts";
