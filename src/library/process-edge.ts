/** Where the library touches the process: temporary folders, files of rows, warnings. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CrawlError } from "../base/errors/index.ts";

/** A new folder that nobody else uses. */
export async function temporaryFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), `trobar-run-${process.pid}-`));
}

export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

/** Where `fetch.credentials` finds variables. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Shown on standard error by Node, unless the program listens to warnings. */
export function warn({ message, code }: CrawlError): void {
  process.emitWarning(message, { type: "TrobarWarning", code });
}
