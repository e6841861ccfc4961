import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../../base/random/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import { DormantHosts } from "./dormant-hosts.ts";

const named = (text: string): HostName => text as HostName;

test("hosts of one domain are woken in their order, and every one of them", () => {
  const dormant = new DormantHosts(new SeededRandom("dormant"));
  for (let number = 0; number < 1000; number += 1)
    dormant.add(number, named(`h${number}.farm.com`));
  assert.deepEqual(
    Array.from({ length: 1000 }, () => dormant.take()),
    Array.from({ length: 1000 }, (_, number) => number),
  );
  assert.equal(dormant.take(), undefined);
  assert.equal(dormant.size, 0);
});

test("a host that becomes dormant again is the last of its domain", () => {
  const dormant = new DormantHosts(new SeededRandom("again"));
  const add = (number: number): void => dormant.add(number, named(`h${number}.farm.com`));
  for (const number of [1, 2, 3]) add(number);
  assert.equal(dormant.take(), 1);
  add(1);
  assert.deepEqual([dormant.take(), dormant.take(), dormant.take()], [2, 3, 1]);
  add(4);
  assert.deepEqual([dormant.take(), dormant.take(), dormant.size], [4, undefined, 0]);
});

test("a domain with a million hosts does not wait ahead of the others", () => {
  const dormant = new DormantHosts(new SeededRandom("farm"));
  for (let number = 0; number < 100_000; number += 1)
    dormant.add(number, named(`h${number}.farm.com`));
  const honest = 20;
  for (let at = 0; at < honest; at += 1) dormant.add(1_000_000 + at, named(`www.site${at}.org`));
  const woken = Array.from({ length: 4 * honest }, () => dormant.take() as number);
  const found = woken.filter((number) => number >= 1_000_000).length;
  assert.ok(
    found >= honest - 1,
    `${found} of ${honest} honest hosts (one may share the farm's line)`,
  );
});
