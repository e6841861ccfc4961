import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PROFILES } from "../profile/profiles.ts";
import { HostNames } from "./host-names.ts";

const COUNT = 100_000;

function namesOf(international: number, aliases = 0.5): HostNames {
  return new HostNames("names", {
    ...PROFILES.plain.hosts,
    count: COUNT,
    perDomain: 2,
    international,
    aliases,
  });
}

for (const international of [0, 0.5, 1]) {
  test(`hosts are found by their names, ${international * 100} % of them international`, () => {
    const names = namesOf(international);
    fc.assert(
      fc.property(fc.nat(COUNT - 1), (host) => {
        assert.deepEqual(names.find(names.nameOf(host)), { host, isAlias: false });
        if (names.hasAlias(host)) {
          assert.deepEqual(names.find(names.aliasOf(host)), { host, isAlias: true });
        }
      }),
    );
  });

  test(`names stand in URLs as they are, ${international * 100} % of them international`, () => {
    const names = namesOf(international);
    fc.assert(
      fc.property(fc.nat(COUNT - 1), (host) => {
        const name = names.nameOf(host);
        assert.equal(new URL(`http://${name}/`).hostname, name);
        assert.equal(new URL(`http://${names.writtenNameOf(host)}/`).hostname, name);
      }),
    );
  });
}

test("hosts of one domain differ in their first label only", () => {
  const names = namesOf(0.2);
  for (let host = 0; host < 200; host += 1) {
    const [first, end] = [names.domainOf(host), names.domainEnd(host)];
    assert.ok(first <= host && host < end && end - first <= 8);
    const domain = (one: number) => names.nameOf(one).split(".").slice(-2).join(".");
    assert.equal(domain(host), domain(first));
    if (first > 0) assert.notEqual(domain(first - 1), domain(first));
  }
});

test("a name that belongs to no host is not found", () => {
  const names = namesOf(0.2);
  const wrong = ["", ".", "test", "example.test", "karino-zzzzzz.test", "a.b.c.test", "x-1.org"];
  for (const name of wrong) assert.equal(names.find(name), null, name);
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.string()), (name) => {
      const found = names.find(name);
      if (found !== null)
        assert.ok([names.nameOf(found.host), names.aliasOf(found.host)].includes(name));
    }),
  );
});
