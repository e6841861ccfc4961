/**
 * Connectors: bounded, typed queues that carry items from units to units.
 *
 * A producer opens an *inlet* and offers blocks of items; a block goes in as a whole or not at all. A
 * consumer opens an *outlet* and takes one item, or up to some number. Nobody blocks: a refusal is a
 * value, and `whenRoom` and `whenItems` tell when to try again, to those who wait longest first. When
 * every inlet is closed and the last item was taken, an outlet is *drained*.
 *
 * `LocalConnector` joins units of one thread: first in, first out; by priority with a `PriorityLine`;
 * or as a *tee*, which gives every item to each consumer. Units see only the contract in
 * `connector.ts`; the suite in `src/lab/conformance` tests it on every implementation.
 *
 * Words of this module:
 * - *block*: items of one producer that stay together
 * - *line*: where items wait inside a connector, in the order in which they will be taken
 * - *turnstile*: who waits at one side of a connector, in order of arrival
 *
 * Read `connector.ts` first.
 */
export type { Connector, Inlet, ItemsByConsumer, Outlet, Retire } from "./connector.ts";
export { Intake } from "./intake.ts";
export { LocalConnector } from "./local-connector.ts";
export { PriorityLine } from "./priority-line.ts";
