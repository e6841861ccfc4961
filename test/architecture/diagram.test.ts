import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { LAB, LAB_MODULES, ROOMS } from "./rooms.ts";

/** The picture of rooms in docs/architecture.md as `room/module` to `level: arrows`. */
function drawnModules(): Map<string, string> {
  const page = readFileSync("docs/architecture.md", "utf8");
  const picture = /## Rooms[\s\S]*?```\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const drawn = new Map<string, string>();
  let level = "";
  let room = "";
  for (const line of picture.split("\n")) {
    level = line.slice(1, 2).trim() || level;
    const name = line.slice(4, 15).trim();
    if (name !== "") room = name;
    if (name !== "" && line.length < 15) drawn.set(name, `${level}: `);
    for (const cell of line.slice(15).split(" · ")) {
      const [, module, arrows = ""] = /^ *([a-z]+)(?: → ([a-z, ]+))?$/.exec(cell) ?? [];
      if (module !== undefined) drawn.set(`${room}/${module}`, `${level}: ${arrows}`);
    }
  }
  return drawn;
}

test("the picture of the architecture page is the table that the walls test uses", () => {
  const table = new Map<string, string>();
  for (const [room, { level, modules }] of Object.entries(ROOMS)) {
    if (modules === null) table.set(room, `${level}: `);
    for (const [module, arrows] of Object.entries(modules ?? {})) {
      table.set(`${room}/${module}`, `${level}: ${arrows.join(", ")}`);
    }
  }
  for (const module of LAB_MODULES) table.set(`${LAB}/${module}`, "–: ");
  const sorted = (map: Map<string, string>) => [...map].sort();
  assert.deepEqual(sorted(drawnModules()), sorted(table));
});

test("every room has one row in the map of README", () => {
  const map = /## Map\n([\s\S]*?)\n## /.exec(readFileSync("README.md", "utf8"))?.[1] ?? "";
  const rows = [...map.matchAll(/^\| `src\/([a-z]+)` \|/gm)];
  assert.deepEqual(rows.map(([, room]) => room).sort(), [...Object.keys(ROOMS), LAB].sort());
});
