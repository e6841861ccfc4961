/** Whether the bytes of a record match its digests. */
import { parseContentType } from "../http/index.ts";
import { parseHttpBlock } from "./http-block.ts";
import { type DigestVerdict, verifyDigest } from "./payload-digest.ts";
import type { ReadRecord } from "./warc-record.ts";

export interface RecordVerdict {
  /** null: the record states no such digest, or (a revisit's payload) its bytes are elsewhere. */
  readonly block: DigestVerdict | null;
  readonly payload: DigestVerdict | null;
}

/** `payload` is the digest that the payload is compared with, if not the one that the record states. */
export function verifyRecord(
  record: ReadRecord,
  payload: string | null = record.fields.get("WARC-Payload-Digest"),
): RecordVerdict {
  const block = record.fields.get("WARC-Block-Digest");
  return {
    block: block === null ? null : verifyDigest(block, record.block),
    payload: payload === null ? null : verifyPayload(payload, record),
  };
}

/** By the standard the digest is of the body without its chunks; several writers include them. */
function verifyPayload(digest: string, record: ReadRecord): DigestVerdict | null {
  if (record.type === "revisit") return null;
  const { media } = parseContentType(record.fields.get("Content-Type") ?? undefined);
  const http = media === "application/http" ? parseHttpBlock(record.block) : null;
  if (http === null) return verifyDigest(digest, record.block);
  const verdict = verifyDigest(digest, http.payload);
  return verdict === "wrong" ? verifyDigest(digest, http.body) : verdict;
}
