/**
 * Brings the units that a topology names from modules: those under `use` as a whole, and single ones
 * named `MODULE#EXPORT`. A module that cannot be loaded, or has no such unit, is a mistake at the place
 * that names it.
 */
import type { MistakeList } from "../../rules/settings/index.ts";
import { addMistake } from "./add-mistake.ts";
import type { ConnectorKind, Library, UnitDefinition } from "./library.ts";
import type { TopologyDescription, Written } from "./topology-description.ts";

/** Imports a module by a path or a package's name, from where the topology is. */
export type ImportUnits = (name: string) => Promise<unknown>;

const KINDS: ReadonlySet<unknown> = new Set([
  ...["source", "sink", "filter", "join", "merge", "general", "provider"],
]);

/** The library with everything in it that the description names; for what is missing there are mistakes. */
export async function loadLibrary(
  description: TopologyDescription,
  library: Library,
  { importUnits, mistakes }: { readonly importUnits: ImportUnits; readonly mistakes: MistakeList },
): Promise<Library> {
  const units = new Map(library.units);
  const connectorKinds = new Map(library.connectorKinds);
  const load = (named: Written, module: string) => loadModule(named, module, importUnits, mistakes);
  for (const named of description.use) {
    for (const one of Object.values((await load(named, named.text)) ?? {})) {
      if (isUnit(one)) units.set(one.name, one);
      else if (isConnectorKind(one)) connectorKinds.set(one.name, one);
    }
  }
  for (const { unit } of [...description.providers, ...description.components]) {
    const mark = unit.text.lastIndexOf("#");
    if (mark <= 0 || units.has(unit.text)) continue;
    const exports = await load(unit, unit.text.slice(0, mark));
    const found = exports?.[unit.text.slice(mark + 1)];
    if (isUnit(found)) units.set(unit.text, found);
  }
  return { units, connectorKinds };
}

async function loadModule(
  named: Written,
  module: string,
  importUnits: ImportUnits,
  mistakes: MistakeList,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    return (await importUnits(module)) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.message.split("\n", 1)[0] ?? "") : String(thrown);
    addMistake(mistakes, {
      ...{ code: "TOPOLOGY_UNKNOWN", location: named.location, key: module },
      problem: `cannot be loaded as a module: ${why}`,
    });
    return null;
  }
}

function isUnit(value: unknown): value is UnitDefinition {
  return isObject(value) && KINDS.has(value["kind"]) && typeof value["create"] === "function";
}

function isConnectorKind(value: unknown): value is ConnectorKind {
  return isObject(value) && "needsCodec" in value && typeof value["open"] === "function";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
