/**
 * Bytes to text, in three ways: a whole text at once, a stream converted to UTF-8, and the table of
 * a single-byte encoding for scanners that decode byte by byte. None ever throws: what cannot be
 * decoded becomes U+FFFD, as the standard says.
 *
 * Node's own decoder follows ICU for the encodings of East Asia, and ICU deviates from the
 * standard: it does not know the second half of the Korean encoding and swallows markup after an
 * invalid Japanese character. `@exodus/bytes` follows the standard (docs/adr/0014-charset.md).
 */
import type { TextDecoder as StandardDecoder } from "@exodus/bytes/encoding.js";
import type { EncodingName } from "./encoding-name.ts";
import { encodings } from "./late-packages.ts";

/** The text of the bytes. The caller leaves out a byte order mark. */
export function decodeText(bytes: Uint8Array, encoding: EncodingName): string {
  if (encoding === "replacement") return bytes.length === 0 ? "" : "\ufffd";
  return decoderOf(encoding).decode(bytes);
}

function decoderOf(encoding: EncodingName): InstanceType<typeof StandardDecoder> {
  const { TextDecoder } = encodings();
  return new TextDecoder(encoding, { ignoreBOM: true });
}

/** Converts a stream of bytes of one encoding to UTF-8, however it is cut into chunks. */
export class Transcoder {
  readonly #decoder: InstanceType<typeof StandardDecoder> | undefined;
  #hasReplaced = false;

  constructor(encoding: EncodingName) {
    // The encoding "replacement" stands for several that are unsafe to decode at all.
    this.#decoder = encoding === "replacement" ? undefined : decoderOf(encoding);
  }

  write(chunk: Uint8Array): Uint8Array {
    if (this.#decoder !== undefined) {
      return Buffer.from(this.#decoder.decode(chunk, { stream: true }), "utf8");
    }
    const isFirst = !this.#hasReplaced && chunk.length > 0;
    this.#hasReplaced ||= isFirst;
    return Buffer.from(isFirst ? "\ufffd" : "", "utf8");
  }

  /** The rest: the UTF-8 of an incomplete last character. */
  end(): Uint8Array {
    return Buffer.from(this.#decoder?.decode() ?? "", "utf8");
  }
}

const tables = new Map<EncodingName, Uint16Array>();

/** The code points of the bytes 0x80 to 0xFF of a single-byte encoding. */
export function singleByteTable(encoding: EncodingName): Uint16Array {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const upper = Uint8Array.from({ length: 128 }, (_, index) => index + 128);
  const text = decodeText(upper, encoding);
  const table = Uint16Array.from(upper, (_, index) => text.charCodeAt(index));
  tables.set(encoding, table);
  return table;
}
