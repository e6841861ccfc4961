/** One drawing of a graph in the format that was asked for. */
import { drawDot } from "./draw-dot.ts";
import { drawJson } from "./draw-json.ts";
import { drawMermaid } from "./draw-mermaid.ts";
import { drawText } from "./draw-text.ts";
import type { TopologyGraph } from "./topology-graph.ts";

export const DRAWING_FORMATS = ["text", "json", "svg", "dot", "mermaid"] as const;

export type DrawingFormat = (typeof DRAWING_FORMATS)[number];

/** Nodes and edges. The layout of the worst thousand takes seconds, of the next thousand minutes. */
export const SVG_PARTS_MAX = 1000;

/** Ends with a line end. An SVG is for graphs of at most `SVG_PARTS_MAX` nodes and edges. */
export async function drawGraph(graph: TopologyGraph, format: DrawingFormat): Promise<string> {
  switch (format) {
    case "text":
      return drawText(graph);
    case "json":
      return drawJson(graph);
    case "dot":
      return drawDot(graph);
    case "mermaid":
      return drawMermaid(graph);
    case "svg":
      // The layout is a package that no other format needs.
      return (await import("./draw-svg.ts")).drawSvg(graph);
  }
}
