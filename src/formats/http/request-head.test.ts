/** Nothing that a stranger wrote can end a line of a request. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Header } from "../../base/seams/index.ts";
import { requestHead } from "./request-head.ts";

const LINE = { target: "/page?q=1", host: "example.org" };

function written(line: { target: string; host: string }, headers: readonly Header[] = []): string {
  const head = requestHead(line, headers);
  return head.kind === "text" ? head.text : `refused: ${head.problem}`;
}

test("a request is a line, the host, and the headers as they were given", () => {
  const headers: Header[] = [
    ["User-Agent", "Trobar/1 (+https://example.org)"],
    ["Accept-Language", "fr;q=0.9, \xe9"],
    ["X-Empty", ""],
  ];
  assert.equal(
    written(LINE, headers),
    "GET /page?q=1 HTTP/1.1\r\nHost: example.org\r\n" +
      "User-Agent: Trobar/1 (+https://example.org)\r\nAccept-Language: fr;q=0.9, \xe9\r\n" +
      "X-Empty: \r\n\r\n",
  );
});

describe("what cannot be written is refused", () => {
  const targets = [
    "/a b",
    "/a\r\nX: y",
    "/a\n",
    "/a\0",
    "/a\t",
    "/\x7f",
    "/caf\xe9",
    "/\u0100",
    "",
  ];
  for (const target of targets) {
    test(`the target ${JSON.stringify(target)}`, () => {
      assert.match(written({ ...LINE, target }), /^refused: its target/);
    });
  }

  const hosts = ["a\r\nX: y", "a b", "a\0", "\u0130", ""];
  for (const host of hosts) {
    test(`the host ${JSON.stringify(host)}`, () => {
      assert.match(written({ ...LINE, host }), /^refused: its host/);
    });
  }

  const headers: readonly Header[] = [
    ["User-Agent", "a\r\nX-Injected: y"],
    ["User-Agent", "a\ny"],
    ["User-Agent", "a\ry"],
    ["User-Agent", "a\0"],
    ["User-Agent", "\x1b[31m"],
    ["Cookie", "a=b\r\n\r\nGET /other HTTP/1.1"],
    ["Authorization", "Basic x\n"],
    ["X", "\u010a"],
    ["X\r\nY", "z"],
    ["X Y", "z"],
    ["X:", "z"],
    ["", "z"],
    ["N\xe4me", "z"],
    ["Host", "other.org"],
    ["content-length", "5"],
    ["Transfer-Encoding", "chunked"],
    ["Connection", "upgrade"],
    ["Upgrade", "h2c"],
    ["Expect", "100-continue"],
  ];
  for (const [name, value] of headers) {
    test(`the header ${JSON.stringify(name)} with ${JSON.stringify(value)}`, () => {
      assert.match(written(LINE, [[name, value]]), /^refused: the /);
    });
  }
});

test("a request has one line for each header, whatever they contain", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 });
  fc.assert(
    fc.property(text, text, fc.array(fc.tuple(text, text)), (target, host, headers) => {
      const head = requestHead({ target, host }, headers);
      if (head.kind === "refused") return;
      const lines = Buffer.from(head.text, "latin1")
        .toString("latin1")
        .split(/\r\n|\r|\n/);
      assert.equal(lines.length, headers.length + 4);
      assert.ok(!head.text.includes("\0"));
    }),
    { numRuns: 2000 },
  );
});
