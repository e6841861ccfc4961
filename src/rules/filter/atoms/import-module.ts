/** The importer of users' modules for the real world: the only place here that runs their code. */
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Clock } from "../../../base/seams/index.ts";
import { SystemClock } from "../../../base/time/index.ts";
import { withPlace } from "./syntax-place.ts";
import type { ImportModule } from "./user-atoms.ts";

/** A module runs while it is loaded; one that takes longer is not waited for. */
const LOADING_MS = 30_000;

/** Paths are relative to `directory`, and packages are found from there. */
export function importFrom(directory: string, clock: Clock = new SystemClock()): ImportModule {
  const require = createRequire(join(resolve(directory), "filter.js"));
  return async (name) => {
    if (/^(?:file|data|node):/.test(name)) return await inTime(import(name), clock);
    const isPath = name.startsWith("./") || name.startsWith("../") || isAbsolute(name);
    const path = isPath ? resolve(directory, name) : require.resolve(name);
    try {
      return await inTime(import(pathToFileURL(path).href), clock);
    } catch (thrown) {
      if (isMissing(thrown, path)) {
        throw new Error(`there is no file ${path}`, { cause: thrown });
      }
      throw thrown instanceof SyntaxError ? await withPlace(thrown, path) : thrown;
    }
  };
}

/** The timer also keeps the process alive: it would end without a word when nothing else does. */
function inTime<Module>(loading: Promise<Module>, clock: Clock): Promise<Module> {
  return new Promise((done, fail) => {
    const timer = clock.after(LOADING_MS, () => {
      const why =
        `it was not loaded within ${LOADING_MS} ms, since an await at its top level, or in a module that ` +
        "it imports, does not settle; wait inside of a function instead, such as create";
      fail(new Error(why));
    });
    loading.then(done, fail).finally(() => timer.cancel());
  });
}

/** Whether the module itself is not there, as opposed to one that it imports. Node would name us. */
function isMissing(thrown: unknown, path: string): boolean {
  const isAbout =
    thrown instanceof Error && thrown.message.startsWith(`Cannot find module '${path}'`);
  return isAbout && "code" in thrown && thrown.code === "ERR_MODULE_NOT_FOUND";
}
