/**
 * Checks a topology as a whole before anything of it starts: every name, role, type and setting, what is
 * bound twice, what is not bound, connectors without a producer or a consumer, providers that use each
 * other in a circle. All mistakes are collected, each with its place; if there are none, the result is a
 * wiring that fits.
 */
import { nearestName } from "../../base/text/index.ts";
import {
  type Location,
  type MistakeList,
  readLayers,
  Schema,
  type SchemaTree,
  settingsOfTree,
} from "../../rules/settings/index.ts";
import type { ItemType } from "../items/index.ts";
import type {
  ComponentWiring,
  ConnectorWiring,
  FailurePolicy,
  ProviderWiring,
  Wiring,
} from "../runtime/index.ts";
import type { ComponentDefinition, ProviderDefinition } from "../unit/index.ts";
import { addMistake, nameShown } from "./add-mistake.ts";
import { checkCircle, checkConnected } from "./check-connected.ts";
import { checkThreads, type KnownConnector } from "./check-threads.ts";
import { typesOf, wireConnector } from "./connector-wiring.ts";
import { type Fragment, idProblems, WHOLE } from "./fragment.ts";
import type { Library, UnitDefinition } from "./library.ts";
import type {
  Binding,
  ComponentDescription,
  ConnectorDescription,
  ProviderDescription,
  TopologyDescription,
  UnitDescription,
  Written,
} from "./topology-description.ts";

const POLICIES: readonly FailurePolicy[] = ["skip", "restart", "stop"];
const INSTANCES_MAX = 10_000;

/** Null when there are mistakes; they are in the list. */
export function checkTopology(
  description: TopologyDescription,
  library: Library,
  mistakes: MistakeList,
  fragment: Fragment = WHOLE,
): Wiring | null {
  const check = new TopologyCheck(description, library, { mistakes, fragment });
  const wiring = check.wiring();
  return mistakes.isEmpty ? wiring : null;
}

type Code = "TOPOLOGY_BINDING" | "TOPOLOGY_TYPE" | "TOPOLOGY_UNKNOWN" | "CONFIG_BAD_VALUE";

interface Problem {
  readonly key: string;
  readonly problem: string;
  readonly value?: string;
  readonly legal?: string | (() => string | null);
  readonly nearest?: () => string | null;
}

interface Bindings {
  /** What the unit declares, by role: the names of types of items, or of roles of providers. */
  readonly roles: Readonly<Record<string, { readonly name: string }>>;
  readonly end: string;
  /** What there is to be bound: ids, with the same names. */
  readonly known: () => ReadonlyMap<string, string>;
}

class TopologyCheck {
  readonly #described: TopologyDescription;
  readonly #library: Library;
  readonly #mistakes: MistakeList;
  readonly #fragment: Fragment;
  readonly #providers = new Map<string, ProviderDefinition>();
  readonly #connectors = new Map<string, KnownConnector>();
  readonly #providerIds: ReadonlySet<string>;
  readonly #connectorIds: ReadonlySet<string>;
  /** The settings of connectors, by id. */
  readonly #built = new Map<string, object>();

  constructor(
    described: TopologyDescription,
    library: Library,
    { mistakes, fragment }: { readonly mistakes: MistakeList; readonly fragment: Fragment },
  ) {
    this.#described = described;
    this.#library = library;
    this.#mistakes = mistakes;
    this.#fragment = fragment;
    this.#providerIds = new Set(described.providers.map(({ id }) => id.text));
    this.#connectorIds = new Set(described.connectors.map(({ id }) => id.text));
  }

