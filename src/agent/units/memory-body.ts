/** A body that came from another process, and is in memory. */
import type { Body } from "../../base/seams/index.ts";

export function memoryBody(bytes: Uint8Array): Body {
  return {
    ...{ bytes, lengthBytes: bytes.byteLength },
    read: (offset, lengthBytes, done) => done(null, bytes.subarray(offset, offset + lengthBytes)),
    release: () => undefined,
  };
}
