import assert from "node:assert/strict";
import { test } from "node:test";
import type { FollowedLink } from "../../parse/page/index.ts";
import { SeedTrails } from "./seed-trails.ts";

test("links that the scope refuses wait only while a seed may still widen it", () => {
  const trails = new SeedTrails();
  const link = (href: string) => ({ href }) as FollowedLink;
  const all = (): boolean => true;
  trails.keep("b.test", link("too early"));
  trails.begin({ high: 1, low: 1 });
  trails.begin({ high: 1, low: 2 });
  trails.keep("b.test", link("b"));
  trails.keep("b.test", link("c"));
  trails.keep("d.test", link("d"));
  assert.ok(trails.has({ high: 1, low: 2 }) && !trails.has({ high: 2, low: 1 }));
  const isB = ({ href }: FollowedLink): boolean => (href as string) === "b";
  assert.deepEqual(trails.take("b.test", isB), [{ href: "b" }]);
  assert.deepEqual(trails.take("b.test", all), [{ href: "c" }]);
  trails.end({ high: 1, low: 1 });
  trails.end({ high: 9, low: 9 });
  assert.ok(trails.isOpen);
  trails.end({ high: 1, low: 2 });
  assert.deepEqual(trails.take("d.test", all), []);
});

test("a redirecting seed does not look at waiting links of other groups", () => {
  const trails = new SeedTrails();
  trails.begin({ high: 1, low: 1 });
  let looks = 0;
  for (let number = 0; number < 60_000; number += 1) {
    const link = { href: String(number) } as unknown as FollowedLink;
    trails.keep(`h${number % 1000}.test`, link);
  }
  const wanted = (): boolean => {
    looks += 1;
    return true;
  };
  assert.equal(trails.take("elsewhere.test", wanted).length, 0);
  assert.equal(looks, 0);
  assert.equal(trails.take("h7.test", wanted).length, 50, "of the 50,000 that are kept");
  assert.equal(looks, 50);
  const late = { href: "late" } as unknown as FollowedLink;
  for (let number = 0; number < 60; number += 1) trails.keep("late.test", late);
  assert.equal(trails.take("late.test", wanted).length, 50, "there is room for as many again");
});
