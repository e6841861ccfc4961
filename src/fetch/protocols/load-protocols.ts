/** Loads the modules that `fetch.protocols` names. Everything wrong with them is told at once. */
import { CrawlError } from "../../base/errors/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import type { ImportModule } from "../../rules/filter/index.ts";
import type { Protocol } from "./protocol-module.ts";

export interface LoadedProtocol {
  readonly scheme: string;
  /** As in the configuration. */
  readonly module: string;
  readonly protocol: Protocol;
}

/** Rejects with `PROTOCOL_INVALID`, which names every module that cannot be used. */
export async function loadProtocols(
  named: readonly (readonly [scheme: string, module: string])[],
  importModule: ImportModule,
): Promise<readonly LoadedProtocol[]> {
  const loaded: LoadedProtocol[] = [];
  const problems: string[] = [];
  for (const [scheme, module] of named) {
    try {
      loaded.push({ scheme, module, protocol: await loadProtocol(scheme, module, importModule) });
    } catch (thrown) {
      const reason = thrownReason(thrown).replace(/ imported from .*/, "");
      problems.push(`\n  ${scheme}: the module ${module} cannot be used: ${reason}`);
    }
  }
  if (problems.length === 0) return loaded;
  for (const { protocol } of loaded) closeQuietly(protocol);
  throw new CrawlError(
    "PROTOCOL_INVALID",
    `fetch.protocols has ${problems.length === 1 ? "a mistake" : `${problems.length} mistakes`}:` +
      `${problems.join("")}\nA protocol module exports createProtocol({ scheme }), which returns an ` +
      "object with a method fetch; docs/protocol-modules.md has an example.",
    { schemes: named.map(([scheme]) => scheme).join(", ") },
  );
}

async function loadProtocol(
  scheme: string,
  module: string,
  importModule: ImportModule,
): Promise<Protocol> {
  const { createProtocol } = await importModule(module);
  if (typeof createProtocol !== "function") {
    throw new Error("it exports no function createProtocol");
  }
  const protocol: unknown = await createProtocol({ scheme });
  if (isProtocol(protocol)) return protocol;
  throw new Error("what createProtocol returned has no method fetch");
}

function isProtocol(value: unknown): value is Protocol {
  if (typeof value !== "object" || value === null) return false;
  const { fetch, close } = value as Record<keyof Protocol, unknown>;
  return typeof fetch === "function" && (close === undefined || typeof close === "function");
}

function closeQuietly(protocol: Protocol): void {
  try {
    Promise.resolve(protocol.close?.()).catch(() => undefined);
  } catch {
    // There will be no crawl.
  }
}
