/** Opens the tables of a crawl that grow on disk. */
import type { CrawlError } from "../../base/errors/index.ts";
import {
  EMPTY_TABLE,
  type KeyTable,
  openRunTable,
  type TableMarks,
} from "../../base/runs/index.ts";
import { KIB, MIB } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { answered } from "../crawl/answers.ts";
import type { CrawlWorld } from "./crawl-world.ts";

interface TableOptions {
  readonly folder: string;
  readonly valueBytes: number;
  /** What it goes on from. */
  readonly marks?: TableMarks | undefined;
}

/** The memory of such a table: a share of the frontier's. */
export function tableBytes(frontierBytes: number): number {
  return Math.max(64 * KIB, Math.min(16 * MIB, frontierBytes / 32));
}

/** A table that grows on disk; its memory is a share of the frontier's, added to that. */
export async function openTable(
  { frontier }: Configuration,
  { storage, background, listener }: Pick<CrawlWorld, "storage" | "background" | "listener">,
  { folder, valueBytes, marks = EMPTY_TABLE }: TableOptions,
): Promise<KeyTable> {
  const memoryBytes = tableBytes(frontier.memory);
  const report = (error: CrawlError): void => listener.failed(error);
  const shape = { folder, valueBytes, memoryBytes, marks, fillsFilter: true };
  const options = { storage, background, report, ...shape };
  return await answered<KeyTable>((done) => openRunTable(options, done));
}
