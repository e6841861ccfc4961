/**
 * A topology as a graph: components, connectors and providers are nodes, bindings are edges. Items flow
 * along edges of kind `items`; an edge of kind `provider` leads from a unit to the provider it uses.
 */
import { withoutCredentials } from "../../base/text/index.ts";
import type { GivenTree } from "../../rules/settings/index.ts";
import type { LoadedTopology } from "../description/index.ts";

export interface GraphNode {
  readonly id: string;
  readonly part: "component" | "connector" | "provider";
  /** `filter`, `source`, …; `local`, `tee`, …; of a provider, the role that it can fill. */
  readonly kind: string;
  /** The unit as the file names it; of a connector, the type of its items. */
  readonly of: string;
  readonly instances: number;
  readonly thread: string | null;
  /** What follows when a component fails; null for other parts. */
  readonly onFailure: string | null;
  /** Whether items leave their thread here, as bytes. */
  readonly isSerialized: boolean;
  /** Whether it is a provider that exists once. */
  readonly isShared: boolean;
  /** As the file gives them, by dotted key, without passwords in URLs. */
  readonly settings: readonly (readonly [key: string, text: string])[];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: "items" | "provider";
  /** The role of the unit's end or of the provider. */
  readonly role: string;
}

export interface TopologyGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const PLAIN = { instances: 1, thread: null, onFailure: null, isSerialized: false, isShared: false };

export function graphOf({ description, wiring, library }: LoadedTopology): TopologyGraph {
  const described = new Map(
    [...description.components, ...description.providers].map((one) => [one.id.text, one]),
  );
  const settingsOf = (id: string) => flattened(described.get(id)?.settings ?? null);
  const threads = new Map(description.components.map(({ id, thread }) => [id.text, thread]));
  const betweenThreads = connectorsBetweenThreads(description);
  const components = wiring.components.map(({ id, definition, ...wired }): GraphNode => {
    const { instances = 1, onFailure = "skip" } = wired;
    return {
      ...{ ...PLAIN, id, part: "component", kind: definition.kind, instances, onFailure },
      ...{ of: described.get(id)?.unit.text ?? definition.name, settings: settingsOf(id) },
      thread: threads.get(id)?.text ?? null,
    };
  });
  const connectors = description.connectors.map(({ id, type, kind, settings }): GraphNode => {
    const name = kind?.text ?? "local";
    return {
      ...{ ...PLAIN, id: id.text, part: "connector", kind: name, of: type.text },
      isSerialized:
        library.connectorKinds.get(name)?.needsCodec === true || betweenThreads.has(id.text),
      settings: flattened(settings),
    };
  });
  const providers = wiring.providers.map(({ id, definition, shared = false }): GraphNode => {
    return {
      ...{ ...PLAIN, id, part: "provider", kind: definition.provides.name, isShared: shared },
      ...{ of: described.get(id)?.unit.text ?? definition.name, settings: settingsOf(id) },
    };
  });
  return { nodes: [...components, ...connectors, ...providers], edges: edgesOf(wiring) };
}

/** Ids of connectors whose ends are on more than one thread. */
function connectorsBetweenThreads({ components }: LoadedTopology["description"]): Set<string> {
  const threads = new Map<string, string>();
  const between = new Set<string>();
  for (const { thread, inputs, outputs } of components) {
    const name = thread?.text ?? "";
    for (const { id } of [...inputs, ...outputs]) {
      if ((threads.get(id.text) ?? name) !== name) between.add(id.text);
      threads.set(id.text, name);
    }
  }
  return between;
}

function edgesOf({ components, providers }: LoadedTopology["wiring"]): GraphEdge[] {
  const items = components.flatMap(({ id, inputs = {}, outputs = {} }) => [
    ...Object.entries(inputs).map(([role, from]) => edge({ from, to: id, kind: "items", role })),
    ...Object.entries(outputs).map(([role, to]) => edge({ from: id, to, kind: "items", role })),
  ]);
  const uses = [...components, ...providers].flatMap(({ id, providers: bound = {} }) =>
    Object.entries(bound).map(([role, to]) => edge({ from: id, to, kind: "provider", role })),
  );
  return [...items, ...uses];
}

/** For the type checker. */
function edge(given: GraphEdge): GraphEdge {
  return given;
}

type Given = GivenTree["entries"][number]["value"];

function flattened(tree: GivenTree | null, prefix = ""): [key: string, text: string][] {
  return (tree?.entries ?? []).flatMap(({ key, value }) =>
    value.kind === "tree"
      ? flattened(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, withoutCredentials(textOf(value))] as [string, string]],
  );
}

function textOf(given: Given): string {
  if (given.kind === "scalar") return given.text;
  if (given.kind === "list") return `[${given.items.map(textOf).join(", ")}]`;
  return `{${given.entries.map(({ key, value }) => `${key}: ${textOf(value)}`).join(", ")}}`;
}
