/**
 * What was asked of a crawl while it rested, for its next run: `orders.json` in its directory. It is
 * removed when a run has taken them up. Whoever writes it holds the lock of the directory.
 */
import { join } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { readText, removeFile, writePrivate } from "../../base/folder/index.ts";

export interface Orders {
  /** Seeds to be added. */
  readonly seeds: readonly string[];
}

export const NO_ORDERS: Orders = { seeds: [] };

const ORDERS_FILE = "orders.json";
const FORMAT = 1;

/** Throws `DIRECTORY_DAMAGED` if they cannot be read. */
export function readOrders(folder: string): Orders {
  const name = join(folder, ORDERS_FILE);
  const text = readText(name);
  const orders = text === null ? NO_ORDERS : parsed(text);
  if (orders !== null) return orders;
  throw new CrawlError(
    "DIRECTORY_DAMAGED",
    `${name} cannot be read. It only has what was asked of the crawl while it rested; remove it, and ` +
      "ask again.",
  );
}

/** Adds to what is there. */
export function addOrders(folder: string, { seeds }: Orders): void {
  const before = readOrders(folder);
  const all = { format: FORMAT, seeds: [...new Set([...before.seeds, ...seeds])] };
  writePrivate(join(folder, ORDERS_FILE), `${JSON.stringify(all)}\n`);
}

export function removeOrders(folder: string): void {
  removeFile(join(folder, ORDERS_FILE));
}

function parsed(text: string): Orders | null {
  try {
    const { format, seeds } = JSON.parse(text);
    const isOurs = format === FORMAT && Array.isArray(seeds) && seeds.every(isText);
    return isOurs ? { seeds } : null;
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
