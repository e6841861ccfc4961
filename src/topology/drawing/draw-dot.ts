/**
 * A graph in the language of Graphviz. Nodes have numbers for names; what the file calls them is only in
 * their labels, in which quotes and backslashes are escaped.
 */
import { edgeLabel, labelOf } from "./labels.ts";
import type { GraphEdge, GraphNode, TopologyGraph } from "./topology-graph.ts";

const HEAD = `digraph topology {
  rankdir=LR;
  nodesep=0.35;
  node [fontname="Helvetica", fontsize=11, style=filled, color="#33475b"];
  edge [fontname="Helvetica", fontsize=9, color="#33475b"];
`;

export function drawDot({ nodes, edges }: TopologyGraph): string {
  const numbers = new Map(nodes.map(({ id }, at) => [id, `n${at}`]));
  const serialized = new Set(nodes.flatMap(({ id, isSerialized }) => (isSerialized ? [id] : [])));
  const lines = [
    ...nodes.map((node, at) => `  n${at} ${nodeAttributes(node)};`),
    ...edges.map((edge) => {
      const isOpen = serialized.has(edge.from) || serialized.has(edge.to);
      const ends = `${numbers.get(edge.from)} -> ${numbers.get(edge.to)}`;
      return `  ${ends} ${edgeAttributes(edge, isOpen)};`;
    }),
  ];
  return `${HEAD}${lines.join("\n")}${lines.length === 0 ? "" : "\n"}}\n`;
}

function nodeAttributes(node: GraphNode): string {
  const lines = labelOf(node);
  switch (node.part) {
    case "component":
      return `[shape=ellipse, fillcolor="#dcecfb", label="${lines.map(escaped).join("\\n")}"]`;
    case "provider":
      return `[shape=cylinder, fillcolor="#fdf0d5", label="${lines.map(escaped).join("\\n")}"]`;
    case "connector": {
      // A buffer of four cells, below the name.
      const label = `${lines.map(fieldText).join("\\n")}|{|||}`;
      return `[shape=record, fillcolor="#e6f4ea", label="${label}"]`;
    }
  }
}

function edgeAttributes(edge: GraphEdge, isOpen: boolean): string {
  const label = `label="${escaped(edgeLabel(edge))}"`;
  if (edge.kind === "provider") return `[${label}, style=dashed, arrowhead=none]`;
  return isOpen ? `[${label}, arrowhead=empty]` : `[${label}]`;
}

function escaped(text: string): string {
  // A label may hold character references too.
  return text.replaceAll("&", "&amp;").replaceAll(/["\\]/g, "\\$&");
}

/** In a record, further characters divide fields, and runs of spaces are dropped. */
function fieldText(text: string): string {
  return escaped(text).replaceAll(/[{}|<>]/g, "\\$&");
}
