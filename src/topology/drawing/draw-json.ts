/** A graph as JSON: `{"nodes": […], "edges": […]}`. */
import { printable } from "../../base/text/index.ts";
import type { GraphNode, TopologyGraph } from "./topology-graph.ts";

export function drawJson({ nodes, edges }: TopologyGraph): string {
  return `${safe(JSON.stringify({ nodes: nodes.map(shown), edges }, null, 2))}\n`;
}

function shown({ id, part, kind, of, settings, ...rest }: GraphNode): object {
  const given = { settings: Object.fromEntries(settings) };
  switch (part) {
    case "component": {
      const { instances, thread, onFailure } = rest;
      return { id, part, kind, unit: of, instances, thread, onFailure, ...given };
    }
    case "connector":
      return { id, part, kind, type: of, serialized: rest.isSerialized, ...given };
    case "provider":
      return { id, part, role: kind, unit: of, shared: rest.isShared, ...given };
  }
}

/** The same JSON, in which characters that a terminal would obey are written as escapes. */
function safe(json: string): string {
  return json.replaceAll(/[^\n\x20-\x7e]/g, (unit) =>
    printable(unit) === unit || isHalf(unit)
      ? unit
      : `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** `JSON.stringify` leaves halves of surrogate pairs only where they are paired. */
function isHalf(unit: string): boolean {
  return /[\ud800-\udfff]/.test(unit);
}
