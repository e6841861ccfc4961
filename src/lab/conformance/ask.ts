/**
 * How suites ask: every question also checks what all seams promise, that the answer comes exactly
 * once and never before the call has returned.
 */
import assert from "node:assert/strict";
import { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { World } from "./world.ts";

/** Starts something and waits for its one answer. */
export function ask<Value>(
  world: World,
  start: (answered: (value: Value) => void) => void,
): Promise<Value> {
  return world.answer<Value>((answered) => {
    let hasReturned = false;
    let hasAnswered = false;
    start((value) => {
      assert(hasReturned, "an answer never comes inside the call");
      assert(!hasAnswered, "an answer comes only once");
      hasAnswered = true;
      answered(value);
    });
    hasReturned = true;
  });
}

/** The value of an effect that must succeed. */
export async function resultOf<Value>(
  world: World,
  start: (done: Done<Value>) => void,
): Promise<Value> {
  const outcome = await ask<Parameters<Done<Value>>>(world, (answered) => {
    start((...result) => answered(result));
  });
  if (outcome[0] !== null) throw outcome[0];
  return outcome[1];
}

/** Waits for an effect that must succeed. */
export async function succeed(world: World, start: (done: Acknowledge) => void): Promise<void> {
  const error = await ask<CrawlError | null>(world, start);
  if (error !== null) throw error;
}

/** The error of an effect that must fail. */
export async function errorOf(
  world: World,
  start: (done: (error: CrawlError | null, value?: unknown) => void) => void,
): Promise<CrawlError> {
  const error = await ask<CrawlError | null>(world, start);
  assert(error !== null, "this should have failed");
  assert(error instanceof CrawlError, "an effect fails with a CrawlError");
  return error;
}
