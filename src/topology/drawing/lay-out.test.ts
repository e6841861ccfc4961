import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "./lay-out.ts";
import type { GraphEdge } from "./topology-graph.ts";

const SIZE = { width: 60, height: 30 };

/** Items along a chain from `a` to `d`, and `x` between its ends, bound to each of them as is said. */
function placeOfX(toFirst: GraphEdge["kind"], toLast: GraphEdge["kind"]): number[] {
  const edge = (from: string, to: string, kind: GraphEdge["kind"]): GraphEdge => ({
    from,
    to,
    kind,
    role: "end",
  });
  const edges = [
    ...[edge("a", "b", "items"), edge("b", "c", "items"), edge("c", "d", "items")],
    ...[edge("a", "x", toFirst), edge("x", "d", toLast)],
  ];
  const nodes = new Map(["a", "b", "c", "d", "x"].map((id) => [id, SIZE]));
  const labels = edges.map(() => ({ width: 10, height: 10 }));
  const { centres } = layOut(nodes, edges, labels);
  return ["a", "x", "d"].map((id) => centres.get(id)?.x ?? Number.NaN);
}

test("a unit is drawn next to those from which it has items, and to which it gives them", () => {
  const [first = 0, near = 0, last = 0] = placeOfX("items", "provider");
  assert.ok(near - first < last - near, `${first} ${near} ${last}`);
  const [begin = 0, late = 0, end = 0] = placeOfX("provider", "items");
  assert.ok(late - begin > end - late, `${begin} ${late} ${end}`);
});
