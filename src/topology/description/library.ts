/**
 * A library: everything that a topology may name. Units come with the program or from modules of the
 * user; types of items are those that any of these units declares; kinds of connectors are registered.
 * Two units of one name, or two types with different codecs, are a mistake of whoever wrote them.
 */

import { CrawlError } from "../../base/errors/index.ts";
import { key, type SchemaTree, value } from "../../rules/settings/index.ts";
import type { Connector } from "../connector/index.ts";
import { LocalConnector, PriorityLine } from "../connector/index.ts";
import type { ItemType } from "../items/index.ts";
import type { ComponentDefinition, ProviderDefinition } from "../unit/index.ts";
import { remoteKind } from "./remote-kind.ts";

export type UnitDefinition = ComponentDefinition | ProviderDefinition;

/** How a kind of connector is opened, by settings of its own. */
export interface ConnectorKind<Settings extends object = object> {
  readonly name: string;
  readonly settings: SchemaTree<Settings>;
  /** Whether items leave the thread, so that their type needs a codec. */
  readonly needsCodec: boolean;
  /**
   * Whether its ends may be on different threads. Its settings then have a `capacity`, and it is opened
   * with smaller ones, which add up to that.
   */
  readonly joinsThreads?: boolean;
  /** Whether its other end is in another process; then one end here is enough. */
  readonly isOneEnded?: boolean;
  /** What is wrong with its settings and with which ends components have here, or null. */
  problemOf?(
    settings: Settings,
    ends: { readonly isFilled: boolean; readonly isTaken: boolean },
  ): string | null;
  open(
    type: ItemType<unknown>,
    settings: Settings,
    id: string,
  ): Connector<unknown> | Promise<Connector<unknown>>;
}

export interface Library {
  readonly units: ReadonlyMap<string, UnitDefinition>;
  readonly connectorKinds: ReadonlyMap<string, ConnectorKind>;
}

const CAPACITY = key(value.count({ min: 1, max: 1_000_000 }), {
  default: 1024,
  meaning: "Items inside at most.",
});

const LOCAL: ConnectorKind<{ readonly capacity: number }> = {
  name: "local",
  settings: { capacity: CAPACITY },
  needsCodec: false,
  joinsThreads: true,
  open: (type, { capacity }) => new LocalConnector(type, { capacity }),
};

const TEE: ConnectorKind<{ readonly capacity: number }> = {
  name: "tee",
  settings: { capacity: CAPACITY },
  needsCodec: false,
  joinsThreads: true,
  open: (type, { capacity }) => new LocalConnector(type, { capacity, isTee: true }),
};

const PRIORITY: ConnectorKind<{ readonly capacity: number; readonly field: string }> = {
  name: "priority",
  settings: {
    capacity: CAPACITY,
    field: key(value.text({ form: "the name of a field", examples: ["depth"] }), {
      default: "priority",
      meaning: "The field of an item that holds its priority: the smallest number goes first.",
    }),
  },
  needsCodec: false,
  joinsThreads: true,
  open: (type, { capacity, field }) =>
    new LocalConnector(type, {
      capacity,
      openLine: () => new PriorityLine((item) => numberIn(item, field)),
    }),
};

/** For programs that only look at topologies; those that run them put their own in its place. */
const REMOTE = remoteKind((_type, _settings, id) => {
  const message = `The connector ${id} leads to another process, and nothing here can open it.`;
  throw new CrawlError("TOPOLOGY_REFUSED", message, { connector: id });
});

const BUILT_IN = [LOCAL, TEE, PRIORITY, REMOTE] as unknown as readonly ConnectorKind[];

export function libraryOf(
  units: readonly UnitDefinition[],
  kinds: readonly ConnectorKind[] = [],
): Library {
  return {
    units: new Map(units.map((unit) => [unit.name, unit])),
    connectorKinds: new Map([...BUILT_IN, ...kinds].map((kind) => [kind.name, kind])),
  };
}

/** Items without a number in that field go last. */
function numberIn(item: unknown, field: string): number {
  const found = (item as Readonly<Record<string, unknown>> | null)?.[field];
  return typeof found === "number" && !Number.isNaN(found) ? found : Number.MAX_VALUE;
}
