/** Reads one answer from bytes by our own parser, in given pieces, and tells what it made of it. */

import type { Header } from "../../../src/base/seams/index.ts";
import { AnswerReader } from "../../../src/formats/http/index.ts";

export interface AnswerRead {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
  readonly body: string;
  /** Whether the server's closing after these bytes leaves a whole answer. */
  readonly isWhole: boolean;
  readonly refusal: string | null;
  /** Bytes that belong to the answer. */
  readonly takenBytes: number;
  /** Whether the connection could be used again. */
  readonly isPersistent: boolean;
}

/** `cuts` are the lengths of the pieces, used in turn; each piece lies at another place. */
export function readAnswer(
  bytes: Buffer,
  cuts: readonly number[] = [bytes.length],
  headerBytesMax: number = 64 * 1024,
): AnswerRead {
  const seen = { status: 0, reason: "", headers: [] as readonly Header[], body: "" };
  const reader = new AnswerReader({
    takeHead: (head) => Object.assign(seen, head),
    takeBody: (from, start, end) => {
      seen.body += from.toString("latin1", start, end);
      return true;
    },
  });
  reader.begin(headerBytesMax);
  const shared = Buffer.alloc(bytes.length + 7);
  let takenBytes = 0;
  for (let at = 0, cut = 0; at < bytes.length && !reader.isWhole; cut++) {
    const length = Math.min(Math.max(1, cuts[cut % cuts.length] ?? 1), bytes.length - at);
    const start = cut % 7;
    shared.fill(0xaa);
    bytes.copy(shared, start, at, at + length);
    takenBytes += reader.read(shared, start, start + length) - start;
    at += length;
    if (reader.refusal !== null) break;
  }
  const isWhole = reader.close();
  const { status, reason, headers, body } = seen;
  const { refusal } = reader;
  const isPersistent = isWhole && reader.isPersistent;
  return { status, reason, headers, body, isWhole, refusal, takenBytes, isPersistent };
}
