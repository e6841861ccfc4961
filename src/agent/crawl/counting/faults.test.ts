import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { CrawlError } from "../../../base/errors/index.ts";
import type { FaultLog } from "./fault-log.ts";
import { Faults } from "./faults.ts";

test("every internal fault is kept, and only the first is reported", () => {
  const time = new SimulatedTime();
  const told: string[] = [];
  const kept: string[] = [];
  const log = { write: (_error: CrawlError, url: string) => void kept.push(url) };
  const faults = new Faults({
    ...{ clock: time, log: log as unknown as FaultLog },
    report: ({ message }) => told.push(message),
  });
  for (const name of ["a", "b", "c"]) faults.note(new CrawlError("INTERNAL_PARSE", name), name);
  assert.deepEqual([told, kept], [["a"], ["a", "b", "c"]]);
});
