/**
 * The packages that few pages need, loaded for the first of them: a page that says UTF-8, or is UTF-8,
 * needs none. Loading them all takes as long as fetching some twenty pages.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const encodings = (): typeof import("@exodus/bytes/encoding.js") =>
  require("@exodus/bytes/encoding.js");

/** It knows all encodings only if those are loaded. */
export function whatwg(): typeof import("@exodus/bytes/whatwg.js") {
  encodings();
  return require("@exodus/bytes/whatwg.js");
}

export const chardet = (): typeof import("chardet") => require("chardet");
