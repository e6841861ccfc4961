/**
 * Bytes at least `lengthBytes` long that begin with these, and have zeros behind them: the same where
 * they are long enough. They double each time, so that a byte is copied twice at most; `mostBytes` is
 * where that ends, and no less than what is asked for.
 */
export function grownBytes(
  bytes: Uint8Array,
  lengthBytes: number,
  mostBytes: number = Number.POSITIVE_INFINITY,
): Uint8Array {
  if (bytes.length >= lengthBytes) return bytes;
  const longer = new Uint8Array(Math.max(lengthBytes, Math.min(mostBytes, bytes.length * 2)));
  longer.set(bytes);
  return longer;
}

/** The same for a buffer. */
export function grownBuffer(buffer: Buffer, lengthBytes: number, mostBytes: number): Buffer {
  const grown = grownBytes(buffer, lengthBytes, mostBytes);
  return grown === buffer ? buffer : Buffer.from(grown.buffer);
}
