/**
 * Brings the units that a topology names from modules: those under `use` as a whole, and single ones
 * named `MODULE#EXPORT`. A module that cannot be loaded, or has no such unit, is a mistake at the place
 * that names it.
 */
import { type MistakeList, Schema } from "../../rules/settings/index.ts";
import { addMistake } from "./add-mistake.ts";
import type { ConnectorKind, Library, UnitDefinition } from "./library.ts";
import type { TopologyDescription, Written } from "./topology-description.ts";
import type { TypeNames } from "./type-names.ts";

/** Imports a module by a path or a package's name, from where the topology is. */
export type ImportUnits = (name: string) => Promise<unknown>;

const KINDS: ReadonlySet<unknown> = new Set([
  ...["source", "sink", "filter", "join", "merge", "general", "provider"],
]);

export interface LoadedLibrary {
  /** With everything in it that the description names. */
  readonly library: Library;
  /** What names of types mean, by the modules under `use`. */
  readonly types: TypeNames;
}

/** For what is missing there are mistakes. */
export async function loadLibrary(
  description: TopologyDescription,
  library: Library,
  { importUnits, mistakes }: { readonly importUnits: ImportUnits; readonly mistakes: MistakeList },
): Promise<LoadedLibrary> {
  const types = new Map<string, string>();
  const units = new Map(library.units);
  const connectorKinds = new Map(library.connectorKinds);
  const load = (named: Written, module: string) => loadModule(named, module, importUnits, mistakes);
  for (const named of description.use) {
    const exports = (await load(named, named.text)) ?? {};
    for (const [type, name] of typeNamesIn(exports["types"])) types.set(type, name);
    for (const one of Object.values(exports)) {
      if (isUnit(one)) {
        if (isWhole(one, named, mistakes)) units.set(one.name, one);
      } else if (isConnectorKind(one)) connectorKinds.set(one.name, one);
    }
  }
  for (const { unit } of [...description.providers, ...description.components]) {
    const mark = unit.text.lastIndexOf("#");
    if (mark <= 0 || units.has(unit.text)) continue;
    const exports = await load(unit, unit.text.slice(0, mark));
    const found = exports?.[unit.text.slice(mark + 1)];
    if (isUnit(found) && isWhole(found, unit, mistakes)) units.set(unit.text, found);
  }
  return { library: { units, connectorKinds }, types };
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

/** Units of JavaScript modules are checked by no compiler. */
function isWhole(unit: UnitDefinition, { location }: Written, mistakes: MistakeList): boolean {
  const missing = missingPart(unit);
  if (missing === null) return true;
  addMistake(mistakes, {
    ...{ code: "TOPOLOGY_TYPE", location, key: typeof unit.name === "string" ? unit.name : null },
    problem: `is not a whole unit: its ${missing}; make it with a function of trobar/units`,
  });
  return false;
}

function missingPart(unit: UnitDefinition): string | null {
  if (typeof unit.name !== "string" || unit.name === "") return "name is not a text";
  for (const part of ["providers", "settings", "metrics"] as const) {
    if (!isObject(unit[part])) return `${part} are not an object`;
  }
  if (!Object.values(unit.providers).every(isNamed)) return "providers are not roles";
  try {
    new Schema(unit.settings);
  } catch {
    return "settings are not keys";
  }
  if (unit.kind === "provider") return isNamed(unit.provides) ? null : "role is not declared";
  for (const ends of ["inputs", "outputs"] as const) {
    if (!isObject(unit[ends])) return `${ends} are not an object`;
    if (!Object.values(unit[ends]).every(isNamed)) return `${ends} are not types of items`;
  }
  return null;
}

function isNamed(value: unknown): boolean {
  return isObject(value) && typeof value["name"] === "string";
}

function typeNamesIn(table: unknown): [type: string, name: string][] {
  const entries = isObject(table) ? Object.entries(table) : [];
  return entries.flatMap(([type, name]) => (typeof name === "string" ? [[type, name]] : []));
}

function isConnectorKind(value: unknown): value is ConnectorKind {
  return isObject(value) && "needsCodec" in value && typeof value["open"] === "function";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
