/** What is written on a node, the same in every drawing. */
import { printable } from "../../base/text/index.ts";
import type { GraphEdge, GraphNode } from "./topology-graph.ts";

/** Longer ones are cut where room is scarce; the text and JSON forms have them whole. */
const LABEL_MAX = 40;

/** The id, and how many of it there are: `downloader × 5`. */
export function counted({ id, instances }: GraphNode): string {
  return instances === 1 ? id : `${id} × ${instances}`;
}

/** What the node is, in a line: `filter html-parser, thread parsing`. */
export function headline({ part, kind, of, thread, onFailure, isShared }: GraphNode): string {
  if (part === "provider") return `${of}, provides ${kind}${isShared ? ", shared" : ""}`;
  if (part === "connector") return `${of}, ${kind}`;
  return [
    `${kind} ${of}`,
    ...(thread === null ? [] : [`thread ${thread}`]),
    ...(onFailure === "skip" || onFailure === null ? [] : [`on failure ${onFailure}`]),
  ].join(", ");
}

/** The lines on a node in a picture: its name, what it is, and what is special. */
export function labelOf(node: GraphNode): string[] {
  const { part, kind, of, thread, settings, isShared } = node;
  const capacity = settings.find(([key]) => key === "capacity")?.[1];
  const rest = {
    component: [`${kind} ${of}`, ...(thread === null ? [] : [`thread ${thread}`])],
    connector: [of, ...(kind === "local" ? [] : [kind])],
    provider: [of, ...(isShared ? ["shared"] : [])],
  };
  const name = part === "connector" && capacity !== undefined ? `${node.id} (${capacity})` : null;
  return [name ?? counted(node), ...rest[part]].map(fitting);
}

/** The role of an end, where it says more than the arrow and the nodes do. */
export function edgeLabel({ role, from, to }: GraphEdge): string {
  return [from, to, "input", "output"].includes(role) ? "" : fitting(role);
}

export function fitting(text: string): string {
  const shown = printable(text);
  const characters = [...shown];
  return characters.length <= LABEL_MAX ? shown : `${characters.slice(0, LABEL_MAX - 1).join("")}…`;
}
