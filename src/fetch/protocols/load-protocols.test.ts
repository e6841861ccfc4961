import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlError } from "../../base/errors/index.ts";
import { loadProtocols } from "./load-protocols.ts";

const fetch = (): object => ({});

/** What modules export, by name; one that is not here cannot be imported. */
function importing(modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
  return async (name: string) => {
    const found = modules[name];
    if (found === undefined) {
      throw new Error(`Cannot find module '${name}' imported from x.js\nand more`);
    }
    return found;
  };
}

test("a module makes a protocol for each scheme that names it", async () => {
  const asked: unknown[] = [];
  const createProtocol = async (options: unknown) => {
    asked.push(options);
    return { fetch };
  };
  const named = [
    ["ftp", "./files.js"],
    ["ftps", "./files.js"],
  ] as const;
  const loaded = await loadProtocols(named, importing({ "./files.js": { createProtocol } }));
  assert.deepEqual(
    loaded.map(({ scheme, module }) => `${scheme} ${module}`),
    ["ftp ./files.js", "ftps ./files.js"],
  );
  assert.deepEqual(asked, [{ scheme: "ftp" }, { scheme: "ftps" }]);
});

test("everything wrong is told at once, and what was opened is closed", async () => {
  let closed = 0;
  const close = (): void => {
    closed += 1;
    throw new Error("while closing");
  };
  const modules = {
    good: { createProtocol: () => ({ fetch, close }) },
    empty: {},
    throwing: {
      createProtocol: () => {
        throw new Error("no licence.");
      },
    },
    nothing: { createProtocol: () => null },
    misshapen: { createProtocol: () => ({ fetch, close: true }) },
  };
  const names = ["good", "missing", "empty", "throwing", "nothing", "misshapen"];
  const named = names.map((name, index) => [`s${index}`, name] as const);
  await assert.rejects(loadProtocols(named, importing(modules)), (error: CrawlError) => {
    assert.equal(error.code, "PROTOCOL_INVALID");
    const lines = error.message.split("\n");
    assert.deepEqual(lines.slice(0, -1), [
      "fetch.protocols has 5 mistakes:",
      "  s1: the module missing cannot be used: Cannot find module 'missing'",
      "  s2: the module empty cannot be used: it exports no function createProtocol",
      "  s3: the module throwing cannot be used: no licence",
      "  s4: the module nothing cannot be used: what createProtocol returned has no method fetch",
      "  s5: the module misshapen cannot be used: what createProtocol returned has no method fetch",
    ]);
    return true;
  });
  assert.equal(closed, 1);
});
