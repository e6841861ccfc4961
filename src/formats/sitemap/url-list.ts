/** A sitemap that is plain text: one URL per line, in UTF-8. */
import type { ByteSink } from "./byte-sink.ts";
import type { EntryCollector } from "./sitemap-entry.ts";
import { TextCapture } from "./text-capture.ts";

const LF = 0x0a;
const CR = 0x0d;

export class UrlList implements ByteSink {
  readonly #collector: EntryCollector;
  readonly #line: TextCapture;
  /** Some line was a URL, so the file is a list of URLs. */
  recognised = false;

  constructor(collector: EntryCollector, textBytesMax: number) {
    this.#collector = collector;
    this.#line = new TextCapture(textBytesMax);
  }

  push(bytes: Uint8Array): boolean {
    let from = 0;
    for (let at = 0; at < bytes.length && !this.#collector.overflowed; at += 1) {
      if (bytes[at] !== LF && bytes[at] !== CR) continue;
      this.#line.add(bytes, from, at);
      this.#endLine();
      from = at + 1;
    }
    this.#line.add(bytes, from, bytes.length);
    return !this.#collector.overflowed;
  }

  /** The last line may have no line end; when the file was cut, it is incomplete. */
  end(whole: boolean): void {
    if (whole) this.#endLine();
  }

  #endLine(): void {
    const { tooLong } = this.#line;
    const text = this.#line.take();
    if (text === "" && !tooLong) return;
    const isUrl = /^https?:\/\//i.test(text);
    this.recognised ||= isUrl;
    const url = isUrl ? text : null;
    this.#collector.add({ kind: "page", url, tooLong: tooLong && isUrl, alternates: [] });
  }
}
