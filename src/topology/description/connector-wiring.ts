/**
 * From a kind of connector, a type of items and settings to the wiring of a connector; and to the same
 * one again on another thread, which knows kinds and types by their names.
 */
import { nearestName } from "../../base/text/index.ts";
import type { ItemType } from "../items/index.ts";
import {
  type AcrossThreads,
  type ConnectorForm,
  type ConnectorWiring,
  refused,
} from "../runtime/index.ts";
import type { ConnectorKind, Library } from "./library.ts";

interface KindAndType {
  readonly kind: ConnectorKind;
  readonly type: ItemType<unknown>;
}

export function wireConnector(
  id: string,
  { kind, type }: KindAndType,
  settings: object,
): ConnectorWiring {
  return {
    id,
    open: () => kind.open(type, settings, id),
    form: { kind: kind.name, type: type.name, settings },
    ...(kind.joinsThreads === true ? { across: acrossThreads(id, { kind, type }, settings) } : {}),
  };
}

/** Refuses a kind or type that this library does not have. */
export function wireAgain(id: string, form: ConnectorForm, library: Library): ConnectorWiring {
  const kind = named(library.connectorKinds, form.kind, "kind of connector");
  const type = named(typesOf(library), form.type, "type of items");
  return wireConnector(id, { kind, type }, form.settings);
}

/**
 * All types that units of a library declare, by name. Authors of units know a type by its name alone, so
 * among namesakes that whose items have a life is meant.
 */
export function typesOf({ units }: Library): Map<string, ItemType<unknown>> {
  const ends = [...units.values()].flatMap((unit) =>
    unit.kind === "provider" ? [] : [...Object.values(unit.inputs), ...Object.values(unit.outputs)],
  );
  const types = new Map<string, ItemType<unknown>>();
  for (const type of ends) {
    if ((types.get(type.name)?.life ?? null) === null) types.set(type.name, type);
  }
  return types;
}

function acrossThreads(id: string, { kind, type }: KindAndType, settings: object): AcrossThreads {
  const { capacity } = settings as { readonly capacity: number };
  // Kinds that join threads open at once.
  const open = (share: number) =>
    kind.open(type, { ...settings, capacity: share }, id) as ReturnType<AcrossThreads["open"]>;
  return { type, capacity, open };
}

function named<Value>(known: ReadonlyMap<string, Value>, name: string, what: string): Value {
  const found = known.get(name);
  if (found !== undefined) return found;
  const nearest = nearestName(name, known.keys());
  throw refused(
    `${name} is not a known ${what} on another thread, which knows those that the topology was ` +
      `started with${nearest === null ? "" : `, such as ${nearest}`}`,
  );
}
