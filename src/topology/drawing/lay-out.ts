/**
 * Places the nodes of a graph in layers, from left to right in the direction of the items, by dagre's
 * layered layout. Sizes come in, positions of centres and the corners of edges come out.
 */
import { createRequire } from "node:module";
import type { GraphEdge } from "./topology-graph.ts";

const require = createRequire(import.meta.url);

/** What is used of the package. Its own types cannot be read by a compiler that follows Node's rules. */
interface DagreGraph {
  setGraph(label: object): void;
  setNode(name: string, label: object): void;
  setEdge(from: string, to: string, label: object, name: string): void;
  graph(): Partial<Size>;
  node(name: string): Point;
  edge(from: string, to: string, name: string): Point & { readonly points: readonly Point[] };
}

interface Dagre {
  readonly Graph: new (options: { readonly multigraph: boolean }) => DagreGraph;
  layout(graph: DagreGraph): void;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly size: Size;
  /** Centres, by id. */
  readonly centres: ReadonlyMap<string, Point>;
  /** In the order of the edges: where each runs, and the middle of its label. */
  readonly routes: readonly { readonly points: readonly Point[]; readonly label: Point }[];
}

const MARGIN = 24;

/** Sizes in pixels: of every node by id, and of every edge's label in the order of the edges. */
export function layOut(
  nodes: ReadonlyMap<string, Size>,
  edges: readonly GraphEdge[],
  labels: readonly Size[],
): Layout {
  const { Graph, layout }: Dagre = require("@dagrejs/dagre");
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    ...{ rankdir: "LR", marginx: MARGIN, marginy: MARGIN },
    ...{ nodesep: 26, ranksep: 38, edgesep: 12 },
  });
  // Numbers for names: no name of a file is special to the package then.
  const numbers = new Map([...nodes.keys()].map((id, at) => [id, String(at)]));
  for (const [id, size] of nodes) graph.setNode(numbers.get(id) ?? "", { ...size });
  for (const [at, { from, to, kind }] of edges.entries()) {
    const weight = kind === "items" ? 3 : 1;
    const label = { ...labels[at], labelpos: "c", weight, minlen: 1 };
    graph.setEdge(numbers.get(from) ?? "", numbers.get(to) ?? "", label, String(at));
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    size: { width: Math.max(width, 2 * MARGIN), height: Math.max(height, 2 * MARGIN) },
    centres: new Map(Array.from(numbers, ([id, number]) => [id, graph.node(number)])),
    routes: edges.map(({ from, to }, at) => {
      const edge = graph.edge(numbers.get(from) ?? "", numbers.get(to) ?? "", String(at));
      return { points: edge.points, label: { x: edge.x, y: edge.y } };
    }),
  };
}
