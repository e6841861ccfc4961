/** The body of an archived answer without its content encodings, and the media type it has. */
import {
  type ContentOutcome,
  decodedContent,
  headerValue,
  parseContentType,
} from "../../../formats/http/index.ts";
import type { PageRow } from "../page-row.ts";
import type { PageRecord } from "./export-source.ts";

/** Encodings are undone, the last applied first; what is cut off is read as far as it goes. */
export function contentOf({
  headers,
  payload,
}: Pick<PageRecord, "headers" | "payload">): ContentOutcome {
  return decodedContent(headers, payload);
}

/** Type and subtype in lower case; what the crawl took it for when the answer does not say, or "". */
export function mediaOf({ headers, answer }: PageRecord, { mime }: Pick<PageRow, "mime">): string {
  const stated = headerValue(headers, "content-type");
  const value = answer.type === "resource" ? answer.fields.get("Content-Type") : stated;
  return parseContentType(value ?? undefined).media || (mime ?? "");
}
