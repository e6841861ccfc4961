/**
 * Brings the units that a topology names from modules: those under `use` as a whole, and single ones
 * named `MODULE#EXPORT`. A module that cannot be loaded, or has no such unit, is a mistake at the place
 * that names it.
 */
import { thrownReason } from "../../base/text/index.ts";
import type { MistakeList } from "../../rules/settings/index.ts";
import { addMistake } from "./add-mistake.ts";
import { isConnectorKind, isUnit, kindFlaw, nameIn, unitFlaw } from "./flaws.ts";
import type { ConnectorKind, Library, UnitDefinition } from "./library.ts";
import type { TopologyDescription, Written } from "./topology-description.ts";
import type { TypeNames } from "./type-names.ts";

/** Imports a module by a path or a package's name, from where the topology is. */
export type ImportUnits = (name: string) => Promise<unknown>;

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
  const loading = new LibraryLoading(library, importUnits, mistakes);
  for (const named of description.use) await loading.use(named);
  for (const { unit } of [...description.providers, ...description.components]) {
    await loading.find(unit);
  }
  return loading;
}

type Exports = Readonly<Record<string, unknown>>;

class LibraryLoading implements LoadedLibrary {
  readonly library: { readonly units: Map<string, UnitDefinition> } & Pick<
    Library,
    "connectorKinds"
  >;
  readonly types = new Map<string, string>();
  readonly #importUnits: ImportUnits;
  readonly #mistakes: MistakeList;
  readonly #connectorKinds: Map<string, ConnectorKind>;
  /** A module is waited for once, also one that cannot be loaded. */
  readonly #modules = new Map<string, Promise<Exports>>();
  readonly #sound = new Set<UnitDefinition>();

  constructor(library: Library, importUnits: ImportUnits, mistakes: MistakeList) {
    this.#importUnits = importUnits;
    this.#mistakes = mistakes;
    this.#connectorKinds = new Map(library.connectorKinds);
    this.library = { units: new Map(library.units), connectorKinds: this.#connectorKinds };
  }

  /** Takes everything that a module has. */
  async use(named: Written): Promise<void> {
    const exports = (await this.#load(named, named.text)) ?? {};
    for (const [type, name] of typeNamesIn(exports["types"])) this.types.set(type, name);
    for (const one of Object.values(exports)) {
      if (isUnit(one)) {
        if (this.#isSound(one, named)) this.library.units.set(one.name, one);
      } else if (isConnectorKind(one)) {
        if (this.#told(one, "kind of connector", kindFlaw(one), named)) continue;
        this.#connectorKinds.set(one.name, one);
      }
    }
  }

  /** Takes the unit that is named, if a module has it; one that is known already is looked at. */
  async find(named: Written): Promise<void> {
    const { units } = this.library;
    const known = units.get(named.text);
    if (known !== undefined) {
      if (!this.#isSound(known, named)) units.delete(named.text);
      return;
    }
    const mark = named.text.lastIndexOf("#");
    if (mark <= 0) return;
    const exports = await this.#load(named, named.text.slice(0, mark));
    const found = exports?.[named.text.slice(mark + 1)];
    if (isUnit(found) && this.#isSound(found, named)) units.set(named.text, found);
  }

  async #load(named: Written, module: string): Promise<Exports | null> {
    try {
      let loading = this.#modules.get(module);
      loading ??= this.#importUnits(module) as Promise<Exports>;
      this.#modules.set(module, loading);
      return await loading;
    } catch (thrown) {
      addMistake(this.#mistakes, {
        ...{ code: "TOPOLOGY_UNKNOWN", location: named.location, key: module },
        problem: `cannot be loaded as a module: ${thrownReason(thrown)}`,
      });
      return null;
    }
  }

  #isSound(unit: UnitDefinition, named: Written): boolean {
    if (this.#sound.has(unit)) return true;
    if (this.#told(unit, "unit", unitFlaw(unit), named)) return false;
    this.#sound.add(unit);
    return true;
  }

  /** Whether there is a flaw, which is a mistake at the place that names it. */
  #told(
    one: UnitDefinition | ConnectorKind,
    what: string,
    flaw: string | null,
    { location }: Written,
  ): boolean {
    if (flaw === null) return false;
    const remedy = what === "unit" ? "; make it with a function of trobar/units" : "";
    addMistake(this.#mistakes, {
      ...{ code: "TOPOLOGY_TYPE", location, key: nameIn(one) },
      problem: `is not a whole ${what}: its ${flaw}${remedy}`,
    });
    return true;
  }
}

function typeNamesIn(table: unknown): [type: string, name: string][] {
  try {
    const entries = Object.entries((table ?? {}) as Exports);
    return entries.flatMap(([type, name]) => (typeof name === "string" ? [[type, name]] : []));
  } catch {
    // An export of this name that cannot be read is not such a table.
    return [];
  }
}
