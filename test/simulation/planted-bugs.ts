/**
 * Copies of modules with one line changed, loaded beside the good ones, so that tests can be tested:
 * a bug that is planted must be found. Nothing in the program itself knows of this.
 */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export interface PlantedBug {
  readonly name: string;
  /** Path below `src/`. */
  readonly file: string;
  /** The text to be replaced; it must be there exactly once, or the bug has gone stale. */
  readonly from: string;
  readonly to: string;
}

/** The door of `module` in a copy of `src/` (those modules named) with the bug in it. */
export async function withBug<Door>(
  module: string,
  bug: PlantedBug,
  modules: readonly string[],
): Promise<Door> {
  const root = mkdtempSync(join(tmpdir(), "trobar-bug-"));
  try {
    for (const name of modules) cpSync(join("src", name), join(root, name), { recursive: true });
    writeFileSync(join(root, "package.json"), '{"type":"module"}');
    symlinkSync(resolve("node_modules"), join(root, "node_modules"));
    const path = join(root, bug.file);
    const parts = readFileSync(path, "utf8").split(bug.from);
    assert.equal(parts.length, 2, `${bug.name}: the line to change is not there exactly once`);
    writeFileSync(path, parts.join(bug.to));
    return (await import(pathToFileURL(join(root, module, "index.ts")).href)) as Door;
  } finally {
    rmSync(root, { recursive: true });
  }
}
