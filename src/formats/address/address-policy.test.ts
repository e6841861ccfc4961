import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressPolicy, type AddressPolicyOptions, connectRefusal } from "./index.ts";

function policyOf(options: Partial<AddressPolicyOptions>): AddressPolicy {
  return new AddressPolicy({ allow: [], block: [], ports: [80, 443, 8080, 8443], ...options });
}

function reason(policy: AddressPolicy, address: string, port = 80): string {
  return policy.refusal(address, port)?.reason ?? "permitted";
}

test("only what is allowed may be connected to", () => {
  const policy = policyOf({ allow: ["10.1.0.0/16", "::1", "fd00::/8"] });
  assert.equal(reason(policy, "10.1.2.3"), "permitted");
  assert.equal(reason(policy, "10.2.0.0"), "special");
  assert.equal(reason(policy, "::1"), "permitted");
  assert.equal(reason(policy, "::"), "special");
  assert.equal(reason(policy, "fdff::1"), "permitted");
  assert.equal(reason(policy, "fc00::1"), "special");
  assert.equal(reason(policy, "8.8.8.8"), "permitted");
});

test("what is allowed is allowed in every spelling, and only if all of it is", () => {
  const policy = policyOf({ allow: ["10.0.0.0/8", "64:ff9b:1::/48", "2001::/23", "::/96"] });
  assert.equal(reason(policy, "::ffff:10.0.0.1"), "permitted");
  assert.equal(reason(policy, "64:ff9b::10.0.0.1"), "permitted");
  assert.equal(reason(policy, "64:ff9b:1::10.0.0.1"), "permitted");
  assert.equal(reason(policy, "64:ff9b:1::192.168.0.1"), "special");
  assert.equal(reason(policy, "::10.0.0.1"), "permitted");
  assert.equal(reason(policy, "::127.0.0.1"), "special");
  assert.equal(reason(policy, "2001:0:808:808::f5ff:fffe"), "permitted", "a client at 10.0.0.1");
  assert.equal(reason(policy, "2001:0:808:808::80ff:fffe"), "special", "a client at 127.0.0.1");
  assert.equal(reason(policy, "2001:0:7f00:1::f5ff:fffe"), "special", "a server at 127.0.0.1");
});

test("what is blocked is refused even where it is allowed, in every spelling", () => {
  const policy = policyOf({ allow: "any", block: ["93.184.216.0/24", "2606::/16", "10.0.0.0/8"] });
  for (const address of [
    "93.184.216.34",
    "::ffff:93.184.216.34",
    "64:ff9b::5db8:d822",
    "2002:5db8:d822::1",
    "2606::1",
    "10.0.0.1",
  ])
    assert.equal(reason(policy, address), "blocked", address);
  assert.equal(reason(policy, "127.0.0.1"), "permitted");
});

test("the policy `any` allows all addresses, but only addresses", () => {
  const policy = policyOf({ allow: "any" });
  for (const address of ["127.0.0.1", "::1", "0.0.0.0", "fe80::1", "ff02::1", "255.255.255.255"])
    assert.equal(reason(policy, address), "permitted", address);
  for (const text of ["", "localhost", "127.1", "0x7f000001", "2130706433", "[::1]", "fe80::1%lo"])
    assert.equal(reason(policy, text), "not-an-address", text);
});

const PORTS: readonly (readonly [port: number, verdict: string])[] = [
  [80, "permitted"],
  [443, "permitted"],
  [8080, "permitted"],
  [8443, "permitted"],
  [0, "port"],
  [22, "port"],
  [25, "port"],
  [53, "port"],
  [81, "port"],
  [110, "port"],
  [2375, "port"],
  [3306, "port"],
  [4222, "port"],
  [5432, "port"],
  [6379, "port"],
  [9200, "port"],
  [11_211, "port"],
  [27_017, "port"],
  [65_535, "port"],
];

for (const [port, verdict] of PORTS) {
  test(`port ${port} is ${verdict === "port" ? "refused" : "crawled"} by default`, () => {
    assert.equal(reason(policyOf({}), "8.8.8.8", port), verdict);
    assert.equal(reason(policyOf({ ports: "any" }), "8.8.8.8", port), "permitted");
  });
}

test("the crawler's own ports are refused on this machine, whatever is allowed", () => {
  const ownPorts = new Set([8080]);
  const ownAddresses = ["10.9.8.7", "2001:db8::7"];
  const policy = policyOf({ allow: "any", ports: "any", ownPorts, ownAddresses });
  for (const address of [
    "127.0.0.1",
    "127.200.3.4",
    "0.0.0.0",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:0.0.0.0",
    "64:ff9b::127.0.0.1",
    "10.9.8.7",
    "::ffff:10.9.8.7",
    "2001:db8::7",
  ])
    assert.equal(reason(policy, address, 8080), "own-port", address);
  assert.equal(reason(policy, "127.0.0.1", 8081), "permitted");
  assert.equal(reason(policy, "10.9.8.6", 8080), "permitted");
  ownPorts.add(8081);
  assert.equal(reason(policy, "127.0.0.1", 8081), "own-port", "a port opened later");
});

test("a refusal is an error with a stable code, the facts and the remedy", () => {
  const policy = policyOf({ block: ["9.9.9.9"], allow: ["127.0.0.1"], ownPorts: new Set([443]) });
  const trials = [
    ["10.0.0.1", 80, "FETCH_ADDRESS_REFUSED", /10\.0\.0\.0\/8 \(private use\).*allowAddresses/],
    ["9.9.9.9", 80, "FETCH_ADDRESS_REFUSED", /blockAddresses forbids 9\.9\.9\.9/],
    ["nonsense", 80, "FETCH_ADDRESS_REFUSED", /not an address/],
    ["8.8.8.8", 22, "FETCH_PORT_REFUSED", /port 22 of 8\.8\.8\.8.*80, 443.*fetch\.ports/],
    ["127.0.0.1", 443, "FETCH_PORT_REFUSED", /itself listens there/],
  ] as const;
  for (const [address, port, code, message] of trials) {
    const error = connectRefusal(policy, address, port);
    assert.equal(error?.code, code);
    assert.equal(error?.retry, "never");
    assert.match(error?.message ?? "", message);
    assert.equal(error?.facts["address"], address);
    assert.equal(error?.facts["port"], port);
  }
  assert.equal(connectRefusal(policy, "8.8.8.8", 80), null);
});
