/**
 * Charset: which encoding a page is in, and how its bytes become text.
 *
 * `sniff` follows the HTML standard: a byte order mark wins over the header, the header over a
 * `<meta>` in the first 1024 bytes; a page that declares nothing is UTF-8 if its bytes are valid
 * UTF-8, else in the fallback of its site. It may ask for more bytes first, so that the answer does
 * not depend on how the network cut the page.
 *
 * What follows depends on the *byte form* of the encoding. UTF-8 and single-byte encodings can be
 * scanned as they are, since every byte below 0x80 is that ASCII character; all others are
 * converted to UTF-8 by a `Transcoder` first. Decoding never fails. Labels, decoders and encoders
 * are those of the Encoding standard, from `@exodus/bytes`; Node's are ICU's and differ.
 *
 * `encodeQuery` is the one place where the encoding of a page affects its URLs.
 *
 * Words of this module:
 * - *label*: what servers and authors write for an encoding
 * - *prescan*: the search for a declaration in the first 1024 bytes
 * - *fallback*: the encoding that a site is likely to use, for pages that declare nothing and are
 *   not UTF-8
 *
 * Read `sniffer.ts` first.
 */
export { isWhitespace } from "./ascii.ts";
export { decodeText, singleByteTable, Transcoder } from "./decode.ts";
export {
  byteFormOf,
  type EncodingName,
  encodingOfLabel,
  UTF_8,
  UTF_16BE,
  UTF_16LE,
} from "./encoding-name.ts";
export { encodeQuery } from "./query.ts";
export { type EncodingSource, type Sniffed, type SniffOptions, sniff } from "./sniffer.ts";