  wiring(): Wiring {
    const { providers, connectors, components } = this.#described;
    this.#checkIds([...providers, ...connectors, ...components].map(({ id }) => id));
    for (const one of providers) this.#learnProvider(one);
    const types = typesOf(this.#library);
    for (const one of connectors) this.#learnConnector(one, types);
    const wiring = {
      providers: providers.flatMap((one) => this.#provider(one)),
      connectors: connectors.flatMap((one) => this.#connector(one)),
      components: components.flatMap((one) => this.#component(one)),
    };
    const checked = {
      described: this.#described,
      connectors: this.#connectors,
      built: this.#built,
    };
    // What is swapped keeps its ends.
    if (this.#fragment.use === "add") checkConnected(checked, this.#mistakes);
    checkCircle(this.#described, this.#mistakes);
    checkThreads(checked, this.#mistakes);
    return wiring;
  }

  #checkIds(ids: readonly Written[]): void {
    const seen = new Set<string>();
    for (const { text, location } of ids) {
      if (seen.has(text)) {
        const problem = "is the id of two units or connectors; each needs its own";
        this.#refuse("TOPOLOGY_BINDING", location, { key: text, problem });
      }
      seen.add(text);
    }
    for (const { id, problem } of idProblems(this.#described, this.#fragment)) {
      this.#refuse("TOPOLOGY_BINDING", id.location, { key: id.text, problem });
    }
  }

  #learnProvider({ id, unit }: UnitDescription): void {
    const definition = this.#definition(unit);
    if (definition === null) return;
    if (definition.kind === "provider") this.#providers.set(id.text, definition);
    else this.#refuseKind(unit, `is a ${definition.kind}, not a provider`);
  }

  #learnConnector(
    described: ConnectorDescription,
    types: ReadonlyMap<string, ItemType<unknown>>,
  ): void {
    const { id, type: typeName } = described;
    const kindName = described.kind ?? { text: "local", location: id.location };
    const { connectorKinds } = this.#library;
    const kind = connectorKinds.get(kindName.text);
    if (kind === undefined) this.#refuseUnknown(kindName, "kind of connector", connectorKinds);
    const type = types.get(typeName.text);
    if (type === undefined) this.#refuseUnknown(typeName, "type of items", types);
    if (kind === undefined || type === undefined) return;
    if (kind.needsCodec && type.codec === null) {
      const problem = `cannot carry ${type.name}: items of this type do not leave their thread`;
      this.#refuse("TOPOLOGY_TYPE", typeName.location, { key: id.text, problem });
    }
    this.#connectors.set(id.text, { described, kind, type });
  }

  #provider(described: ProviderDescription): ProviderWiring[] {
    const definition = this.#providers.get(described.id.text);
    if (definition === undefined) return [];
    return [
      {
        id: described.id.text,
        definition,
        settings: this.#settings(described, definition.settings),
        providers: this.#boundProviders(described, definition),
        ...(described.shared?.text === "true" ? { shared: true } : {}),
      },
    ];
  }

  #connector({ id, settings }: ConnectorDescription): ConnectorWiring[] {
    const known = this.#connectors.get(id.text);
    if (known === undefined) return [];
    const { kind } = known;
    const schema = new Schema(kind.settings);
    const values = this.#values(settings, schema, `a ${kind.name} connector`);
    const built = schema.build(values);
    this.#built.set(id.text, built);
    return [wireConnector(id.text, known, built)];
  }

  #component(described: ComponentDescription): ComponentWiring[] {
    const definition = this.#definition(described.unit);
    if (definition === null) return [];
    if (definition.kind === "provider") {
      this.#refuseKind(described.unit, "is a provider, not a component");
      return [];
    }
    return [
      {
        id: described.id.text,
        definition,
        instances: this.#instances(described.instances),
        settings: this.#settings(described, definition.settings),
        inputs: this.#ends(described, definition, "inputs"),
        outputs: this.#ends(described, definition, "outputs"),
        providers: this.#boundProviders(described, definition),
        onFailure: this.#policy(described.onFailure),
        ...(described.thread === null ? {} : { thread: described.thread.text }),
      },
    ];
  }

  #definition(unit: Written): UnitDefinition | null {
    const { units } = this.#library;
    const definition = units.get(unit.text);
    if (definition !== undefined) return definition;
    this.#refuseUnknown(unit, "unit", units);
    return null;
  }

  #settings(
    { id, settings }: UnitDescription,
    tree: SchemaTree<object>,
  ): ReadonlyMap<string, unknown> {
    if (settings === null) return new Map();
    return this.#values(settings, new Schema(tree), nameShown(id.text));
  }

