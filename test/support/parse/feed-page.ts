/**
 * Feeds well-formed HTML, such as the page generators write, to a sink. The program's own parser is
 * another module; this one is small enough to be obviously right.
 */
import type { PageSink } from "../../../src/formats/html/index.ts";
import { tagNumber } from "../../../src/formats/html/index.ts";

const PIECE = /<!--[\s\S]*?-->|<![^>]*>|<(\/?)([A-Za-z][A-Za-z0-9-]*)([^>]*)>|[^<]+/g;

/** `cut` says after how many bytes a piece of text is cut in two. */
export function feedPage(
  html: string,
  sinks: readonly PageSink[],
  cut: number = Number.POSITIVE_INFINITY,
): void {
  for (const [piece, slash, name, attributes] of html.matchAll(PIECE)) {
    if (name !== undefined) {
      const tag = tagNumber(name.toLowerCase());
      for (const sink of sinks) {
        if (slash === "/") sink.closeTag(tag);
        else sink.openTag(tag);
      }
      const source = /^i?frame$/i.test(name) ? /src="([^"]*)"/.exec(attributes ?? "") : null;
      if (source !== null) {
        const bytes = Buffer.from(source[1] ?? "");
        for (const sink of sinks) sink.frameSource(bytes, 0, bytes.length);
      }
    } else if (!piece.startsWith("<")) {
      const bytes = Buffer.from(piece);
      for (let at = 0; at < bytes.length; at += cut) {
        for (const sink of sinks) sink.text(bytes, at, Math.min(bytes.length, at + cut));
      }
    }
  }
}
