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
  const copy = new PlantedCopy();
  try {
    for (const name of modules) copy.take(join("src", name), name);
    copy.plant(bug, bug.file);
    return await copy.load<Door>(join(module, "index.ts"));
  } finally {
    copy.remove();
  }
}

/** A folder with copies of sources. */
export class PlantedCopy {
  readonly #root = mkdtempSync(join(tmpdir(), "trobar-bug-"));

  constructor() {
    writeFileSync(join(this.#root, "package.json"), '{"type":"module"}');
    symlinkSync(resolve("node_modules"), join(this.#root, "node_modules"));
  }

  /** Copies a file or a folder, without its tests. */
  take(path: string, as: string = path): void {
    const filter = (file: string): boolean => !file.endsWith(".test.ts");
    cpSync(path, join(this.#root, as), { recursive: true, filter });
  }

  /** Plants the bug into the copy that has this path. */
  plant(bug: PlantedBug, copied: string): void {
    const path = join(this.#root, copied);
    const parts = readFileSync(path, "utf8").split(bug.from);
    assert.equal(parts.length, 2, `${bug.name}: the line to change is not there exactly once`);
    writeFileSync(path, parts.join(bug.to));
  }

  async load<Door>(path: string): Promise<Door> {
    return (await import(pathToFileURL(join(this.#root, path)).href)) as Door;
  }

  /** When nothing more is loaded from it. */
  remove(): void {
    rmSync(this.#root, { recursive: true });
  }
}
