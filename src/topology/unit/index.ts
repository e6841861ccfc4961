/**
 * Units: components and providers, as their authors declare them.
 *
 * A component takes items in, puts items out, or both; a provider is a service that units share. Both
 * are declared as data, types included, and made by a `create` that gets settings, providers and
 * metrics. Life cycle, batches, back-pressure, suspension and failures are the runtime's.
 *
 * ```ts
 * const lengths = filter({
 *   name: "lengths", input: Text, output: Count,
 *   create: () => (text, emit) => emit(text.length),
 * });
 * ```
 *
 * Read `kinds.ts` first; `component.ts` is what the runtime sees of every kind.
 */
export type {
  ComponentDefinition,
  Emit,
  Ends,
  Taken,
  Work,
  Workplace,
} from "./component.ts";
export { filter, general, join, merge, provider, sink, source } from "./kinds.ts";
export { promised } from "./promised.ts";
export {
  type ProviderDefinition,
  type ProviderRole,
  type Provision,
  providerRole,
} from "./provider.ts";
export type { Unit } from "./unit.ts";
