/** The order in which providers are made: each after those that it uses. */
import { CrawlError } from "../../../base/errors/index.ts";
import type { ProviderWiring } from "../wiring.ts";

/** Ids, each after those that it uses, or the circle of ids because of which there is no such order. */
export type UseOrder =
  | { readonly ids: readonly string[]; readonly circle: null }
  | { readonly ids: null; readonly circle: readonly string[] };

/** Without recursion: a chain of providers may be as long as a file. */
export function orderOfUse(uses: ReadonlyMap<string, readonly string[]>): UseOrder {
  const ordered = new Set<string>();
  for (const first of uses.keys()) {
    // Those that are being visited, each with the ones it uses that are still to be visited.
    const path = new Map<string, Iterator<string>>();
    const enter = (id: string): void => void path.set(id, (uses.get(id) ?? []).values());
    let at: string | undefined = ordered.has(first) ? undefined : first;
    if (at !== undefined) enter(at);
    const back: string[] = [];
    while (at !== undefined) {
      const next = path.get(at)?.next();
      if (next === undefined || next.done === true) {
        ordered.add(at);
        path.delete(at);
        at = back.pop();
      } else if (path.has(next.value)) {
        const ids = [...path.keys()];
        return { ids: null, circle: ids.slice(ids.indexOf(next.value)) };
      } else if (!ordered.has(next.value)) {
        back.push(at);
        at = next.value;
        enter(at);
      }
    }
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
