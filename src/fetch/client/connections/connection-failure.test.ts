import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchError, testFetcher } from "../../../../test/support/fetch/http-fetching.ts";
import { connectionFailure } from "./connection-failure.ts";

const CODES: readonly [system: string, connecting: string, established: string][] = [
  ["EMFILE", "FETCH_NO_SOCKET", "FETCH_NO_SOCKET"],
  ["ENFILE", "FETCH_NO_SOCKET", "FETCH_NO_SOCKET"],
  ["ENOBUFS", "FETCH_NO_SOCKET", "FETCH_NO_SOCKET"],
  ["EADDRNOTAVAIL", "FETCH_NO_SOCKET", "FETCH_NO_SOCKET"],
  ["ECONNREFUSED", "FETCH_CONNECT_FAILED", "FETCH_DISCONNECTED"],
  ["EHOSTUNREACH", "FETCH_CONNECT_FAILED", "FETCH_DISCONNECTED"],
  ["ENETUNREACH", "FETCH_CONNECT_FAILED", "FETCH_DISCONNECTED"],
  ["ETIMEDOUT", "FETCH_CONNECT_FAILED", "FETCH_DISCONNECTED"],
  ["ECONNRESET", "FETCH_CONNECT_FAILED", "FETCH_DISCONNECTED"],
  ["EPIPE", "FETCH_CONNECT_FAILED", "FETCH_DISCONNECTED"],
  ["EPROTO", "FETCH_TLS_FAILED", "FETCH_TLS_FAILED"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "FETCH_TLS_FAILED", "FETCH_TLS_FAILED"],
  ["ESOMETHINGNEW", "FETCH_CONNECT_FAILED", "FETCH_DISCONNECTED"],
  ["", "FETCH_CONNECT_FAILED", "FETCH_DISCONNECTED"],
];

for (const [code, connecting, established] of CODES) {
  test(`${code || "an error without code"}: ${connecting}, later ${established}`, () => {
    const error = { code, message: "it broke", certificate: null };
    assert.equal(connectionFailure(error, "connecting").code, connecting);
    assert.equal(connectionFailure(error, "established").code, established);
  });
}

test("a certificate that does not verify is told apart from all others", () => {
  const error = { code: "CERT_HAS_EXPIRED", message: "", certificate: "CERT_HAS_EXPIRED" };
  const failure = connectionFailure(error, "connecting");
  assert.equal(failure.code, "FETCH_TLS_CERTIFICATE");
  assert.equal(failure.facts["reason"], "CERT_HAS_EXPIRED");
});

test("a failure says which URL, which address, and why", async () => {
  const error = await fetchError(testFetcher(), "http://host.test:1/page");
  assert.equal(error.code, "FETCH_CONNECT_FAILED");
  assert.equal(error.facts["system"], "ECONNREFUSED");
  assert.match(error.message, /^Could not fetch http:\/\/host\.test:1\/page from 127\.0\.0\.1: /);
});
