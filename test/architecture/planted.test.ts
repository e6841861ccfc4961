/**
 * Every bug that is planted in a copy of a source changes a line that is there, once. Whoever changes such a
 * line learns here, and not from a long run, that the bug has to be planted anew.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { PlantedBug } from "../simulation/planted-bugs.ts";

/** So many lists there are at least, and so many bugs in them. */
const LISTS_MIN = 9;
const BUGS_MIN = 250;

const lists = globSync("test/simulation/*-bugs.ts").filter((file) => !file.includes("planted"));

async function bugsOf(list: string): Promise<readonly PlantedBug[]> {
  const door = (await import(pathToFileURL(resolve(list)).href)) as Record<string, PlantedBug[]>;
  return Object.values(door).flatMap((bugs) => (Array.isArray(bugs) ? bugs : []));
}

test("each planted bug changes a line that is in its source, once", async () => {
  assert.ok(lists.length >= LISTS_MIN, `too few lists seen: ${lists}`);
  const bugs = (await Promise.all(lists.map(bugsOf))).flat();
  assert.ok(bugs.length >= BUGS_MIN, `too few bugs seen: ${bugs.length}`);
  const stale = bugs.filter(({ file, from, to }) => {
    const parts = readFileSync(resolve("src", file), "utf8").split(from);
    return parts.length !== 2 || from === to;
  });
  assert.deepEqual(
    stale.map(({ name, file }) => `${file}: ${name}`),
    [],
  );
});
