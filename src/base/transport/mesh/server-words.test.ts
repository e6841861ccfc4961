import assert from "node:assert/strict";
import { test } from "node:test";
import { type ServerWord, wordIn } from "./server-words.ts";

const JOIN = ["10.0.0.5:7001"];

function word(words: string): ServerWord | null {
  return wordIn(`[4711] 2026/01/02 03:04:05.678901 [ERR] ${words}`, JOIN);
}

/** What one says that comes from elsewhere; `open-mesh-strangers.test.ts` lets a server say it. */
const REFUSED = {
  "TLS route handshake error: tls: first record does not look like a TLS handshake": "plain",
  "TLS handshake error: remote error: tls: bad certificate": "certificate",
  "TLS route handshake error: x509: certificate signed by unknown authority": "certificate",
  "TLS handshake error: tls: client didn't provide a certificate": "certificate",
  "TLS handshake error: EOF": "handshake",
  "TLS handshake timeout": "handshake",
  'authentication error - User "trobar"': "login",
  "maximum payload exceeded: 2000000 vs 1048576": "too-large",
  "maximum control line exceeded": "too-large",
  "Client parser ERROR, state=0, i=0: proto='\"NON\"...'": "malformed",
} as const;

test("why a stranger is turned away is understood, wherever it knocks", () => {
  for (const [words, why] of Object.entries(REFUSED)) {
    for (const at of ["10.0.0.9:40001 - cid:7", "[2001:db8::9]:40001 - rid:8"]) {
      assert.deepEqual(word(`${at} - ${words}`), { kind: "refused", why }, words);
    }
  }
});

test("one who says nothing until its time is over has no login either", () => {
  const line =
    "[4711] 2026/01/02 03:04:05.678901 [INF] 10.0.0.9:40001 - rid:7 - Router connection closed: ";
  const refused = { kind: "refused", why: "login" };
  assert.deepEqual(wordIn(`${line}Authentication Timeout`, JOIN), refused);
  // It was told before why.
  assert.equal(wordIn(`${line}Authentication Failure`, JOIN), null);
});

test("what others say to an agent that joins them is told apart from that", () => {
  const troubles = {
    "TLS route handshake error: certificate not pinned": "token",
    "TLS route handshake error: remote error: tls: bad certificate": "token",
    "Route Error 'Authorization Violation'": "token",
    "TLS route handshake error: tls: first record does not look like a TLS handshake": "stranger",
    "TLS route handshake timeout": "silent",
  };
  const at = "10.0.0.5:7001";
  for (const [words, trouble] of Object.entries(troubles)) {
    assert.deepEqual(word(`${at} - rid:7 - ${words}`), { kind: "peer", at, trouble, words });
  }
});

test("a line of something else is nothing", () => {
  const lines = ["10.0.0.9:40001 - cid:7 - out of paper", "Server is ready", "", "- cid: -"];
  for (const words of lines) assert.equal(word(words), null, words);
  assert.equal(wordIn("authentication error", JOIN), null);
});
