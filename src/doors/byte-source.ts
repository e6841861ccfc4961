/** What the doors read: bytes at hand, or as they arrive. */

/**
 * A text, bytes, or bytes that arrive in pieces: a stream of Node, the body of a `Response`, or any
 * iterable of pieces.
 */
export type ByteSource = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The bytes of a text in UTF-8, or the bytes themselves. */
export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

/** The pieces, none larger than `bytesMax`. */
export async function* piecesOf(source: ByteSource, bytesMax: number): AsyncGenerator<Uint8Array> {
  const isWhole = typeof source === "string" || source instanceof Uint8Array;
  for await (const piece of isWhole ? [bytesOf(source)] : source) {
    for (let at = 0; at < piece.length; at += bytesMax) yield piece.subarray(at, at + bytesMax);
  }
}
