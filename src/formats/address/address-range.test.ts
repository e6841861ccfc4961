import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { AddressRange } from "./address-range.ts";
import { addressRangeProblem, parseAddress, printAddress } from "./index.ts";

function contains(range: string, address: string): boolean {
  return AddressRange.of(range).contains(parseAddress(address) ?? new Uint8Array(0));
}

test("a range contains the addresses that begin with its bits", () => {
  assert.equal(contains("10.0.0.0/8", "10.255.255.255"), true);
  assert.equal(contains("10.0.0.0/8", "11.0.0.0"), false);
  assert.equal(contains("100.64.0.0/10", "100.127.255.255"), true);
  assert.equal(contains("100.64.0.0/10", "100.128.0.0"), false);
  assert.equal(contains("192.0.2.7", "192.0.2.7"), true);
  assert.equal(contains("192.0.2.7", "192.0.2.8"), false);
  assert.equal(contains("0.0.0.0/0", "203.0.113.1"), true);
  assert.equal(contains("fe80::/10", "febf::1"), true);
  assert.equal(contains("fe80::/10", "fec0::"), false);
  assert.equal(contains("::/0", "1.2.3.4"), false, "the families are apart");
});

test("the bits after the first ones of a range are ignored", () => {
  assert.equal(contains("10.1.2.3/8", "10.9.9.9"), true);
});

test("a range of mapped addresses is the range of IPv4 that it spells", () => {
  assert.equal(contains("::ffff:10.0.0.0/104", "10.1.1.1"), true);
  assert.equal(contains("::ffff:10.0.0.0/104", "11.1.1.1"), false);
  assert.equal(contains("::ffff:10.0.0.1", "10.0.0.1"), true);
});

test("what is wrong with a text that is not a range is explained", () => {
  assert.match(addressRangeProblem("10.0.0/8") ?? "", /not an address/);
  assert.match(addressRangeProblem("10.0.0.0/33") ?? "", /from 0 to 32/);
  assert.match(addressRangeProblem("::/129") ?? "", /from 0 to 128/);
  assert.match(addressRangeProblem("::/08") ?? "", /from 0 to 128/);
  assert.match(addressRangeProblem("10.0.0.0/") ?? "", /from 0 to 32/);
  assert.throws(() => AddressRange.of("10.0.0.0/33"), /from 0 to 32/);
});

test("a range contains the same addresses as in the system's list of ranges", () => {
  const family = fc.constantFrom(4 as const, 6 as const);
  const trial = family.chain((version) => {
    const bytes = version === 4 ? 4 : 16;
    return fc.record({
      version: fc.constant(version === 4 ? ("ipv4" as const) : ("ipv6" as const)),
      prefix: fc.uint8Array({ minLength: bytes, maxLength: bytes }),
      bits: fc.integer({ min: 1, max: 8 * bytes }),
      turnedBit: fc.integer({ min: 0, max: 8 * bytes - 1 }),
    });
  });
  fc.assert(
    fc.property(trial, ({ version, prefix, bits, turnedBit }) => {
      fc.pre(!(prefix[10] === 0xff && prefix[11] === 0xff));
      const range = `${printAddress(prefix)}/${bits}`;
      const address = prefix.map((byte, at) =>
        at === turnedBit >> 3 ? byte ^ (0x80 >> (turnedBit & 7)) : byte,
      );
      const list = new BlockList();
      list.addSubnet(printAddress(prefix), bits, version);
      assert.equal(
        contains(range, printAddress(address)),
        list.check(printAddress(address), version),
      );
    }),
  );
});
