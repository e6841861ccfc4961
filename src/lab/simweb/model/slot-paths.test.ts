import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { smallWeb } from "../../../../test/support/lab/small-web.ts";
import { keyOf, parseUrl } from "../../../formats/url/index.ts";
import { folderOf } from "./slot-paths.ts";
import { HOP_FIRST, VARIANTS, variantKind } from "./variant.ts";

const { model } = smallWeb("hostile", "paths", { hosts: { count: 40, pages: 3000 } });
const { hosts, paths, slots } = model;

test("every slot is found by its path, in every variant it has", () => {
  for (let host = 0; host < hosts.count; host += 1) {
    for (let slot = 0; slot < hosts.size(host); slot += 1) {
      for (const variant of [0, 1, 16, 17, 20]) {
        const found = paths.find(host, paths.target(host, slot, variant));
        assert.deepEqual(found, { slot, variant });
      }
    }
  }
});

test("the further requests of a chain are found, and none after its last", () => {
  const chains = { found: 0 };
  for (let slot = 0; slot < hosts.size(0); slot += 1) {
    const hops = slots.hops(0, slot);
    if (hops > 1) chains.found += 1;
    for (let hop = 1; hop < 20; hop += 1) {
      const target = `${paths.target(0, slot)}/step-${hop}`;
      const expected = hop < hops ? { slot, variant: HOP_FIRST + hop - 1 } : null;
      assert.deepEqual(paths.find(0, target), expected, target);
    }
  }
  assert.ok(chains.found > 5);
});

test("URLs of the model are in fetchable form and their own keys, sessions apart", () => {
  for (let host = 0; host < hosts.count; host += 1) {
    for (let slot = 0; slot < Math.min(100, hosts.size(host)); slot += 1) {
      for (let variant = 0; variant < HOP_FIRST + 3; variant += 1) {
        const url = model.url(host, slot, variant);
        const parsed = parseUrl(url);
        assert.ok(parsed.kind === "accepted" && parsed.url === url, url);
        const isPlain = variantKind(variant) !== "session";
        assert.equal(keyOf(parsed.url), isPlain ? url : model.url(host, slot));
      }
    }
  }
});

test("a copy lies in the folder of its original", () => {
  for (let slot = 0; slot < hosts.size(0); slot += 1) {
    const original = slots.originalOf(0, slot);
    const folders = [slot, original].map((one) => folderOf(paths.target(0, one)));
    if (original !== slot) assert.equal(folders[0], folders[1]);
  }
});

test("a path that belongs to no slot is not found", () => {
  const tails = fc.constantFrom("", "/", "?", "/step-1", ";jsessionid=0", "&PHPSESSID=1", "1");
  const some = fc.tuple(fc.nat(20), fc.nat(VARIANTS - 1), tails).map(([slot, variant, tail]) => {
    return paths.target(1, slot % hosts.size(1), variant) + tail;
  });
  fc.assert(
    fc.property(fc.nat(hosts.count - 1), fc.oneof(some, fc.webPath()), (host, target) => {
      const found = paths.find(host, target);
      if (found !== null) assert.equal(paths.target(host, found.slot, found.variant), target);
    }),
  );
});
