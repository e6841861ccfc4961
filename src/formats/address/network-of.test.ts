import assert from "node:assert/strict";
import { test } from "node:test";
import { networkOf } from "./network-of.ts";

test("addresses of one /24 or one /48 are one network, others are not", () => {
  assert.equal(networkOf("192.0.2.1"), networkOf("192.0.2.255"));
  assert.notEqual(networkOf("192.0.2.1"), networkOf("192.0.3.1"));
  assert.equal(networkOf("2001:db8:1::1"), networkOf("2001:db8:1:ffff:8000::"));
  assert.notEqual(networkOf("2001:db8:1::1"), networkOf("2001:db8:2::1"));
  assert.equal(networkOf("::ffff:c000:201"), networkOf("192.0.2.7"));
  assert.equal(networkOf("::1"), networkOf("::2"));
});

test("a text that is not an address is its own network", () => {
  assert.equal(networkOf(""), "");
});
