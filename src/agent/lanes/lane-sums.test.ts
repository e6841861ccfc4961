import assert from "node:assert/strict";
import { test } from "node:test";
import type { FrontierStatus } from "../../frontier/front/index.ts";
import { summedHolders, summedStatus } from "./lane-sums.ts";

test("numbers of lanes are added, and every lane keeps its allowance", () => {
  const lane = (part: object): FrontierStatus => part as FrontierStatus;
  const allowance = {
    ...{ apart: 2.5, rows: new Int32Array(), rates: new Float64Array() },
    ...{ addressDelayMs: 250, looks: 1, hosts: 1 },
  };
  const sum = summedStatus([
    lane({ urls: 1, idle: { politeness: 2 }, refused: { scope: 1 }, allowances: [] }),
    lane({ urls: 5, idle: { politeness: 3, retry: 1 }, refused: {}, allowances: [allowance] }),
    lane({ urls: 0, idle: {}, refused: { scope: 4 }, allowances: [allowance] }),
  ]);
  assert.deepEqual(sum, {
    ...{
      urls: 6,
      idle: { politeness: 5, retry: 1 },
      refused: { scope: 5 },
      allowances: [allowance, allowance],
    },
  });
});

test("memory is that of the desk and of all lanes", () => {
  const own = new Map([["index", { memoryBytes: 7 }]]);
  const holders = summedHolders(own, [
    { memory: { seen: 10 } },
    { memory: { seen: 20, score: 1 } },
  ]);
  const bytes = Array.from(holders, ([owner, { memoryBytes }]) => [owner, memoryBytes]);
  assert.deepEqual(Object.fromEntries(bytes), { index: 7, seen: 30, score: 1 });
});
