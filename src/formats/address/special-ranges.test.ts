import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  EMBEDDINGS,
  PUBLIC,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
  samplesOf,
} from "../../../test/support/fetch/special-table.ts";
import { AddressPolicy, printAddress } from "./index.ts";

const policy = new AddressPolicy({ allow: [], block: [], ports: [80] });

for (const range of [...SPECIAL_IPV4, ...SPECIAL_IPV6]) {
  test(`the first, the middle and the last address of ${range} are refused`, () => {
    for (const address of samplesOf(range))
      assert.equal(policy.refusal(address, 80)?.reason, "special", address);
  });
}

for (const embedded of EMBEDDINGS) {
  test(`a special address is refused inside ${embedded("a.b.c.d".replace(/[a-d]/g, "0"))}`, () => {
    for (const address of SPECIAL_IPV4.flatMap(samplesOf))
      assert.equal(policy.refusal(embedded(address), 80)?.reason, "special", embedded(address));
  });
}

test("public addresses are not refused, up to the borders of the special ranges", () => {
  for (const address of PUBLIC) assert.equal(policy.refusal(address, 80), null, address);
});

test("of IPv6 only what has been allocated is public, and NAT64", () => {
  const outside = fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .filter((bytes) => (bytes[0] ?? 0) >> 5 !== 1);
  fc.assert(
    fc.property(outside, (bytes) => {
      assert.equal(policy.refusal(printAddress(bytes), 80)?.reason, "special");
    }),
  );
});

test("an IPv4 address is refused exactly when its mapped form and its NAT64 form are", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const refusal = policy.refusal(address, 80);
      assert.deepEqual(policy.refusal(`::ffff:${address}`, 80), refusal);
      assert.deepEqual(policy.refusal(`64:ff9b::${address}`, 80), refusal);
    }),
    { numRuns: 1000 },
  );
});

test("a refusal names the range and its purpose", () => {
  assert.equal(policy.refusal("169.254.169.254", 80)?.range, "169.254.0.0/16 (link-local)");
  assert.equal(policy.refusal("fd00:ec2::254", 80)?.range, "fc00::/7 (unique local)");
  assert.equal(policy.refusal("::ffff:a9fe:a9fe", 80)?.range, "169.254.0.0/16 (link-local)");
});
