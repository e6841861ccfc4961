/**
 * What was asked of a crawl while it rested, for its next run: `orders.json` in its directory. It is
 * removed when a run has taken them up. Whoever writes it holds the lock of the directory.
 */
import { join } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import {
  parseChecked,
  printChecked,
  readText,
  removeFile,
  writePrivate,
} from "../../base/folder/index.ts";

export interface Orders {
  /** Seeds to be added. */
  readonly seeds: readonly string[];
  /** Filters of failed pages to be tried again; null for those that may succeed. */
  readonly retries: readonly (string | null)[];
}

export const NO_ORDERS: Orders = { seeds: [], retries: [] };

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
export function addOrders(folder: string, { seeds = [], retries = [] }: Partial<Orders>): void {
  const before = readOrders(folder);
  const all = {
    format: FORMAT,
    seeds: [...new Set([...before.seeds, ...seeds])],
    retries: [...new Set([...before.retries, ...retries])],
  };
  writePrivate(join(folder, ORDERS_FILE), printChecked(all));
}

export function removeOrders(folder: string): void {
  removeFile(join(folder, ORDERS_FILE));
}

function parsed(text: string): Orders | null {
  const { format, seeds, retries } = parseChecked(text) ?? {};
  if (format !== FORMAT || !areTexts(seeds) || !areFilters(retries)) return null;
  return { seeds, retries };
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function areFilters(value: unknown): value is (string | null)[] {
  return Array.isArray(value) && value.every((one) => one === null || typeof one === "string");
}
