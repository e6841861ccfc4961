import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CrawlIdentity,
  fingerprintKeyBytes,
  newerVersion,
  parseIdentity,
  printIdentity,
} from "./crawl-identity.ts";

const IDENTITY: CrawlIdentity = {
  crawl: "0123456789abcdef0123456789abcdef",
  generation: "00112233445566778899aabbccddeeff",
  agent: "agent-1",
  fingerprintKey: "ffeeddccbbaa99887766554433221100",
  ...{ shards: 64, capacity: 2, createdAtMs: 1_700_000_000_000, version: "1.2.3" },
};

const NOT_AS_WRITTEN = "it is not a JSON object, or not as it was written";

test("an identity is read as it was written", () => {
  assert.deepEqual(parseIdentity(printIdentity(IDENTITY)), IDENTITY);
  assert.equal(newerVersion(printIdentity(IDENTITY)), null);
  assert.deepEqual([...fingerprintKeyBytes(IDENTITY).subarray(0, 3)], [0xff, 0xee, 0xdd]);
});

test("what is missing or wrong is named", () => {
  for (const [name, value] of [
    ...[["crawl", "short"] as const, ["agent", "a b"] as const, ["shards", 0] as const],
    ...[["created", "never"] as const, ["format", 0] as const],
  ]) {
    const { checksum, ...json } = JSON.parse(printIdentity(IDENTITY));
    const altered = { ...json, [name]: value };
    assert.equal(parseIdentity(JSON.stringify(altered)), `${name} is missing or wrong`);
    assert.equal(parseIdentity(JSON.stringify({ ...altered, checksum })), NOT_AS_WRITTEN);
  }
  assert.equal(parseIdentity("[]"), NOT_AS_WRITTEN);
});

test("a newer version is named, whatever else it has written", () => {
  const text = '{"format":99,"version":"9.0.0"}';
  assert.equal(newerVersion(text), "9.0.0");
  assert.equal(parseIdentity(text), "it was made by a newer version of Trobar");
  assert.equal(newerVersion("{"), null);
});
