/** The content encodings that a header names, by the words of RFC 9110 and those that servers use. */
export type ContentCoding = "gzip" | "deflate" | "br" | "zstd";

export type CodingList =
  /** In the order in which they were applied; none for a body that is as it is. */
  | { readonly kind: "known"; readonly codings: readonly ContentCoding[] }
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "too-many" };

const CODINGS: ReadonlyMap<string, ContentCoding> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["x-deflate", "deflate"],
  ["br", "br"],
  ["zstd", "zstd"],
]);

/** Words for "no encoding"; of a list of nothing else nobody minds the length. */
const NOTHING: ReadonlySet<string> = new Set(["", "identity", "none"]);

/** Nearly every header is one of these words, and needs no list of its own. */
const USUAL: ReadonlyMap<string, CodingList> = new Map([
  ["", { kind: "known", codings: [] }],
  ...[...CODINGS].map(([name, coding]): [string, CodingList] => [
    name,
    { kind: "known", codings: [coding] },
  ]),
]);

/** `header` is the value of Content-Encoding; several are joined by commas. */
export function contentCodings(header: string, codingsMax: number): CodingList {
  return USUAL.get(header) ?? readCodings(header, codingsMax);
}

function readCodings(header: string, codingsMax: number): CodingList {
  const codings: ContentCoding[] = [];
  for (let from = 0; from <= header.length; ) {
    const comma = header.indexOf(",", from);
    const to = comma === -1 ? header.length : comma;
    const name = header.slice(from, to).trim().toLowerCase();
    from = to + 1;
    if (NOTHING.has(name)) continue;
    const coding = CODINGS.get(name);
    if (coding === undefined) return { kind: "unknown", name };
    if (codings.length === codingsMax) return { kind: "too-many" };
    codings.push(coding);
  }
  return { kind: "known", codings };
}
