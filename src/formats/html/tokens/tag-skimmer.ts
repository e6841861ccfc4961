/**
 * Finds the end of a tag that is too long for memory, with a state machine that reads no byte
 * twice. What it skips is lost; `truncated` of the page says so.
 */

import { isWhitespace } from "../../charset/index.ts";

/** Where in the tag the skimmer is. */
type Place = "between" | "name" | "after-name" | "before-value" | "bare" | "double" | "single";

export class TagSkimmer {
  #place: Place = "between";

  /** The position after the tag's `>`, or -1 when the bytes end first. */
  skim(bytes: Uint8Array, from: number, end: number): number {
    for (let at = from; at < end; at++) {
      const byte = bytes[at] as number;
      const next = this.#next(byte);
      if (next === undefined) return at + 1;
      this.#place = next;
    }
    return -1;
  }

  /** The place after this byte; undefined when it ends the tag. */
  #next(byte: number): Place | undefined {
    if (this.#place === "double") return byte === 0x22 ? "between" : "double";
    if (this.#place === "single") return byte === 0x27 ? "between" : "single";
    if (byte === 0x3e) return undefined;
    const isSpace = isWhitespace(byte);
    switch (this.#place) {
      case "between":
        return isSpace || byte === 0x2f ? "between" : "name";
      case "name":
      case "after-name":
        if (byte === 0x3d) return "before-value";
        if (byte === 0x2f) return "between";
        return isSpace ? "after-name" : "name";
      case "before-value":
        if (byte === 0x22) return "double";
        if (byte === 0x27) return "single";
        return isSpace ? "before-value" : "bare";
      case "bare":
        return isSpace ? "between" : "bare";
    }
  }
}
