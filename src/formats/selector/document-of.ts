/** The elements of a document, by its media type and character encoding. */
import { decodeText, encodingOfLabel, UTF_8 } from "../charset/index.ts";
import { readTree, type Selectable } from "./html-tree.ts";

export interface DocumentFacts {
  /** Type and subtype, in lower case; null if it is not known. */
  readonly mime: string | null;
  readonly charset: string | null;
}

/** UTF-8 unless the encoding is known. */
export function textOf({ charset }: Pick<DocumentFacts, "charset">, bytes: Uint8Array): string {
  return decodeText(bytes, encodingOfLabel(charset ?? "") ?? UTF_8);
}

/** Nothing is found in it unless it is HTML or XML. */
export function documentOf(facts: DocumentFacts, bytes: Uint8Array): Selectable {
  const mime = facts.mime ?? "";
  const isHtml = mime === "text/html" || mime === "application/xhtml+xml";
  const isXml = !isHtml && /[/+]xml$/.test(mime);
  return readTree(isHtml || isXml ? textOf(facts, bytes) : "", isXml);
}
