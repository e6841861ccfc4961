/** Answers for property tests: proper ones, and ones with a few bytes of them changed. */
import fc from "fast-check";

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,20}$/);
const value = fc.stringMatching(/^[!-~\x80-\xff]([\t -~\x80-\xff]{0,30}[!-~\x80-\xff])?$/);
const name = token.filter(
  (text) => !/^(content-length|transfer-encoding|connection|upgrade|trailer)$/i.test(text),
);
const header = fc.tuple(name, value).map(([one, other]) => `${one}: ${other}\r\n`);
const latin1 = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes) => Buffer.from(bytes).toString("latin1"));
const status = fc.oneof(
  fc.constantFrom(200, 200, 200, 204, 301, 304, 404, 500, 999),
  fc.integer({ min: 200, max: 999 }),
);

const chunk = fc
  .tuple(latin1, fc.constantFrom("", ";a", ";a=b", ";name=value;x"))
  .filter(([bytes]) => bytes.length > 0)
  .map(([bytes, extension]) => `${bytes.length.toString(16)}${extension}\r\n${bytes}\r\n`);

const body = fc.oneof(
  latin1.map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`),
  fc
    .tuple(fc.array(chunk, { maxLength: 4 }), fc.array(header, { maxLength: 2 }))
    .map(([chunks, trailers]) => {
      return `Transfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n${trailers.join("")}\r\n`;
    }),
  latin1.map((text) => `\r\n${text}`),
);

const interim = fc
  .tuple(fc.constantFrom("", "HTTP/1.1 100 Continue\r\n", "HTTP/1.1 103 Hints\r\n"), header)
  .map(([line, hint]) => (line === "" ? "" : `${line}${hint}\r\n`));

const connection = fc.constantFrom("", "", "Connection: close\r\n", "Connection: keep-alive\r\n");

export const properAnswers: fc.Arbitrary<string> = fc
  .record({
    interim,
    version: fc.constantFrom("1.1", "1.1", "1.0"),
    status,
    reason: fc.constantFrom("", " ", " OK", " Not Found", " d\xe9j\xe0 vu"),
    headers: fc.array(header, { maxLength: 6 }),
    connection,
    body,
  })
  .map((made) => {
    const line = `HTTP/${made.version} ${made.status}${made.reason}\r\n`;
    return `${made.interim}${line}${made.headers.join("")}${made.connection}${made.body}`;
  });

const POISON = [
  ..."\0\r\n\t :;,-0159afxX\x7f\x0b\x80",
  ...["\r\n", "\n", "\r", "\r\n ", ": ", "0\r\n\r\n", "Content-Length: 3\r\n", "chunked", "gzip, "],
  ...[
    "Transfer-Encoding: chunked\r\n",
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 100 Go\r\n\r\n",
    "\r\n\r\n",
  ],
];

const change = fc.record({
  at: fc.noBias(fc.nat(1_000_000)),
  cut: fc.integer({ min: 0, max: 3 }),
  added: fc.constantFrom("", ...POISON),
});

/** Most of them are refused, at every place where an answer can be wrong. */
export const damagedAnswers: fc.Arbitrary<string> = fc
  .tuple(properAnswers, fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) => {
    let damaged = text;
    for (const { at, cut, added } of changes) {
      const place = at % (damaged.length + 1);
      damaged = damaged.slice(0, place) + added + damaged.slice(place + cut);
    }
    return damaged;
  });
