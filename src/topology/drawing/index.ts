/**
 * Drawings: the graph of a topology for people and programs.
 *
 * `graphOf` turns a topology that was loaded into nodes and edges; `drawGraph` writes them as text for a
 * terminal, JSON, Graphviz, Mermaid or SVG. A component is an ellipse, a connector a divided rectangle, a
 * provider a cylinder, as in figure 4.1 of the Crawler.NET thesis; an open arrow head marks items that
 * leave their thread.
 *
 * Names in a topology are untrusted: in every format they are text and never markup, a statement or an
 * escape sequence, and users and passwords of URLs are left out.
 *
 * Read `topology-graph.ts` first, then `draw-text.ts`.
 */
export { DRAWING_FORMATS, type DrawingFormat, drawGraph, SVG_PARTS_MAX } from "./draw-graph.ts";
export { graphOf } from "./topology-graph.ts";
