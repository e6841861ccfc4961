/** The file in which a disk keeps its ledger. */
import { CrawlError } from "../../base/errors/index.ts";
import { parseChecked, printChecked } from "../../base/folder/index.ts";
import type { Done, Storage } from "../../base/seams/index.ts";
import { otherFormat } from "../state/index.ts";
import type { Amounts } from "./amounts.ts";
import { Ledger, type LedgerState } from "./ledger.ts";

export const LIMITS_FILE = "cluster/limits";

/** Grows when older versions can no longer read the file. */
const FORMAT = 1;

/** What the founder of a crawl has: everything. */
export interface Founding {
  readonly crawl: string;
  readonly amounts: Amounts;
}

export function printLedger(ledger: Ledger): Uint8Array {
  return new TextEncoder().encode(printChecked({ format: FORMAT, ...ledger.state }, 1));
}

/**
 * Reads the ledger of this disk. One that founds a crawl and has none begins with all there is, durably:
 * to be called before the crawl is founded, so that there is never one without its tokens.
 */
export function openLedger(
  storage: Storage,
  founding: Founding | null,
  done: Done<Ledger | null>,
): void {
  storage.readWhole(LIMITS_FILE, (error, bytes) => {
    if (error === null) {
      const ledger = parseLedger(bytes);
      if (ledger instanceof Error) done(ledger, undefined);
      else if (founding === null || ledger.belongsTo(founding.crawl)) done(null, ledger);
      else found(storage, founding, done);
    } else if (error.code !== "STORAGE_MISSING") done(error, undefined);
    else if (founding === null) done(null, null);
    else found(storage, founding, done);
  });
}

function found(storage: Storage, { crawl, amounts }: Founding, done: Done<Ledger>): void {
  const ledger = Ledger.blank(crawl, amounts);
  storage.replace(LIMITS_FILE, printLedger(ledger), (error) => {
    if (error === null) done(null, ledger);
    else done(error, undefined);
  });
}

function parseLedger(bytes: Uint8Array): Ledger | CrawlError {
  const found = parseChecked(new TextDecoder().decode(bytes), "must-have");
  if (found === null) return damaged("it is not as it was written");
  const { format } = found;
  if (format !== FORMAT) return otherFormat(LIMITS_FILE, Number(format), FORMAT);
  return new Ledger(found as unknown as LedgerState);
}

function damaged(fault: string): CrawlError {
  return new CrawlError(
    "CLUSTER_STATE_DAMAGED",
    `The file ${LIMITS_FILE}, which says how much of the limits this agent may use, cannot be used: ` +
      `${fault}. Remove the crawl directory of this agent and let it join anew; what it had been lent ` +
      "of the limits is lost.",
    { file: LIMITS_FILE, fault },
  );
}
