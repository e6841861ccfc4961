import assert from "node:assert/strict";
import { test } from "node:test";
import { readServerUrls } from "./server-urls.ts";

test("hosts, login and TLS are told apart, whatever the password looks like", () => {
  const urls = ["nats://me:12:34@nats.example:4223", "tls://[2001:db8::1]:4222", "nats://10.0.0.5"];
  assert.deepEqual(readServerUrls(urls), {
    hosts: ["nats.example:4223", "[2001:db8::1]:4222", "10.0.0.5"],
    login: { user: "me", pass: "12:34" },
    isTls: true,
  });
});

test("a name alone is a token, and escapes are read", () => {
  assert.deepEqual(readServerUrls(["nats://s3cr%40t@a:1"]).login, { token: "s3cr@t" });
  assert.deepEqual(readServerUrls(["nats://m%2Fe:5%@a:1"]).login, { user: "m/e", pass: "5%" });
  assert.deepEqual(readServerUrls(["nats://a:1"]), { hosts: ["a:1"], login: null, isTls: false });
});
