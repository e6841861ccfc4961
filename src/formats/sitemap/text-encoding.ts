/**
 * Finds the encoding of a sitemap from its first bytes and converts it to UTF-8. Nearly all are
 * UTF-8 already and pass through untouched. Byte order marks are left in: `SitemapBody` skips them.
 */
import {
  type EncodingName,
  encodingOfLabel,
  Transcoder,
  UTF_8,
  UTF_16BE,
  UTF_16LE,
} from "../charset/index.ts";
import { type ByteSink, ChoosingSink } from "./byte-sink.ts";

/** Enough for any XML declaration. */
const HEAD_BYTES = 512;

export function encodingStage(next: ByteSink): ByteSink {
  return new ChoosingSink(HEAD_BYTES, (head) => {
    const encoding = encodingOf(head);
    return encoding === UTF_8 ? next : transcoding(encoding, next);
  });
}

function transcoding(encoding: EncodingName, next: ByteSink): ByteSink {
  const transcoder = new Transcoder(encoding);
  return {
    push: (bytes) => next.push(transcoder.write(bytes)),
    end: (whole) => {
      next.push(transcoder.end());
      next.end(whole);
    },
  };
}

/** By a byte order mark, then the pattern of UTF-16, then the declaration; otherwise UTF-8. */
function encodingOf(head: Uint8Array): EncodingName {
  const [a, b] = head;
  if ((a === 0xff && b === 0xfe) || (b === 0 && a !== 0)) return UTF_16LE;
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0)) return UTF_16BE;
  const text = Buffer.from(head).toString("latin1");
  const match = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([^"'>]{1,40})["']/i.exec(text);
  const encoding = encodingOfLabel(match?.[1]) ?? UTF_8;
  // A declaration that can be read as ASCII was not written in UTF-16.
  return encoding.startsWith("utf-16") ? UTF_8 : encoding;
}
