import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CALENDAR, LOOP, VISITS } from "./link-list.ts";
import { findMazeHost, findTrapPage, mazeEntrance, trapEntrance } from "./traps.ts";

const ENDLESS = 0;

for (const [name, trap] of [
  ["calendar", CALENDAR],
  ["loop", LOOP],
  ["shop", VISITS],
] as const) {
  test(`a ${name} leads on for ever, and its URLs tell how far it is from the entrance`, () => {
    fc.assert(
      fc.property(fc.nat(99), fc.array(fc.boolean(), { maxLength: 60 }), (content, turns) => {
        let target = trapEntrance(trap, content);
        for (const turn of turns) {
          const page = findTrapPage(content, target, ENDLESS);
          assert.ok(page !== null && page.trap === trap, target);
          const next = page.onward[turn ? 0 : 1] ?? "";
          const url = new URL(next, `http://x.test${target}`);
          const after = findTrapPage(content, url.pathname + url.search, ENDLESS);
          assert.equal(Math.abs((after?.step ?? 0) - page.step), 1);
          target = url.pathname + url.search;
        }
      }),
    );
  });

  test(`a ${name} of some length has about as many pages and ends`, () => {
    const seen = new Set<string>();
    const queue = [trapEntrance(trap, 7)];
    for (const target of queue) {
      if (seen.has(target)) continue;
      seen.add(target);
      const page = findTrapPage(7, target, 24);
      assert.ok(page !== null, target);
      for (const next of page.onward) {
        const url = new URL(next, `http://x.test${target}`);
        queue.push(url.pathname + url.search);
      }
    }
    assert.equal(seen.size, trap === CALENDAR ? 49 : 25);
  });
}

test("a maze leads to ever new hosts, and their names tell how far they are", () => {
  const seen = new Set<string>();
  let names = [mazeEntrance(35)];
  for (let step = 0; step < 8; step += 1) {
    names = names.flatMap((name) => {
      const host = findMazeHost(name, ENDLESS);
      assert.ok(host !== null && host.step === step && host.content === 35, name);
      assert.equal(new URL(`http://${name}/`).hostname, name);
      seen.add(name);
      return [...host.onward];
    });
  }
  assert.equal(seen.size, 2 ** 8 - 1);
  assert.equal(findMazeHost(mazeEntrance(35), 1)?.onward.length, 1);
});

test("a URL that only looks like part of a trap is not found", () => {
  for (const target of [
    "/calendar",
    "/calendar?year=2006&month=13",
    "/calendar?year=2006&month=06",
    "/calendar?month=6&year=2006",
    "/loop",
    "/loop/in",
    "/loop/up/",
    "/shop/?visit=1-xyz",
    "/shop/?visit=01234567-00000000",
  ]) {
    assert.equal(findTrapPage(0, target, ENDLESS), null, target);
  }
  assert.equal(findMazeHost("w01-00000000.maze-0.test", ENDLESS), null);
  assert.equal(findMazeHost("w1-00000000.maze-00.test", ENDLESS), null);
});
