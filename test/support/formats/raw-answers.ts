/**
 * Answers as bytes, good, odd and hostile, with what must become of each. They are sent by a real
 * server, cut into pieces, and shown to Node's own parser.
 */
export interface RawAnswer {
  readonly name: string;
  /** Latin1. */
  readonly bytes: string;
  /** As `describeOutcome` says it, when the server closes after the bytes. */
  readonly expected: string;
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

function row(name: string, bytes: string, expected: string): RawAnswer {
  return { name, bytes, expected };
}

function refused(reason: string, name: string, bytes: string): RawAnswer {
  return row(name, bytes, `FETCH_PROTOCOL ${reason}`);
}

const BEGINNINGS: readonly RawAnswer[] = [
  refused("not-http", "another protocol", "SSH-2.0-OpenSSH_9.2\r\n"),
  refused("not-http", "HTTP/0.9, a body alone", "<html><title>hello</title></html>\n"),
  refused("not-http", "a radio station", "ICY 200 OK\r\nicy-name: x\r\n\r\n"),
  refused("not-http", "a TLS alert", "\x15\x03\x01\x00\x02\x02\x46"),
  refused("not-http", "HTTP in small letters", "http/1.1 200 OK\r\n\r\n"),
  refused("not-http", "a space before the status line", " HTTP/1.1 200 OK\r\n\r\n"),
  refused("not-http", "bare newlines before the status line", "\n\nHTTP/1.1 200 OK\r\n\r\n"),
  refused("not-http", "many empty lines before the status line", `${"\r\n".repeat(9)}${OK}\r\n`),
  refused("not-http", "a NUL before the status line", `\0${OK}\r\n`),
  refused("not-http", "a name with a letter too few", "HTP/1.1 200 OK\r\n\r\n"),
  refused("not-http", "a request in place of an answer", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
  refused("not-http", "HTTP/2 frames", "\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64"),
  refused("version", "version 0.9", "HTTP/0.9 200 OK\r\n\r\n"),
  refused("version", "version 2.0", "HTTP/2.0 200 OK\r\n\r\n"),
  refused("version", "version 1.2", "HTTP/1.2 200 OK\r\n\r\n"),
  refused("version", "version 1", "HTTP/1 200 OK\r\n\r\n"),
  refused("version", "version 11.1", "HTTP/11.1 200 OK\r\n\r\n"),
  refused("version", "a negative version", "HTTP/-1.1 200 OK\r\n\r\n"),
  refused("version", "a version of letters", "HTTP/a.b 200 OK\r\n\r\n"),
  refused("status-line", "version 1.10", "HTTP/1.10 200 OK\r\n\r\n"),
  refused("status-line", "a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"),
  refused("status-line", "a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"),
  refused("status-line", "status 099", "HTTP/1.1 099 OK\r\n\r\n"),
  refused("status-line", "status 000", "HTTP/1.1 000 OK\r\n\r\n"),
  refused("status-line", "a status of letters", "HTTP/1.1 abc OK\r\n\r\n"),
  refused("status-line", "a signed status", "HTTP/1.1 +20 OK\r\n\r\n"),
  refused("status-line", "two spaces before the status", "HTTP/1.1  200 OK\r\n\r\n"),
  refused("status-line", "a tab before the status", "HTTP/1.1\t200 OK\r\n\r\n"),
  refused("status-line", "no space before the status", "HTTP/1.1200 OK\r\n\r\n"),
  refused("status-line", "a tab after the status", "HTTP/1.1 200\tOK\r\n\r\n"),
  refused("status-line", "a NUL in the reason", "HTTP/1.1 200 O\0K\r\n\r\n"),
  refused("status-line", "an escape in the reason", "HTTP/1.1 200 \x1b[31mOK\r\n\r\n"),
  refused("bare-newline", "a status line that ends with LF", "HTTP/1.1 200 OK\nX: y\r\n\r\n"),
  refused("bare-newline", "a status line that ends with CR", "HTTP/1.1 200 OK\rX: y\r\n\r\n"),
  refused("interim-last", "an interim answer of HTTP/1.0", "HTTP/1.0 100 Go\r\n\r\n"),
  refused(
    "interim-last",
    "an interim answer that closes",
    `HTTP/1.1 100 Go\r\nConnection: close\r\n\r\n${OK}\r\n`,
  ),
  refused("upgrade", "another protocol from here on", "HTTP/1.1 101 Switching\r\n\r\n"),
];

const HEADERS: readonly RawAnswer[] = [
  refused("control-character", "a NUL in a value", `${OK}X: a\0b\r\n\r\n`),
  refused("control-character", "an escape in a value", `${OK}X: \x1b[31m\r\n\r\n`),
  refused("control-character", "DEL in a value", `${OK}X: a\x7f\r\n\r\n`),
  refused("bare-newline", "a bare CR in a value", `${OK}X: a\rSet-Cookie: b=c\r\n\r\n`),
  refused("bare-newline", "a bare LF after a value", `${OK}X: a\nY: b\r\n\r\n`),
  refused("bare-newline", "CR CR LF after a value", `${OK}X: a\r\r\n\r\n`),
  refused("bare-newline", "a head that ends with CR and something", `${OK}X: a\r\n\rY`),
  refused("header-name", "a head that ends with LF", `${OK}X: a\r\n\nbody`),
  refused("folded", "a value that goes on after a space", `${OK}X: a\r\n b\r\n\r\n`),
  refused("folded", "a value that goes on after a tab", `${OK}X: a\r\n\tb\r\n\r\n`),
  refused("folded", "a folded Transfer-Encoding", `${OK}Transfer-Encoding:\r\n chunked\r\n\r\n`),
  refused("header-name", "a space before the first header", `${OK} X: a\r\n\r\n`),
  refused("space-before-colon", "a space before a colon", `${OK}Content-Length : 5\r\n\r\nhello`),
  refused("space-before-colon", "a tab before a colon", `${OK}X\t: a\r\n\r\n`),
  refused("space-before-colon", "a space inside a name", `${OK}X y: a\r\n\r\n`),
  refused("header-name", "no name", `${OK}: a\r\n\r\n`),
  refused("header-name", "no colon", `${OK}X\r\n\r\n`),
  refused("header-name", "a parenthesis in a name", `${OK}X(y): a\r\n\r\n`),
  refused("header-name", "an accented letter in a name", `${OK}N\xe4me: a\r\n\r\n`),
  refused("header-name", "a NUL in a name", `${OK}X\0y: a\r\n\r\n`),
];

function length(value: string): string {
  return `${OK}Content-Length: ${value}\r\n\r\nhello`;
}

function coding(value: string): string {
  return `${OK}Transfer-Encoding: ${value}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`;
}

const FRAMINGS: readonly RawAnswer[] = [
  refused("length-invalid", "a negative length", length("-5")),
  refused("length-invalid", "a signed length", length("+5")),
  refused("length-invalid", "a hexadecimal length", length("0x5")),
  refused("length-invalid", "a length with a fraction", length("5.0")),
  refused("length-invalid", "a list as length", length("5, 5")),
  refused("length-invalid", "two numbers as length", length("5 5")),
  refused("length-invalid", "an empty length", length("")),
  refused("length-invalid", "a length beyond all bounds", length("99999999999999999999")),
  refused("length-repeated", "the same length twice", length("5\r\nContent-Length: 5")),
  refused("length-repeated", "two lengths", length("5\r\nContent-Length: 6")),
  refused("length-repeated", "two lengths, spelled apart", length("5\r\ncontent-LENGTH: 50")),
  refused("length-with-coding", "a length, then chunks", coding("chunked\r\nContent-Length: 5")),
  refused("length-with-coding", "chunks after a length", length("5\r\nTransfer-Encoding: chunked")),
  refused("coding-unknown", "gzip as transfer coding", coding("gzip, chunked")),
  refused("coding-unknown", "identity as transfer coding", coding("identity")),
  refused("coding-unknown", "chunked twice in a list", coding("chunked, chunked")),
  refused("coding-unknown", "chunked twice", coding("chunked\r\nTransfer-Encoding: chunked")),
  refused("coding-unknown", "almost chunked", coding("xchunked")),
  refused("coding-unknown", "chunked with a parameter", coding("chunked;q=1")),
  refused("coding-unknown", "chunked in quotes", coding('"chunked"')),
  refused("coding-unknown", "an empty transfer coding", coding("")),
  refused("control-character", "chunked after a vertical tab", coding("\x0bchunked")),
];

const CHUNKS: readonly RawAnswer[] = [
  row("a chunk size of letters", `${CHUNKED}zz\r\n`, "200 0 disconnect"),
  row("an empty chunk size", `${CHUNKED}\r\nhello\r\n`, "200 0 disconnect"),
  row("a negative chunk size", `${CHUNKED}-5\r\nhello\r\n0\r\n\r\n`, "200 0 disconnect"),
  row("a chunk size with its prefix", `${CHUNKED}0x5\r\nhello\r\n0\r\n\r\n`, "200 0 disconnect"),
  row("a space before a chunk size", `${CHUNKED} 5\r\nhello\r\n0\r\n\r\n`, "200 0 disconnect"),
  row("a space after a chunk size", `${CHUNKED}5 \r\nhello\r\n0\r\n\r\n`, "200 0 disconnect"),
  row("a chunk size beyond bounds", `${CHUNKED}fffffffffffffffff\r\nhello`, "200 0 disconnect"),
  row("endless zeros as chunk size", `${CHUNKED}${"0".repeat(999)}5\r\nhello`, "200 0 disconnect"),
  row("a chunk size that ends with LF", `${CHUNKED}5\nhello\r\n0\r\n\r\n`, "200 0 disconnect"),
  row("a chunk longer than its size", `${CHUNKED}5\r\nhello!\r\n0\r\n\r\n`, "200 5 disconnect"),
  row("a chunk that ends with LF", `${CHUNKED}5\r\nhello\n0\r\n\r\n`, "200 5 disconnect"),
  row("a NUL in a chunk extension", `${CHUNKED}5;a=\0\r\nhello\r\n0\r\n\r\n`, "200 0 disconnect"),
  row("an LF in a chunk extension", `${CHUNKED}5;a\nb\r\nhello\r\n0\r\n\r\n`, "200 0 disconnect"),
  row("a chunk that breaks off", `${CHUNKED}5\r\nhel`, "200 3 disconnect"),
  row("no last chunk", `${CHUNKED}5\r\nhello\r\n`, "200 5 disconnect"),
  row("no end after the last chunk", `${CHUNKED}5\r\nhello\r\n0\r\n`, "200 5 disconnect"),
  row("a trailer without colon", `${CHUNKED}5\r\nhello\r\n0\r\nX\r\n\r\n`, "200 5 disconnect"),
  row(
    "a length in a trailer",
    `${CHUNKED}5\r\nhello\r\n0\r\nContent-Length: 3\r\n\r\n`,
    "200 5 disconnect",
  ),
  row("a folded trailer", `${CHUNKED}5\r\nhello\r\n0\r\nX: a\r\n b\r\n\r\n`, "200 5 disconnect"),
  row("a NUL in a trailer", `${CHUNKED}5\r\nhello\r\n0\r\nX: \0\r\n\r\n`, "200 5 disconnect"),
  row("a bare CR in a trailer", `${CHUNKED}5\r\nhello\r\n0\r\nX: a\rb\r\n\r\n`, "200 5 disconnect"),
];

export const HOSTILE_ANSWERS: readonly RawAnswer[] = [
  ...BEGINNINGS,
  ...HEADERS,
  ...FRAMINGS,
  ...CHUNKS,
];

export const PROPER_ANSWERS: readonly RawAnswer[] = [
  row("a length", length("5"), "200 5 null"),
  row("a length with zeros before it", length("0005"), "200 5 null"),
  row("a length with blanks around it", length("\t 5 \t"), "200 5 null"),
  row("a body longer than its length", `${length("3")} and more`, "200 3 null"),
  row("a body shorter than its length", length("9"), "200 5 disconnect"),
  row("another answer behind", `${length("5")}${length("5")}`, "200 5 null"),
  row("no length", `${OK}\r\nhello`, "200 5 null"),
  row("no header at all", `${OK}\r\n`, "200 0 null"),
  row("no reason", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "200 5 null"),
  row("an empty reason", "HTTP/1.1 200 \r\nContent-Length: 5\r\n\r\nhello", "200 5 null"),
  row(
    "a reason in latin1",
    "HTTP/1.1 404 Pas trouv\xe9\r\nContent-Length: 0\r\n\r\n",
    "404 0 null",
  ),
  row("status 999", "HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n", "999 0 null"),
  row("HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nhello", "200 5 null"),
  row("an empty line before the answer", `\r\n${length("5")}`, "200 5 null"),
  row("an empty value", `${OK}X:\r\nContent-Length: 5\r\n\r\nhello`, "200 5 null"),
  row(
    "bytes above ASCII in a value",
    `${OK}X: \xff\x80\r\nContent-Length: 0\r\n\r\n`,
    "200 0 null",
  ),
  row("every character of a name", `${OK}!#$%&'*+-.^_\`|~09azAZ: x\r\n\r\n`, "200 0 null"),
  row(
    "no content, though a length is given",
    `HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n`,
    "204 0 null",
  ),
  row(
    "not modified, with its length",
    `HTTP/1.1 304 No\r\nContent-Length: 5\r\n\r\n`,
    "304 0 null",
  ),
  row("an interim answer", `HTTP/1.1 100 Continue\r\n\r\n${length("5")}`, "200 5 null"),
  row("early hints", `HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n${length("5")}`, "200 5 null"),
  row("chunks", `${CHUNKED}5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`, "200 11 null"),
  row("chunks in capitals", coding("CHUNKED"), "200 5 null"),
  row("a chunk size with zeros", `${CHUNKED}0005\r\nhello\r\n000\r\n\r\n`, "200 5 null"),
  row("a chunk size in capitals", `${CHUNKED}A\r\n0123456789\r\n0\r\n\r\n`, "200 10 null"),
  row("a chunk extension", `${CHUNKED}5;a=b\r\nhello\r\n0;c\r\n\r\n`, "200 5 null"),
  row("trailers", `${CHUNKED}5\r\nhello\r\n0\r\nX: a\r\nY: b\r\n\r\n`, "200 5 null"),
  row("an empty chunked body", `${CHUNKED}0\r\n\r\n`, "200 0 null"),
  row("bytes behind the last chunk", `${CHUNKED}5\r\nhello\r\n0\r\n\r\nmore`, "200 5 null"),
];
