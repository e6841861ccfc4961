/** Providers in an order in which each comes after those that it uses; a cycle of uses is refused. */
import { CrawlError } from "../../base/errors/index.ts";
import type { ProviderWiring } from "./wiring.ts";

export function inOrderOfUse(wirings: readonly ProviderWiring[]): ProviderWiring[] {
  const byId = new Map(wirings.map((wiring) => [wiring.id, wiring]));
  const ordered = new Set<ProviderWiring>();
  const visit = (wiring: ProviderWiring, path: readonly string[]): void => {
    if (ordered.has(wiring)) return;
    if (path.includes(wiring.id)) throw cyclic([...path.slice(path.indexOf(wiring.id)), wiring.id]);
    for (const id of Object.values(wiring.providers ?? {})) {
      const used = byId.get(id);
      // A provider that is not among these runs already.
      if (used !== undefined) visit(used, [...path, wiring.id]);
    }
    ordered.add(wiring);
  };
  for (const wiring of wirings) visit(wiring, []);
  return [...ordered];
}

function cyclic(ids: readonly string[]): CrawlError {
  const why = `providers use each other in a circle: ${ids.join(" → ")}`;
  return new CrawlError("TOPOLOGY_INVALID", `The topology cannot be started: ${why}.`, { why });
}
