/** The content encodings that a header names, as in RFC 9110 and as servers write them. */
export type ContentCoding = "gzip" | "deflate" | "br" | "zstd";

export type CodingList =
  /** In the order in which they were applied; empty for a body that is not encoded. */
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

/** Words for "no encoding"; they do not count towards the limit. */
const NOTHING: ReadonlySet<string> = new Set(["", "identity", "none"]);

/** Nearly every header is one of these, which need no parsing. */
const USUAL: ReadonlyMap<string, CodingList> = new Map([
  ["", { kind: "known", codings: [] }],
  ...[...CODINGS].map(([name, coding]): [string, CodingList] => [
    name,
    { kind: "known", codings: [coding] },
  ]),
]);

/** More are not decoded at all. */
export const CODINGS_MAX = 2;

/** `header` is the value of Content-Encoding; several are joined by commas. */
export function contentCodings(header: string): CodingList {
  return USUAL.get(header) ?? readCodings(header);
}

function readCodings(header: string): CodingList {
  const codings: ContentCoding[] = [];
  for (let from = 0; from <= header.length; ) {
    const comma = header.indexOf(",", from);
    const to = comma === -1 ? header.length : comma;
    const name = header.slice(from, to).trim().toLowerCase();
    from = to + 1;
    if (NOTHING.has(name)) continue;
    const coding = CODINGS.get(name);
    if (coding === undefined) return { kind: "unknown", name };
    if (codings.length === CODINGS_MAX) return { kind: "too-many" };
    codings.push(coding);
  }
  return { kind: "known", codings };
}
