/**
 * Address slots: how agents are polite together to an address at which several of them have hosts
 * (rule A1 of the protocol).
 *
 *     fetch ──acquire──► AddressSlots ──free──► flies
 *                             │
 *                             └──request──► granter of the address ──► one fetch at a time,
 *                             ◄──granted──┘                            one delay apart
 *
 * The granter of an address is the first member in its order on the ring that is not dead. An agent asks
 * it when it first meets the address. If nobody else uses the address, the agent is *free*: it fetches
 * without asking, as long as it knows that the granter has heard it within the time that a fetch may take;
 * that costs one question to each granter in that time. When a second agent comes, the granter
 * tells the first that it is no longer free, learns what that one has in flight, and from then on each
 * fetch needs a slot. A slot is for one fetch; its end is reported, and the next slot is given one delay
 * later. A slot whose holder is silent expires when its fetch must have ended.
 *
 * Granters keep nothing on a disk. When somebody is no longer on the *roll*, the set of possible granters, in
 * the view of a granter, it *inquires* of all members which of its addresses they use and what is in flight;
 * and of single ones when they come to the roll, have begun another life, or invite it because their own roll
 * was smaller for a while. When somebody comes, addresses move to that one only, and what others have said of
 * the rest still counts. It gives no slot before all have answered under the roll that it has itself, or had
 * before others came, plus one delay. So the slots of at most one granter of an address count, as long as the
 * views of agents that hear each other differ for less than a fetch may take.
 *
 * Words of this module:
 * - *slot*: the permission for one fetch from an address
 * - *granter*: the agent that gives the slots of an address
 * - *roll*: the members of the ring that are not dead, as one agent sees them
 * - *free*: alone at an address, so that no slots are needed
 * - *flight*: a fetch, from the wish for a slot to its end
 * - *inquiry*: the question of a granter what an agent uses; the *session* that follows lasts until the
 *   next one
 *
 * Read `address-slots.ts` first, then `granter.ts` and `granted-address.ts`; docs/adr/0060 has the
 * reasons.
 */
export { AddressSlots } from "./address-slots.ts";
export type { SlotSettings } from "./slot-settings.ts";
