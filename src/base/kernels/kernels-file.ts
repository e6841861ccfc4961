/** Reads the compiled kernels, which lie beside this file, in the sources as in the build. */
import { readFileSync } from "node:fs";

export function readKernelsFile(): Uint8Array<ArrayBuffer> {
  return readFileSync(new URL("kernels.wasm", import.meta.url));
}