  #values(
    settings: ConnectorDescription["settings"],
    schema: Schema<object>,
    of: string,
  ): ReadonlyMap<string, unknown> {
    const given = settingsOfTree(settings, schema, this.#mistakes, { of });
    return readLayers([{ settings: given, lastWins: false }], schema, this.#mistakes).values;
  }

  #boundProviders(
    described: UnitDescription,
    { providers: roles }: UnitDefinition,
  ): Record<string, string> {
    const bound = this.#bound(described.id, described.providers, {
      ...{ roles, end: "provider", known: () => this.#roleNames() },
    });
    for (const { role, id } of bound.values()) {
      const wanted = roles[role.text]?.name;
      const { providers: running } = this.#fragment.running;
      const given = this.#providers.get(id.text)?.provides.name ?? running.get(id.text);
      if (given === undefined) {
        const known = new Map<string, unknown>([...running, ...this.#providers]);
        if (!this.#isProvider(id.text)) this.#refuseUnknown(id, "provider", known);
      } else if (given !== wanted) {
        const problem = `provides ${given}, but ${role.text} of ${nameShown(described.id.text)} needs ${wanted}`;
        this.#refuse("TOPOLOGY_TYPE", id.location, { key: id.text, problem });
      }
    }
    return idsOf(bound);
  }

  #ends(
    described: ComponentDescription,
    definition: ComponentDefinition,
    side: "inputs" | "outputs",
  ): Record<string, string> {
    const types = definition[side];
    const end = side === "inputs" ? "input" : "output";
    const bound = this.#bound(described.id, described[side], {
      ...{ roles: types, end, known: () => this.#typeNames() },
    });
    for (const { role, id } of bound.values()) {
      const { connectors: running } = this.#fragment.running;
      const carried = this.#connectors.get(id.text)?.type.name ?? running.get(id.text);
      const type = types[role.text];
      if (carried === undefined) {
        const known = new Map<string, unknown>([...running, ...this.#connectors]);
        if (!this.#isConnector(id.text)) this.#refuseUnknown(id, "connector", known);
      } else if (type !== undefined && type.name !== carried) {
        const problem = `carries ${carried}, but ${end} ${role.text} of ${nameShown(described.id.text)} is of type ${type.name}`;
        this.#refuse("TOPOLOGY_TYPE", id.location, { key: id.text, problem });
      }
    }
    return idsOf(bound);
  }

  /** The bindings of roles that there are; every role that has none, or two, is told. */
  #bound(
    unit: Written,
    bindings: readonly Binding[],
    { roles: wanted, end, known }: Bindings,
  ): Map<string, Binding> {
    const roles = Object.keys(wanted);
    const bound = new Map<string, Binding>();
    for (const binding of bindings) {
      const { text, location } = binding.role;
      if (!roles.includes(text)) {
        const problem = `is not a role of ${end}s of ${nameShown(unit.text)}`;
        const nearest = () => nearestName(text, roles);
        const legal = roles.length === 0 ? "none" : roles.join(", ");
        this.#refuse("TOPOLOGY_UNKNOWN", location, { key: text, problem, legal, nearest });
      } else if (bound.has(text)) {
        const problem = `of ${nameShown(unit.text)} is bound twice`;
        this.#refuse("TOPOLOGY_BINDING", location, { key: `${end} ${text}`, problem });
      } else bound.set(text, binding);
    }
    for (const role of roles) {
      if (bound.has(role)) continue;
      const problem = `has nothing bound to its ${end} ${role}`;
      const legal = (): string | null => {
        const fitting = [...known()].filter(([, name]) => name === wanted[role]?.name);
        return fitting.length === 0 ? null : fitting.map(([id]) => nameShown(id)).join(", ");
      };
      this.#refuse("TOPOLOGY_BINDING", unit.location, { key: unit.text, problem, legal });
    }
    return bound;
  }

  /** Ids of providers with their roles. */
  #roleNames(): Map<string, string> {
    const own = Array.from(this.#providers, ([id, one]) => [id, one.provides.name] as const);
    return new Map([...this.#fragment.running.providers, ...own]);
  }

  /** Ids of connectors with the types of their items. */
  #typeNames(): Map<string, string> {
    const own = Array.from(this.#connectors, ([id, { type }]) => [id, type.name] as const);
    return new Map([...this.#fragment.running.connectors, ...own]);
  }

  /** Also those whose own description has a mistake, which has been told. */
  #isProvider(id: string): boolean {
    return this.#providerIds.has(id);
  }

  #isConnector(id: string): boolean {
    return this.#connectorIds.has(id);
  }

  #instances(written: Written | null): number {
    if (written === null) return 1;
    const count = /^\d{1,6}$/.test(written.text) ? Number(written.text) : 0;
    if (count >= 1 && count <= INSTANCES_MAX) return count;
    this.#refuse("CONFIG_BAD_VALUE", written.location, {
      ...{ key: "instances", value: written.text, problem: "is not a number of instances" },
      legal: `1 to ${INSTANCES_MAX}`,
    });
    return 1;
  }

  #policy(written: Written | null): FailurePolicy {
    if (written === null) return "skip";
    const policy = POLICIES.find((one) => one === written.text);
    if (policy !== undefined) return policy;
    this.#refuse("CONFIG_BAD_VALUE", written.location, {
      ...{ key: "onFailure", value: written.text, problem: "is none of the choices" },
      ...{ legal: POLICIES.join(", "), nearest: () => nearestName(written.text, POLICIES) },
    });
    return "skip";
  }

  #refuseKind({ text, location }: Written, problem: string): void {
    this.#refuse("TOPOLOGY_TYPE", location, { key: text, problem });
  }

  #refuseUnknown(
    { text, location }: Written,
    what: string,
    known: ReadonlyMap<string, unknown>,
  ): void {
    const problem = `is not a known ${what}`;
    const nearest = () => nearestName(text, known.keys());
    // A long list of names helps nobody; the nearest one does.
    const isShort = known.size <= 12 && known.size > 0;
    const legal = isShort ? { legal: [...known.keys()].join(", ") } : {};
    this.#refuse("TOPOLOGY_UNKNOWN", location, { key: text, problem, nearest, ...legal });
  }

  #refuse(code: Code, location: Location, problem: Problem): void {
    addMistake(this.#mistakes, { code, location, ...problem });
  }
}

function idsOf(bound: ReadonlyMap<string, Binding>): Record<string, string> {
  return Object.fromEntries(Array.from(bound, ([role, { id }]) => [role, id.text]));
}
