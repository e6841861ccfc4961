/**
 * Addresses as hostile pages write them. The URL parser undoes the disguise, `hostAddress` sees
 * the address, the policy refuses it; or the URL is none. Nothing may be left that a resolver or
 * the system would later take for an address.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hostOf, parseUrl } from "../url/index.ts";
import { AddressPolicy, hostAddress } from "./index.ts";

const policy = new AddressPolicy({ allow: [], block: [], ports: "any" });

/** The address that a URL leads to; "no URL" or the name where it does not lead to one. */
function destination(url: string): string {
  const outcome = parseUrl(url);
  if (outcome.kind === "refused") return "no URL";
  const host = hostOf(outcome.url);
  return hostAddress(host) ?? host;
}

const LOOPBACK: readonly string[] = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7F000001",
  "0X7F.0.0.1",
  "0x7f.1",
  "0x7f.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.1",
  "017700000001",
  "00000177.0.0.1",
  "0x000000007f.0.0.1",
  "127.0x1",
  "127.0.0.01",
  "127.0.0.1.",
  "2130706433.",
  "0x7f.1.",
  "１２７.０.０.１",
  "127。0。0。1",
  "127．0．0．1",
  "127｡0｡0｡1",
  "①②⑦.⓪.⓪.①",
  "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
  "0ｘ7f.1",
  "%31%32%37.0.0.1",
  "127%2e0%2E0%2e1",
  "user:secret@127.0.0.1",
  "example.org@127.0.0.1",
  "example.org:80@127.0.0.1",
  "127.0.0.1:80",
  "1\t27.0.0.1",
  "127.0.\n0.1",
  "12\u00ad7.0.0.1",
  "127.0.0\u200b.1",
];

for (const host of LOOPBACK) {
  test(`${JSON.stringify(host)} is 127.0.0.1, and refused`, () => {
    const address = destination(`http://${host}/`);
    assert.equal(address, "127.0.0.1");
    assert.equal(policy.refusal(address, 80)?.reason, "special");
  });
}

const OTHERS: readonly (readonly [host: string, address: string])[] = [
  ["0", "0.0.0.0"],
  ["0x0", "0.0.0.0"],
  ["00", "0.0.0.0"],
  ["0.0.0.0", "0.0.0.0"],
  ["2852039166", "169.254.169.254"],
  ["0xa9fea9fe", "169.254.169.254"],
  ["0251.0376.0251.0376", "169.254.169.254"],
  ["169.254.43518", "169.254.169.254"],
  ["3232235521", "192.168.0.1"],
  ["10.1", "10.0.0.1"],
  ["[::1]", "::1"],
  ["[::]", "::"],
  ["[0:0:0:0:0:0:0:1]", "::1"],
  ["[0000:0000:0000:0000:0000:0000:0000:0001]", "::1"],
  ["[::ffff:127.0.0.1]", "::ffff:7f00:1"],
  ["[::ffff:7f00:1]", "::ffff:7f00:1"],
  ["[::FFFF:A9FE:A9FE]", "::ffff:a9fe:a9fe"],
  ["[0:0:0:0:0:ffff:a9fe:a9fe]", "::ffff:a9fe:a9fe"],
  ["[::127.0.0.1]", "::7f00:1"],
  ["[64:ff9b::7f00:1]", "64:ff9b::7f00:1"],
  ["[64:ff9b:1::10.0.0.1]", "64:ff9b:1::a00:1"],
  ["[2002:7f00:1::]", "2002:7f00:1::"],
  ["[2001:0:7f00:1::]", "2001:0:7f00:1::"],
  ["[fe80::1]", "fe80::1"],
  ["[fd00:ec2::254]", "fd00:ec2::254"],
  ["[ff02::1]", "ff02::1"],
  ["user@[::1]:8080", "::1"],
];

for (const [host, address] of OTHERS) {
  test(`${host} is ${address}, and refused`, () => {
    assert.equal(destination(`http://${host}/`), address);
    assert.equal(policy.refusal(address, 80)?.reason, "special");
  });
}

const NO_URLS: readonly string[] = [
  "[::1",
  "::1",
  "[::1%25lo]",
  "[::1%lo]",
  "[fe80::1%25eth0]",
  "[127.0.0.1]",
  "[::1].",
  "[::ffff:0x7f.1]",
  "[::127.1]",
  "256.0.0.1",
  "127.0.0.256",
  "4294967296",
  "0x100000000",
  "1.2.3.4.5",
  "foo.0x7f",
  "example.127",
  "09.0.0.1",
  "127.0.0.1%00.example.org",
  "127.0.0.1 .example.org",
];

for (const host of NO_URLS) {
  test(`${JSON.stringify(host)} is in no URL`, () => {
    assert.equal(destination(`http://${host}/`), "no URL");
  });
}

const NAMES: readonly string[] = [
  "127.0.0.1.nip.io",
  "7f000001.nip.io",
  "0x7f000001.example",
  "localhost",
  "localhost.",
  "127-0-0-1.example",
  "127.0.0.1..",
  "1.2.3.4.example",
  "a.b",
];

for (const host of NAMES) {
  test(`${host} is a name, for the resolver to judge by its answer`, () => {
    assert.equal(destination(`http://${host}/`), host);
  });
}

test("a text is a name for us only if the URL parser would not read it as an address", () => {
  const digits = fc.constantFrom("0", "1", "7f", "127", "255", "256", "0x7f", "0177", "١", "１");
  const host = fc
    .array(digits, { minLength: 1, maxLength: 5 })
    .chain((parts) => fc.constantFrom(".", "。", "").map((dot) => parts.join(dot)));
  fc.assert(
    fc.property(host, (written) => {
      const outcome = parseUrl(`http://${written}/`);
      if (outcome.kind === "refused") return;
      const name = hostOf(outcome.url);
      const lastLabel = name.split(".").at(-1) ?? "";
      const isNumber = /^(?:\d+|0x[0-9a-f]*)$/i.test(lastLabel);
      assert.equal(hostAddress(name) !== null, isNumber, `${written} became ${name}`);
    }),
    { numRuns: 1000 },
  );
});
