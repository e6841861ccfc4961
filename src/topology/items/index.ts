/**
 * Items: what connectors carry, with types that exist at run time.
 *
 * An `ItemType` is a name and a codec. Units declare the types of their inputs and outputs with them,
 * so a wiring that does not fit is found when a topology is loaded. Inside a thread items are passed as
 * they are; between threads and processes the codec turns them into bytes (`codec.ts` has the pieces
 * that codecs are put together from, `bytes.ts` what they write to and read from).
 *
 * ```ts
 * const Visit = itemType("example/visit", codec.struct({ url: codec.text, depth: codec.count }));
 * ```
 *
 * Read `item-type.ts` first.
 */
export { ByteReader, ByteWriter } from "./bytes.ts";
export type { Codec } from "./codec.ts";
export * as codec from "./codec.ts";
export { type ItemLife, ItemType, itemType } from "./item-type.ts";
