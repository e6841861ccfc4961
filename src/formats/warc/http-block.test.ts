import assert from "node:assert/strict";
import { test } from "node:test";
import { parseHttpBlock, responseHeadBytes } from "./http-block.ts";

function headOf(headers: readonly (readonly [string, string])[], bodyBytes: number): string {
  const head = { status: 200, reason: "OK", headers };
  return Buffer.from(responseHeadBytes(head, bodyBytes)).toString("latin1");
}

test("a transfer encoding that was removed is kept under another name", () => {
  const head = headOf([["Transfer-Encoding", "chunked"]], 5);
  assert.equal(
    head,
    "HTTP/1.1 200 OK\r\nX-Crawler-Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
  );
});

test("a content length is kept if true and renamed if not", () => {
  assert.match(headOf([["content-length", "5"]], 5), /\r\ncontent-length: 5\r\n\r\n$/);
  const untrue = headOf([["Content-Length", "9"]], 5);
  assert.match(untrue, /\r\nX-Crawler-Content-Length: 9\r\nContent-Length: 5\r\n\r\n$/);
});

test("a content encoding stays, since bodies are stored as received", () => {
  assert.match(headOf([["Content-Encoding", "br"]], 5), /\r\nContent-Encoding: br\r\n/);
});

test("a status line without a reason ends after its status", () => {
  const bytes = responseHeadBytes({ status: 200, reason: "", headers: [] }, 5);
  assert.match(Buffer.from(bytes).toString(), /^HTTP\/1\.1 200\r\n/);
});

test("header bytes beyond ASCII are kept as received", () => {
  const bytes = responseHeadBytes({ status: 200, reason: "OK", headers: [["X", "caf\u00e9"]] }, 0);
  assert.ok(Buffer.from(bytes).includes(Buffer.from([0x63, 0x61, 0x66, 0xe9])));
});

test("chunks are joined; a body that is only declared chunked is taken as it is", () => {
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const proper = parseHttpBlock(Buffer.from(`${chunked}3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n`));
  assert.equal(Buffer.from(proper?.payload ?? []).toString(), "abcde");
  const claimed = parseHttpBlock(Buffer.from(`${chunked}<html>not chunked</html>`));
  assert.equal(Buffer.from(claimed?.payload ?? []).toString(), "<html>not chunked</html>");
});

test("a block that is not HTTP has no parts", () => {
  assert.equal(parseHttpBlock(Buffer.from("hello\r\n\r\nworld")), null);
});

test("no header smuggles a line into the head", () => {
  for (const end of ["\r", "\n", "\r\n", "\0"]) {
    const head = headOf([[`X${end}A: b`, `c${end}D: e`]], 5);
    assert.equal(head.split(/[\r\n\0]+/).length, 4, JSON.stringify(head));
  }
});
