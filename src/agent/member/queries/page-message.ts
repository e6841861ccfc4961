/**
 * A page as one agent sends it to another that asks for it: the length of its head in four bytes, the head
 * as JSON (its row, and the head of its answer), and the body of the answer as it was received.
 */
import { CrawlError, isCrawlError } from "../../../base/errors/index.ts";
import { thrownReason } from "../../../base/text/index.ts";
import type { PageRow, RecordOutcome } from "../../../store/export/index.ts";

type Answer = Pick<
  Extract<RecordOutcome, { kind: "record" }>["record"],
  "statusLine" | "headers" | "payload"
>;

/** A page, and its answer as far as it was archived and can be read. */
export interface AskedPage {
  readonly row: PageRow;
  readonly outcome:
    | { readonly kind: "record"; readonly record: Answer }
    | Exclude<RecordOutcome, { kind: "record" }>;
}

const LENGTH_BYTES = 4;

export function printPage({ row, outcome }: AskedPage): Buffer {
  const { payload, ...rest } =
    outcome.kind === "record"
      ? { kind: outcome.kind, ...outcome.record }
      : { ...outcome, payload: new Uint8Array(0) };
  return printFramed({ row, outcome: rest }, payload);
}

/** Anything that JSON can hold, and bytes. */
export function printFramed(value: unknown, payload: Uint8Array): Buffer {
  const head = Buffer.from(JSON.stringify(value));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, payload]);
}

/** Whoever sent it may be of another version, or lie: `take` throws for what it cannot read. */
export function readFramed<Value>(
  bytes: Buffer,
  take: (head: ReturnType<typeof JSON.parse>, payload: Buffer) => Value,
): Value | CrawlError {
  try {
    const end = headEnd(bytes);
    if (end > bytes.length) return unreadable("its head is cut off");
    return take(JSON.parse(bytes.toString("utf8", LENGTH_BYTES, end)), bytes.subarray(end));
  } catch (thrown) {
    return unreadable(thrownReason(thrown));
  }
}

/** What cannot be read is an error. */
export function readPage(bytes: Buffer): AskedPage | CrawlError {
  return readFramed<AskedPage>(bytes, ({ row, outcome }, payload) => {
    if (typeof row?.url !== "string") throw new Error("it has no URL");
    const { kind, statusLine, headers, reason } = outcome;
    if (kind === "absent") return { row, outcome: { kind } };
    if (kind === "damaged") return { row, outcome: { kind, reason: String(reason) } };
    if (kind !== "record" || !Array.isArray(headers)) throw new Error("its answer is missing");
    return {
      row,
      outcome: { kind, record: { statusLine: String(statusLine), headers, payload } },
    };
  });
}

/** The row of a page of which this much has come; null if that is too little. */
export function readRow(bytes: Buffer): PageRow | CrawlError | null {
  const isWhole = bytes.length >= LENGTH_BYTES && bytes.length >= headEnd(bytes);
  if (!isWhole) return null;
  const page = readPage(bytes);
  return isCrawlError(page) ? page : page.row;
}

function headEnd(bytes: Buffer): number {
  return LENGTH_BYTES + bytes.readUInt32LE(0);
}

function unreadable(why: string): CrawlError {
  return new CrawlError(
    "CLUSTER_ANSWER_DAMAGED",
    `The page that another agent has sent cannot be read: ${why}. Its version may be another than ours; ` +
      "ask that agent itself, or run the same version everywhere.",
  );
}
