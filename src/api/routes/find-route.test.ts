import assert from "node:assert/strict";
import { test } from "node:test";
import { findRoute } from "./find-route.ts";
import type { Route } from "./route.ts";

function route(method: Route["method"], path: string): Route {
  return { method, path } as Route;
}

const ROUTES = [route("GET", "/units"), route("GET", "/units/{id}"), route("PATCH", "/units/{id}")];

test("a route is found by method and path, and names in the path are decoded", () => {
  const found = findRoute(ROUTES, "PATCH", "/units/a%2Fb%20c");
  assert.deepEqual(found, { kind: "found", route: ROUTES[2], path: { id: "a/b c" } });
});

test("a path with other methods is told apart from none", () => {
  const other = findRoute(ROUTES, "POST", "/units/a");
  assert.deepEqual(other, { kind: "other-method", allowed: ["GET", "PATCH"] });
  for (const path of [
    "",
    "/",
    "/unit",
    "/units/",
    "/units/a/",
    "/units//x",
    "/units/%zz",
    "//units",
  ]) {
    const { kind } = findRoute(ROUTES, "POST", path);
    assert.equal(kind, path === "/units/" ? "other-method" : "absent", path);
  }
});
