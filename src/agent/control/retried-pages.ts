/**
 * Which failures were followed by another try because somebody asked for one: `retried.json` in the crawl
 * directory. A failure is a page and the instant of its fetch, so one that was asked for twice is fetched
 * once, also if the crawl was stopped in between. Whoever writes it holds the lock of the directory.
 */
import { join } from "node:path";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { parseChecked, printChecked, readText, writePrivate } from "../../base/folder/index.ts";
import { readOrders, removeOrders } from "./orders.ts";

interface Failure {
  readonly url: string;
  readonly fetchedAt: string;
}

const RETRIED_FILE = "retried.json";
const FORMAT = 1;

export class RetriedPages {
  readonly #folder: string;
  readonly #failures: Set<string>;

  /** Throws `DIRECTORY_DAMAGED` if the file cannot be read. */
  constructor(folder: string) {
    this.#folder = folder;
    const name = join(folder, RETRIED_FILE);
    const text = readText(name);
    const failures = text === null ? [] : parsed(text);
    if (failures === null) {
      throw new CrawlError(
        "DIRECTORY_DAMAGED",
        `${name} cannot be read. It says which failed pages are being tried again; remove it, and some ` +
          "may be fetched twice.",
      );
    }
    this.#failures = new Set(failures);
  }

  has(failure: Failure): boolean {
    return this.#failures.has(nameOf(failure));
  }

  /** Adds them, durably. */
  add(failures: readonly Failure[]): void {
    if (failures.length === 0) return;
    for (const failure of failures) this.#failures.add(nameOf(failure));
    const all = { format: FORMAT, failures: [...this.#failures] };
    writePrivate(join(this.#folder, RETRIED_FILE), printChecked(all));
  }

  /**
   * These were queued, as the orders of the crawl say, and a checkpoint has them. If that cannot be
   * written, the next run is given the same orders once more.
   */
  ordersTaken(failures: readonly Failure[], report: (error: CrawlError) => void): void {
    try {
      this.add(failures);
      removeOrders(this.#folder);
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      report(error);
    }
  }
}

/** Whether failures of a crawl were or are to be tried again, so that a page may end twice. */
export function isRetrying(folder: string): boolean {
  return readText(join(folder, RETRIED_FILE)) !== null || readOrders(folder).retries.length > 0;
}

function nameOf({ url, fetchedAt }: Failure): string {
  return `${fetchedAt} ${url}`;
}

function parsed(text: string): string[] | null {
  const { format, failures } = parseChecked(text) ?? {};
  const areTexts = Array.isArray(failures) && failures.every((one) => typeof one === "string");
  return format === FORMAT && areTexts ? failures : null;
}
