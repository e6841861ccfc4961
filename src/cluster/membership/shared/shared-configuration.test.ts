import assert from "node:assert/strict";
import { test } from "node:test";
import { ByteReader, ByteWriter } from "../../../topology/items/index.ts";
import {
  CLUSTER_CONFIGURATION,
  type ClusterConfiguration,
  changedBy,
  contains,
  makerOf,
} from "./shared-configuration.ts";

const FOUNDED: ClusterConfiguration = {
  ...{ crawl: "c", fingerprintKey: "k", shards: 4, text: "t", electors: [] },
  version: { number: 1, by: "" },
};

function changed(by: string, before: ClusterConfiguration): ClusterConfiguration {
  return { ...before, ...changedBy(before, by) };
}

function printed(configuration: ClusterConfiguration): Uint8Array {
  const bytes = new ByteWriter();
  CLUSTER_CONFIGURATION.write(configuration, bytes);
  return bytes.copy();
}

test("a configuration says which changes led to it", () => {
  const before = changed("b", changed("a", FOUNDED));
  const last = changed("a", before);
  assert.deepEqual(last.version, { number: 4, by: "a" });
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((number) => makerOf(last, number)),
    ["", "a", "b", "a", null],
  );
  assert.ok(contains(last, before.version));
  assert.ok(!contains(last, { number: 3, by: "a" }), "it was replaced by that of b");
  assert.ok(!contains(last, { number: 5, by: "a" }), "it is yet to come");
});

test("as many changes are remembered as a message has room for", () => {
  let last = FOUNDED;
  for (let change = 0; change < 300; change += 1) last = changed("a", last);
  assert.equal(last.makers?.length, 100);
  assert.ok(contains(last, { number: 201, by: "a" }));
  assert.ok(!contains(last, { number: 200, by: "a" }));
});

test("what an agent has written that knows nothing of makers is read", () => {
  const last = changed("a", FOUNDED);
  const whole = printed(last);
  assert.deepEqual(CLUSTER_CONFIGURATION.read(new ByteReader(whole)), last);
  // A list of one text that is empty.
  const older = new ByteReader(whole.subarray(0, whole.length - 2));
  assert.deepEqual(CLUSTER_CONFIGURATION.read(older), { ...last, makers: [] });
  assert.ok(contains({ ...last, makers: [] }, { number: 2, by: "a" }));
});
