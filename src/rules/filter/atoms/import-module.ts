/** The importer of users' modules for the real world: the only place here that runs their code. */
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ImportModule } from "./user-atoms.ts";

/** Paths are relative to `directory`, and packages are found from there. */
export function importFrom(directory: string): ImportModule {
  const require = createRequire(join(resolve(directory), "filter.js"));
  return async (name) => {
    if (/^(?:file|data|node):/.test(name)) return await import(name);
    const isPath = name.startsWith("./") || name.startsWith("../") || isAbsolute(name);
    const path = isPath ? resolve(directory, name) : require.resolve(name);
    try {
      return await import(pathToFileURL(path).href);
    } catch (thrown) {
      throw isMissing(thrown, path)
        ? new Error(`there is no file ${path}`, { cause: thrown })
        : thrown;
    }
  };
}

/** Whether the module itself is not there, as opposed to one that it imports. Node would name us. */
function isMissing(thrown: unknown, path: string): boolean {
  const isAbout =
    thrown instanceof Error && thrown.message.startsWith(`Cannot find module '${path}'`);
  return isAbout && "code" in thrown && thrown.code === "ERR_MODULE_NOT_FOUND";
}
