import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostName } from "../../../formats/url/index.ts";
import { type HostCredential, HostCredentials } from "./host-credentials.ts";

function credential(text: string, more: Partial<HostCredential> = {}): HostCredential {
  return { host: "a.test", port: null, authorization: text, mayBeClear: false, ...more };
}

function place(host: string, port = 443, isSecure = true) {
  return { host: host as HostName, port, isSecure, address: "192.0.2.1" };
}

test("a credential is for its host by exact name, over https, on any port", () => {
  const credentials = new HostCredentials([credential("x")]);
  assert.equal(credentials.authorizationFor(place("a.test")), "x");
  assert.equal(credentials.authorizationFor(place("a.test", 8443)), "x");
  assert.equal(credentials.authorizationFor(place("a.test", 80, false)), null);
  assert.equal(credentials.authorizationFor(place("www.a.test")), null);
  assert.equal(credentials.authorizationFor(place("test")), null);
});

test("a credential for a port is for that port only, and takes precedence over one for any", () => {
  const credentials = new HostCredentials([credential("any"), credential("own", { port: 8443 })]);
  assert.equal(credentials.authorizationFor(place("a.test")), "any");
  assert.equal(credentials.authorizationFor(place("a.test", 8443)), "own");
});

test("in the clear only where that was chosen, also for an IPv6 address", () => {
  const credentials = new HostCredentials([credential("x", { host: "::1", mayBeClear: true })]);
  assert.equal(credentials.authorizationFor(place("[::1]", 80, false)), "x");
});
