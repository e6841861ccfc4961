import assert from "node:assert/strict";
import { isIPv4, isIPv6 } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { parseAddress, printAddress } from "./index.ts";

const ADDRESSES: readonly (readonly [text: string, printed: string])[] = [
  ["0.0.0.0", "0.0.0.0"],
  ["255.255.255.255", "255.255.255.255"],
  ["192.0.2.1", "192.0.2.1"],
  ["::", "::"],
  ["::1", "::1"],
  ["1::", "1::"],
  ["2001:DB8::A", "2001:db8::a"],
  ["2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"],
  ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ["::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"],
  ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
  ["::ffff:127.0.0.1", "::ffff:7f00:1"],
  ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
  ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"],
];

test("every form of RFC 4291 and dotted decimal is an address, with one text", () => {
  for (const [text, printed] of ADDRESSES) {
    const bytes = parseAddress(text);
    assert.ok(bytes !== null, text);
    assert.equal(printAddress(bytes), printed);
  }
});

const OTHER_TEXTS: readonly string[] = [
  "",
  ".",
  ":",
  ":::",
  "1.2.3",
  "1.2.3.4.",
  ".1.2.3.4",
  "1.2.3.4.5",
  "1..3.4",
  "256.1.1.1",
  "01.2.3.4",
  "1.2.3.04",
  "0x7f.0.0.1",
  "127.1",
  "2130706433",
  "+1.2.3.4",
  " 1.2.3.4",
  "1.2.3.4\n",
  "1.2.3.4/8",
  "1.2.3.4:80",
  "１.2.3.4",
  "[::1]",
  "::1%lo",
  "fe80::1%25eth0",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "1:2:3:4::5:6:7:8",
  "1::2::3",
  ":1::",
  "::1:",
  "12345::",
  "g::",
  "::1.2.3",
  "::1.2.3.4:5",
  "1.2.3.4::",
  "::01.2.3.4",
  "::ffff:127.0.0.256",
  "localhost",
  `::${"0".repeat(100)}1`,
];

test("any other text is not an address", () => {
  for (const text of OTHER_TEXTS) assert.equal(parseAddress(text), null, JSON.stringify(text));
});

const bytesOfAddress = fc.oneof(
  fc.uint8Array({ minLength: 4, maxLength: 4 }),
  fc.uint8Array({ minLength: 16, maxLength: 16 }),
  // Zeros are what the short forms abbreviate.
  fc
    .array(fc.constantFrom(0, 0, 0, 1, 0xff), { minLength: 16, maxLength: 16 })
    .map((bytes) => Uint8Array.from(bytes)),
);

test("printing and parsing give the same bytes", () => {
  fc.assert(
    fc.property(bytesOfAddress, (bytes) => {
      assert.deepEqual(parseAddress(printAddress(bytes)), bytes);
    }),
  );
});

test("an address is printed as the URL parser writes it", () => {
  fc.assert(
    fc.property(bytesOfAddress, (bytes) => {
      const text = printAddress(bytes);
      const host = bytes.length === 4 ? text : `[${text}]`;
      assert.equal(new URL(`http://${host}/`).hostname, host);
    }),
  );
});

test("a text is an address exactly if the system accepts it as one", () => {
  const piece = fc.constantFrom("0", "1", "7f", "255", "256", "ffff", "01", ".", ":", "::", "x");
  const text = fc.oneof(
    fc.array(piece, { maxLength: 17 }).map((pieces) => pieces.join("")),
    fc.ipV4(),
    fc.ipV6(),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (written) => {
      // The system also accepts zones, which are not part of an address.
      const isAddress = isIPv4(written) || (isIPv6(written) && !written.includes("%"));
      assert.equal(parseAddress(written) !== null, isAddress);
    }),
    { numRuns: 2000 },
  );
});
