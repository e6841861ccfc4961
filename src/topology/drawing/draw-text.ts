/**
 * A graph for a terminal: every component with what is bound to it, every connector with who fills and
 * empties it, every provider with who uses it. Each name is printable, so that a line stays a line.
 */
import { printable } from "../../base/text/index.ts";
import { counted, headline } from "./labels.ts";
import type { GraphEdge, GraphNode, TopologyGraph } from "./topology-graph.ts";

/** Descriptions begin in one column; a name that is longer than this moves only its own. */
const COLUMN_MAX = 32;

const PARTS = ["component", "connector", "provider"] as const;

/** All names as they are shown, and the edges of each id. */
interface Around {
  readonly names: ReadonlyMap<string, string>;
  readonly into: ReadonlyMap<string, readonly GraphEdge[]>;
  readonly outOf: ReadonlyMap<string, readonly GraphEdge[]>;
}

export function drawText(graph: TopologyGraph): string {
  const around: Around = {
    names: new Map(graph.nodes.map((node) => [node.id, counted(node)])),
    into: Map.groupBy(graph.edges, ({ to }) => to),
    outOf: Map.groupBy(graph.edges, ({ from }) => from),
  };
  const sections = PARTS.flatMap((part) => {
    const nodes = graph.nodes.filter((node) => node.part === part);
    if (nodes.length === 0) return [];
    const longest = nodes.reduce(
      (most, node) => Math.max(most, printable(counted(node)).length),
      0,
    );
    const width = Math.min(COLUMN_MAX, longest);
    const lines = nodes.flatMap((node) => [
      `  ${printable(counted(node)).padEnd(width)}  ${printable(headline(node))}`,
      ...branches(detailsOf(node, around)),
    ]);
    return [[`${part}s`, ...lines].join("\n")];
  });
  return sections.length === 0 ? "an empty topology\n" : `${sections.join("\n\n")}\n`;
}

function branches(details: readonly string[]): string[] {
  return details.map((detail, at) => `    ${at === details.length - 1 ? "└" : "├"} ${detail}`);
}

function detailsOf(node: GraphNode, around: Around): string[] {
  const named = (id: string) => around.names.get(id) ?? id;
  const into = around.into.get(node.id) ?? [];
  const outOf = around.outOf.get(node.id) ?? [];
  const list = (ids: readonly string[]) => [...new Set(ids)].map(named).join(", ");
  const uses = outOf.filter(({ kind }) => kind === "provider");
  const own: readonly string[] =
    node.part === "component"
      ? [
          ...into.map(({ role, from }) => `${role} ← ${from}`),
          ...outOf.flatMap(({ kind, role, to }) => (kind === "items" ? [`${role} → ${to}`] : [])),
        ]
      : node.part === "connector"
        ? [
            `${list(into.map(({ from }) => from)) || "another process"} → ` +
              `${list(outOf.map(({ to }) => to)) || "another process"}`,
          ]
        : [into.length === 0 ? "used by nothing" : `used by ${list(into.map(({ from }) => from))}`];
  return [
    ...own,
    ...uses.map(({ role, to }) => `${role}: ${to}`),
    ...node.settings.map(([key, text]) => `${key} = ${text}`),
  ].map(printable);
}
