/**
 * A graph as SVG, in the shapes of figure 4.1 of the Crawler.NET thesis: components are ellipses,
 * connectors rectangles divided into the cells of a buffer, providers cylinders. A full arrow head shows
 * items passed by reference, an open one items that are sent as bytes. The whole description of a node is
 * its tooltip. There is no script and no reference to anything outside of the file.
 */
import { printable } from "../../base/text/index.ts";
import { edgeLabel, headline, labelOf } from "./labels.ts";
import { type Layout, layOut, type Point, type Size } from "./lay-out.ts";
import type { GraphEdge, GraphNode, TopologyGraph } from "./topology-graph.ts";

const LINE_HEIGHT = 15;
/** Estimates of the mean width of a character in a wide font, in pixels: bold names, other lines. */
const NAME_WIDTH = 7.9;
const CHARACTER_WIDTH = 6.7;
const CELLS = 6;
const CELL_HEIGHT = 14;
/** Half of the height of the ellipse on top of a cylinder. */
const LID = 6;

const STYLE = [
  "text{font:12px Helvetica,Arial,sans-serif;fill:#1f2d3a;text-anchor:middle}",
  ".n{font-weight:bold}.d{fill:#52677a;font-size:11px}",
  // White around the role of an end, which lies on its line.
  ".r{font-size:10px;fill:#52677a;stroke:#fff;stroke-width:4px;paint-order:stroke}",
  ".component{fill:#dcecfb}.connector{fill:#e6f4ea}.provider{fill:#fdf0d5}",
  ".component,.connector,.provider{stroke:#33475b;stroke-width:1.2}",
  ".items,.provides{fill:none;stroke:#33475b;stroke-width:1.2}",
  ".provides{stroke:#a08a5b;stroke-dasharray:4 3}",
  ".b{fill:#fff}",
].join("");

const MARKERS =
  '<marker id="full" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">' +
  '<path d="M0,0L9,4L0,8z" fill="#33475b"/></marker>' +
  '<marker id="open" markerWidth="11" markerHeight="10" refX="10" refY="5" orient="auto">' +
  '<path d="M1,1L10,5L1,9z" fill="#fff" stroke="#33475b"/></marker>';

