/**
 * Values on their way to another thread. A view of bytes is copied there with all of the memory that it
 * looks at, which may be a pool many times as large; a string is copied as it is.
 */

/** Bytes as a string, one character for each. */
export function packed(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

export function unpacked(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

/** The same bytes in memory of their own. */
export function alone(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}
