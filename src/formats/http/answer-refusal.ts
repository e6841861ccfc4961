/**
 * Every reason for which the bytes of an answer are refused. The parser is as strict as llhttp in
 * its default mode, and stricter where that costs no real page: leniency about where a message ends
 * may turn bytes of one page into the answer for another.
 */

/** The reason, and the end of a sentence that begins "Its answer was refused: ". */
export const ANSWER_REFUSALS = {
  "not-http": "it does not begin with a status line of HTTP",
  version: "its version of HTTP is neither 1.0 nor 1.1",
  "status-line": "its status line has no status of three digits, or has forbidden characters",
  "bare-newline": "a line of its head does not end with CR LF",
  "control-character": "a header has a control character in its value",
  folded: "a header goes on in the next line, which is no longer allowed",
  "space-before-colon": "there is white space between the name of a header and its colon",
  "header-name": "a header has no name, no colon, or a forbidden character in its name",
  "head-too-long": "its head is longer than the limit",
  "too-many-headers": "it has too many headers",
  "too-many-interim": "it has too many interim answers before the final one",
  "interim-last": "an interim answer says that nothing follows it",
  upgrade: "it switches to another protocol, which was not requested",
  "length-invalid": "its Content-Length is not a number of bytes",
  "length-repeated": "it has more than one Content-Length",
  "length-with-coding": "it has both a Content-Length and a Transfer-Encoding",
  "coding-unknown": "its Transfer-Encoding is not exactly chunked",
  "chunk-size": "a chunk has no proper size",
  "chunk-extension": "the extension of a chunk is too long or has forbidden characters",
  "chunk-end": "a chunk is not followed by CR LF",
  trailer: "its trailers are malformed or too long",
} as const;

export type AnswerRefusal = keyof typeof ANSWER_REFUSALS;
