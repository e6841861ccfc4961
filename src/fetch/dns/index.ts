/**
 * Names: which addresses a host has, and whether they may be connected to.
 *
 * `DnsResolver` is a state machine: it joins equal questions, keeps answers for their time to live,
 * and limits the questions in flight by domain, so that one silent name server holds up no others.
 * Below it is one seam, `AddressLookup`: one question to name servers. `openResolver` puts it
 * together with the hosts file of the machine.
 *
 * Words of this module:
 * - *question*: a name being asked for, with all callers that wait for it
 * - *lookup*: one question to name servers, about one name and one family of addresses (IPv4 or
 *   IPv6)
 * - *late*: of a question, without an answer for a second; it then waits without a slot
 * - *alias*: a name that stands for another (CNAME); *canonical name*: where its chain of aliases
 *   ends
 * - *hosts file*: the machine's own table of names and addresses
 *
 * Read `resolver.ts` first, the contract, then `dns-resolver.ts`; docs/adr/0022 has the reasons.
 */
export type { AddressLookup, AliasAnswer, LookupAnswer } from "./dns-lookup.ts";
export { isLocalhost, nameOf } from "./dns-name.ts";
export type { DnsResolverOptions } from "./dns-resolver.ts";
export { openResolver } from "./open-resolver.ts";
export type { Resolution, Resolver } from "./resolver.ts";