export function drawSvg({ nodes, edges }: TopologyGraph): string {
  const sizes = new Map(nodes.map((node) => [node.id, sizeOf(node)]));
  const labels = edges.map((edge) => labelSize(edgeLabel(edge)));
  const placed = layOut(sizes, edges, labels);
  const width = Math.ceil(placed.size.width);
  const height = Math.ceil(placed.size.height);
  const serialized = new Set(nodes.flatMap(({ id, isSerialized }) => (isSerialized ? [id] : [])));
  const ellipses = new Map(
    nodes.flatMap(({ id, part }): [string, Ellipse][] => {
      const centre = placed.centres.get(id);
      const size = sizes.get(id);
      if (part !== "component" || centre === undefined || size === undefined) return [];
      return [[id, { ...centre, ...size }]];
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>topology</title><style>${STYLE}</style><defs>${MARKERS}</defs>`,
    `<rect class="b" width="${width}" height="${height}"/>`,
    ...edges.map((edge, at) => {
      const isOpen = serialized.has(edge.from) || serialized.has(edge.to);
      return drawnEdge(edge, trimmed(edge, placed.routes[at], ellipses), isOpen);
    }),
    ...nodes.map((node) => {
      const centre = placed.centres.get(node.id) ?? { x: 0, y: 0 };
      return drawnNode(node, centre, sizes.get(node.id) ?? { width: 0, height: 0 });
    }),
    "</svg>\n",
  ].join("\n");
}

function sizeOf(node: GraphNode): Size {
  const lines = labelOf(node);
  const text = Math.max(
    ...lines.map((line, at) => [...line].length * (at === 0 ? NAME_WIDTH : CHARACTER_WIDTH)),
  );
  const height = lines.length * LINE_HEIGHT;
  switch (node.part) {
    // An ellipse around a rectangle is larger than it by the square root of two.
    case "component":
      return { width: Math.max(90, text * 1.25 + 24), height: height * 1.25 + 16 };
    case "connector":
      return { width: Math.max(84, text + 16), height: height + CELL_HEIGHT + 8 };
    case "provider":
      return { width: Math.max(80, text + 16), height: height + 4 * LID + 4 };
  }
}

function labelSize(label: string): Size {
  if (label === "") return { width: 0, height: 0 };
  return { width: [...label].length * CHARACTER_WIDTH * 0.85 + 8, height: LINE_HEIGHT };
}

function drawnNode(node: GraphNode, { x, y }: Point, { width, height }: Size): string {
  const [left, top] = [x - width / 2, y - height / 2];
  const settings = node.settings.map(([key, text]) => printable(`${key} = ${text}`));
  const title = [`${node.part} ${printable(node.id)}`, printable(headline(node)), ...settings];
  // Text stands in the middle of the room that the shape leaves for it.
  const shift = { component: 0, connector: -CELL_HEIGHT / 2, provider: LID }[node.part];
  return [
    `<g><title>${escaped(title.join("\n"))}</title>`,
    shape(node, { left, top, width, height }),
    ...drawnLines(labelOf(node), { x, y: y + shift }),
    "</g>",
  ].join("");
}

interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

function shape({ part }: GraphNode, { left, top, width, height }: Box): string {
  const [right, bottom] = [left + width, top + height];
  switch (part) {
    case "component": {
      const centre = `cx="${num(left + width / 2)}" cy="${num(top + height / 2)}"`;
      return `<ellipse class="component" ${centre} rx="${num(width / 2)}" ry="${num(height / 2)}"/>`;
    }
    case "connector": {
      const line = bottom - CELL_HEIGHT;
      const step = width / CELLS;
      const cells = Array.from({ length: CELLS - 1 }, (_, at) => {
        return `M${num(left + (at + 1) * step)},${num(line)}V${num(bottom)}`;
      });
      const box = `x="${num(left)}" y="${num(top)}" width="${num(width)}" height="${num(height)}"`;
      const path = `M${num(left)},${num(line)}H${num(right)}${cells.join("")}`;
      return `<rect class="connector" ${box}/><path class="items" d="${path}"/>`;
    }
    case "provider": {
      const arc = (to: number, y: number, sweep: number) =>
        `A${num(width / 2)},${LID} 0 0 ${sweep} ${num(to)},${num(y)}`;
      const [lid, floor] = [top + LID, bottom - LID];
      const body = `M${num(left)},${num(lid)}${arc(right, lid, 1)}V${num(floor)}${arc(left, floor, 1)}z`;
      const rim = `M${num(left)},${num(lid)}${arc(right, lid, 0)}`;
      return `<path class="provider" d="${body}"/><path class="provider" d="${rim}"/>`;
    }
  }
}

function drawnLines(lines: readonly string[], { x, y }: Point): string[] {
  const first = y - ((lines.length - 1) * LINE_HEIGHT) / 2 + 4;
  return lines.map((line, at) => {
    const place = `x="${num(x)}" y="${num(first + at * LINE_HEIGHT)}"`;
    return `<text class="${at === 0 ? "n" : "d"}" ${place}>${escaped(line)}</text>`;
  });
}

type Route = Layout["routes"][number];
type Ellipse = Point & Size;

/** The layout ends edges at the rectangle around a node; those of an ellipse go on to its line. */
function trimmed(
  { from, to }: GraphEdge,
  route: Route | undefined,
  ellipses: ReadonlyMap<string, Ellipse>,
): Route {
  const points = [...(route?.points ?? [])];
  const [start, end] = [ellipses.get(from), ellipses.get(to)];
  const [second, beforeLast] = [points[1], points.at(-2)];
  if (start !== undefined && second !== undefined) points[0] = onEllipse(start, second);
  if (end !== undefined && beforeLast !== undefined) {
    points[points.length - 1] = onEllipse(end, beforeLast);
  }
  return { points, label: route?.label ?? { x: 0, y: 0 } };
}

/** Where the line from a point to the centre meets the ellipse. */
function onEllipse({ x, y, width, height }: Ellipse, from: Point): Point {
  const [dx, dy] = [from.x - x, from.y - y];
  const ratio = 1 / Math.max(1, Math.hypot(dx / (width / 2), dy / (height / 2)));
  return { x: x + dx * ratio, y: y + dy * ratio };
}

function drawnEdge(edge: GraphEdge, { points, label }: Route, isOpen: boolean): string {
  const role = edgeLabel(edge);
  const place = `x="${num(label.x)}" y="${num(label.y + 3)}"`;
  const text = role === "" ? "" : `<text class="r" ${place}>${escaped(role)}</text>`;
  const path = curve(points);
  if (edge.kind === "provider") return `<path class="provides" d="${path}"/>${text}`;
  const head = isOpen ? "open" : "full";
  return `<path class="items" d="${path}" marker-end="url(#${head})"/>${text}`;
}

/** Through the first and the last corner, rounded at those between. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const parts = rest.map((point, at) => {
    const next = rest[at + 1];
    if (next === undefined) return `L${num(point.x)},${num(point.y)}`;
    const middle = { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${num(point.x)},${num(point.y)} ${num(middle.x)},${num(middle.y)}`;
  });
  return `M${num(first.x)},${num(first.y)}${parts.join("")}`;
}

function num(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Characters that XML does not know are gone already: `printable` has escaped them. */
function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
  return text
    .replaceAll(/[&<>]/g, (mark) => marks[mark] ?? "")
    .replaceAll(/[\ufffe\uffff]/g, "\ufffd");
}
