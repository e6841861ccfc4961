/**
 * What is kept of a page whose body stays with another agent: the head of its answer, and what was found in
 * the body. It takes the place of the body in archive, replay and messages, so that the links of the page are
 * found again as if it had been fetched here. Its text is left out: it belongs to the body.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Header } from "../../base/seams/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import { ByteReader, type Codec, codec } from "../../topology/items/index.ts";
import { header, parsedPage, text } from "../units/parse-items.ts";

export interface KeptPage {
  readonly reason: string;
  readonly headers: readonly Header[];
  /** Null for what was not parsed. */
  readonly parsed: ParsedPage | null;
}

/** Written as base64, so that it is one line of printable ASCII. */
export const KEPT_PAGE: Codec<KeptPage> = codec.struct<KeptPage>({
  ...{ reason: text, headers: codec.list(header), parsed: codec.nullable(parsedPage) },
});

/** Null for what another version has written. */
export function readKeptPage(line: string): KeptPage | null {
  try {
    return KEPT_PAGE.read(new ByteReader(Buffer.from(line, "base64")));
  } catch (thrown) {
    if (thrown instanceof CrawlError) return null;
    throw thrown;
  }
}
