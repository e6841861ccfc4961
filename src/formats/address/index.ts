/**
 * Addresses, and which of them may be connected to.
 *
 * A crawler follows links that strangers write. Some of them lead to the machine it runs on, to the
 * network behind it, or to the address at which a cloud hands out its secrets; some are names whose
 * owner makes them resolve there. So every connection is judged by the address that is actually
 * connected to, by its bytes: `parseAddress` makes them, strictly, `specialRangeOf` knows what IANA
 * keeps apart from the public internet, and `AddressPolicy` combines that with what the
 * configuration allows and blocks. An IPv4 address hidden in an IPv6 one is judged as well.
 *
 *     fetch.allowAddresses ─┐
 *     politeness.blockAddresses ─► AddressPolicy ──refusal(address, port)──► null, or why not
 *     fetch.ports, own ports ┘            └─connectRefusal─► the same as an error with its code
 *
 * The policy is asked twice: when a name has been resolved (one forbidden address spoils the whole
 * answer) and when a connection is made. `hostAddress` recognises hosts that are addresses;
 * disguises such as `0x7f.1` have been undone by the URL parser. Nothing here touches a network.
 *
 * Words of this module:
 * - *address range*: addresses that begin with the same bits, such as `10.0.0.0/8`
 * - *special range*: addresses that are not part of the public internet, by IANA's registries
 * - *embedded address*: an IPv4 address inside an IPv6 one
 *
 * Read `address-policy.ts` first; docs/adr/0022 has the reasons.
 */
export { AddressPolicy, type AddressPolicyOptions } from "./address-policy.ts";
export { addressRangeProblem } from "./address-range.ts";
export { connectRefusal, resolutionRefusal } from "./connect-refusal.ts";
export { unmapped } from "./embedded-addresses.ts";
export { hostAddress } from "./host-address.ts";
export { networkOf } from "./network-of.ts";
export { parseAddress } from "./parse-address.ts";
export { printAddress } from "./print-address.ts";
