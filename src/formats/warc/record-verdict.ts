/** Whether a record's bytes are what its digests say. */
import { parseContentType } from "../http/index.ts";
import { parseHttpBlock } from "./http-block.ts";
import { type DigestVerdict, verifyDigest } from "./payload-digest.ts";
import type { ReadRecord } from "./warc-record.ts";

export interface RecordVerdict {
  /** null: the record states no such digest, or (a revisit's payload) its bytes are elsewhere. */
  readonly block: DigestVerdict | null;
  readonly payload: DigestVerdict | null;
}

export function verifyRecord(record: ReadRecord): RecordVerdict {
  const block = record.fields.get("WARC-Block-Digest");
  const payload = record.fields.get("WARC-Payload-Digest");
  return {
    block: block === null ? null : verifyDigest(block, record.block),
    payload: payload === null ? null : verifyPayload(payload, record),
  };
}

/** The standard digests the body without its chunks; several writers digest it with them. */
function verifyPayload(digest: string, record: ReadRecord): DigestVerdict | null {
  if (record.type === "revisit") return null;
  const { media } = parseContentType(record.fields.get("Content-Type") ?? undefined);
  const http = media === "application/http" ? parseHttpBlock(record.block) : null;
  if (http === null) return verifyDigest(digest, record.block);
  const verdict = verifyDigest(digest, http.payload);
  return verdict === "wrong" ? verifyDigest(digest, http.body) : verdict;
}
