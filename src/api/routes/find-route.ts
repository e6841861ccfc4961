/** Finds the route of a request by its method and path. */
import type { Route } from "./route.ts";

export type FoundRoute =
  | { readonly kind: "found"; readonly route: Route; readonly path: Record<string, string> }
  | { readonly kind: "absent" }
  /** The path exists, with these methods. */
  | { readonly kind: "other-method"; readonly allowed: readonly string[] };

/** `path` is as in the request, below the prefix of the API and without the query. */
export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute {
  const segments = decoded(path);
  if (segments === null) return { kind: "absent" };
  const allowed: string[] = [];
  for (const route of routes) {
    const names = matched(route.path.split("/"), segments);
    if (names === null) continue;
    if (route.method === method) return { kind: "found", route, path: names };
    allowed.push(route.method);
  }
  return allowed.length === 0 ? { kind: "absent" } : { kind: "other-method", allowed };
}

/** Null where the escapes are wrong. */
function decoded(path: string): readonly string[] | null {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
}

function matched(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const names: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const segment = segments[at] ?? "";
    if (part.startsWith("{")) names[part.slice(1, -1)] = segment;
    else if (part !== segment) return null;
  }
  return names;
}
