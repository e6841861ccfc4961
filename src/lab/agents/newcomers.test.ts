import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../base/random/index.ts";
import type { Fault } from "../simulator/index.ts";
import { strikeNewcomers } from "./newcomers.ts";

const SPARES = ["a3", "a4"];

function cut(atMs: number): Fault {
  return { kind: "cut", atMs, durationMs: 1, nodes: ["a0", "a1"], parameters: {} };
}

test("all spares join, and are among the victims only once they have begun to", () => {
  let struck = 0;
  for (let seed = 0; seed < 50; seed += 1) {
    const random = new SeededRandom(String(seed));
    const schedule = strikeNewcomers(random, SPARES, [cut(3000), cut(20_000)]);
    assert.deepEqual(
      schedule.map(({ kind }) => kind),
      ["cut", "join", "join", "cut"],
    );
    assert.deepEqual(schedule[0]?.nodes, ["a0", "a1"]);
    const last = schedule.at(-1)?.nodes ?? [];
    assert.equal(new Set(last).size, 2);
    if (last.some((id) => SPARES.includes(id))) struck += 1;
  }
  assert.ok(struck > 10 && struck < 40, `${struck} of 50`);
});
