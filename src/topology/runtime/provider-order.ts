/** The order in which providers are made: each after those that it uses. */
import { CrawlError } from "../../base/errors/index.ts";
import type { ProviderWiring } from "./wiring.ts";

/** Ids, each after those that it uses, or the circle of ids because of which there is no such order. */
export type UseOrder =
  | { readonly ids: readonly string[]; readonly circle: null }
  | { readonly ids: null; readonly circle: readonly string[] };

export function orderOfUse(uses: ReadonlyMap<string, readonly string[]>): UseOrder {
  const ordered = new Set<string>();
  const visit = (id: string, path: readonly string[]): readonly string[] | null => {
    if (ordered.has(id)) return null;
    if (path.includes(id)) return path.slice(path.indexOf(id));
    for (const used of uses.get(id) ?? []) {
      const circle = visit(used, [...path, id]);
      if (circle !== null) return circle;
    }
    ordered.add(id);
    return null;
  };
  for (const id of uses.keys()) {
    const circle = visit(id, []);
    if (circle !== null) return { ids: null, circle };
  }
  return { ids: [...ordered], circle: null };
}

/** Refuses providers that use one another in a circle. */
export function inOrderOfUse(wirings: readonly ProviderWiring[]): ProviderWiring[] {
  const byId = new Map(wirings.map((wiring) => [wiring.id, wiring]));
  const uses = new Map(wirings.map(({ id, providers = {} }) => [id, Object.values(providers)]));
  const { ids, circle } = orderOfUse(uses);
  if (circle !== null) {
    const why = `providers use one another in a circle: ${[...circle, circle[0]].join(" → ")}`;
    throw new CrawlError("TOPOLOGY_CIRCLE", `The topology cannot be run: ${why}.`, { why });
  }
  // An id that is not among these is that of a provider that runs already.
  return ids.flatMap((id) => byId.get(id) ?? []);
}
