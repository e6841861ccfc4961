/**
 * Schedules in which agents are struck that have joined: all spares join early, and of the faults that are drawn
 * about half have one of them among their victims, once it has joined or while it does.
 */
import type { Random } from "../../base/seams/index.ts";
import type { Fault, Schedule } from "../simulator/index.ts";

/** When spares join. */
const JOIN_FROM_MS = 4000;
const JOIN_SPREAD_MS = 8000;

/** The schedule with joins of these spares, and with them in the place of others. */
export function strikeNewcomers(
  random: Random,
  spares: readonly string[],
  schedule: Schedule,
): Schedule {
  const joins = spares.map(
    (id): Fault => ({
      ...{ kind: "join", nodes: [id], durationMs: 0, parameters: {} },
      atMs: JOIN_FROM_MS + random.below(JOIN_SPREAD_MS),
    }),
  );
  const struck = schedule.map((fault): Fault => {
    const { nodes } = fault;
    const joined = joins.filter(({ atMs }) => atMs < fault.atMs).flatMap((join) => join.nodes);
    if (nodes.length === 0 || joined.length === 0 || random.below(2) === 0) return fault;
    const newcomer = joined[random.below(joined.length)] as string;
    const replaced = random.below(nodes.length);
    if (nodes.includes(newcomer)) return fault;
    return { ...fault, nodes: nodes.map((id, at) => (at === replaced ? newcomer : id)) };
  });
  return [...joins, ...struck].toSorted((one, other) => one.atMs - other.atMs);
}
