/** Plans for a log, drawn at random by fast-check, which also makes a failing one small. */
import fc from "fast-check";
import type { LogPlan, LogStep } from "./log-trials.ts";

const step: fc.Arbitrary<LogStep> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant("append"), bytes: fc.nat(120) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("append"), bytes: fc.nat(160) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("commit", "commit and wait") }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("cut", "drop", "read"), at: fc.nat(40) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pass"), events: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("reopen", "crash", "kill") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fill"), freeBytes: fc.nat(500) }) },
) as fc.Arbitrary<LogStep>;

/** Most steps come to their end; some are cut short by a crash after a few events. */
const patience = fc.oneof(
  { weight: 9, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
  { weight: 1, arbitrary: fc.nat(8) },
);

const steps = fc.array(
  fc.tuple(step, patience).map(([each, events]) => ({ ...each, patience: events })),
  { minLength: 1, maxLength: 40 },
);

const drawn = fc.record({
  seed: fc.nat(),
  framing: fc.constantFrom("binary", "line"),
  scale: fc.constantFrom(1, 6),
  death: fc.constantFrom("crash", "kill"),
  failingCalls: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 1 }) },
  ),
  steps,
}) as fc.Arbitrary<LogPlan>;

/**
 * Where calls fail, processes do not die without the machine: one that dies right after a sync has
 * failed leaves bytes that read as good and will never be on the disk, and no log can know.
 */
export const logPlan: fc.Arbitrary<LogPlan> = drawn.map((plan) => {
  if (plan.failingCalls.length === 0) return plan;
  const crashing = plan.steps.map((each) => (each.do === "kill" ? { ...each, do: "crash" } : each));
  return { ...plan, death: "crash", steps: crashing as LogPlan["steps"] };
});
