/**
 * A graph as a Mermaid flowchart, which many hosts of repositories draw in documents. Nodes have numbers
 * for names. In labels, everything but letters, digits and a few harmless marks is written as a
 * character code, so that no name can be read as syntax or HTML.
 */
import { edgeLabel, labelOf } from "./labels.ts";
import type { GraphNode, TopologyGraph } from "./topology-graph.ts";

export function drawMermaid({ nodes, edges }: TopologyGraph): string {
  const numbers = new Map(nodes.map(({ id }, at) => [id, `n${at}`]));
  const lines = [
    ...nodes.map((node, at) => `  n${at}${shape(node)}`),
    ...edges.map((edge) => {
      const label = edgeLabel(edge);
      const arrow = edge.kind === "items" ? "-->" : "-.-";
      const text = label === "" ? "" : `|"${escaped(label)}"|`;
      return `  ${numbers.get(edge.from)} ${arrow}${text} ${numbers.get(edge.to)}`;
    }),
  ];
  return `${["flowchart LR", ...lines].join("\n")}\n`;
}

function shape(node: GraphNode): string {
  const label = `"${labelOf(node).map(escaped).join("<br/>")}"`;
  switch (node.part) {
    case "component":
      return `([${label}])`;
    case "connector":
      return `[[${label}]]`;
    case "provider":
      return `[(${label})]`;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} ,./:×…-]/gu, (mark) => `#${mark.codePointAt(0)};`);
}
