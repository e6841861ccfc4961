import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { AwayPages } from "./away-pages.ts";

test("a host that never went away has no pages to be told, and nothing is read", () => {
  const asked: string[] = [];
  const store = {
    has: () => asked.push("has"),
    find: () => asked.push("find"),
    ofHost: (host: string) => asked.push(host),
    ofHosts: () => asked.push("all"),
  };
  const pages = new AwayPages(
    (host) => host === ("gone.example" as string),
    () => store,
  );
  let told: readonly Ticket[] | null = null;
  pages.ofHost("a.example", (found) => {
    told = found;
  });
  assert.deepEqual(told, []);
  assert.deepEqual(asked, []);
  pages.ofHost("gone.example", () => undefined);
  pages.find({ high: 1, low: 2 }, () => undefined);
  assert.deepEqual(asked, ["gone.example", "find"]);
});
