/** What is done to host queues, step by step, as plans that fast-check draws and makes small. */
import fc from "fast-check";
import { isCrawlError } from "../../../src/base/errors/index.ts";
import type { QueueOrder } from "../../../src/frontier/queues/index.ts";
import { MOMENT, QueuesRig } from "./queues-rig.ts";

export type QueueStep =
  | { readonly do: "push"; readonly host: number; readonly bytes: number; readonly times: number }
  | { readonly do: "stream"; readonly times: number; readonly events: number }
  | { readonly do: "pull" | "start pull"; readonly host: number; readonly most: number }
  | { readonly do: "drop"; readonly host: number }
  | { readonly do: "checkpoint" | "start checkpoint"; readonly isSlow: boolean }
  | { readonly do: "record" | "settle" | "reopen" | "crash" | "kill" }
  | { readonly do: "pass"; readonly events: number };

export interface QueuePlan {
  readonly seed: number;
  readonly order: QueueOrder;
  /** Longer records, and more of everything. */
  readonly scale: number;
  readonly memoryBytes: number;
  readonly death: "crash" | "kill";
  readonly steps: readonly (QueueStep & { readonly patience: number })[];
}

const host = fc.nat(5);
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("push"),
      host,
      bytes: fc.nat(60),
      times: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("stream"),
      times: fc.integer({ min: 1, max: 40 }),
      events: fc.nat(8),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom("pull", "start pull"),
      host,
      most: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("drop"), host }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("checkpoint", "start checkpoint"),
      isSlow: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("record", "settle", "reopen", "crash", "kill") }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pass"), events: fc.nat(12) }) },
) as fc.Arbitrary<QueueStep>;

/** Most steps come to their end; some are cut short by a crash after a few events. */
const patience = fc.oneof(
  { weight: 12, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
  { weight: 1, arbitrary: fc.nat(12) },
);

export const queuePlan: fc.Arbitrary<QueuePlan> = fc.record({
  seed: fc.nat(),
  order: fc.constantFrom<QueueOrder>("fifo", "lifo", "priority"),
  memoryBytes: fc.constantFrom(240, 900),
  scale: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.constant(1000) },
  ),
  death: fc.constantFrom("crash", "kill"),
  steps: fc.array(
    fc.tuple(step, patience).map(([each, events]) => ({ ...each, patience: events })),
    { minLength: 1, maxLength: 80 },
  ),
}) as fc.Arbitrary<QueuePlan>;

/** Carries a plan out; at its end everything is opened once more and pulled to the last record. */
export function tryPlan(plan: QueuePlan): void {
  const { seed, order, scale } = plan;
  const rig = new QueuesRig({
    seed,
    order,
    memoryBytes: 240 * scale,
    segmentBytesMax: 400 * scale,
  });
  for (const each of plan.steps) {
    rig.patience = each.patience;
    try {
      performStep(rig, each, scale);
    } catch (error) {
      if (error !== MOMENT) throw error;
      rig[plan.death]();
    }
  }
  rig.patience = Number.POSITIVE_INFINITY;
  rig[plan.death]();
  rig.open();
  rig.drain();
}

export function performStep(rig: QueuesRig, step: QueueStep, scale: number): void {
  if (!rig.isOpen) rig.open();
  switch (step.do) {
    case "push":
      for (let count = 0; count < step.times; count += 1) {
        rig.push(step.host, step.bytes * scale, (step.bytes * (count + 3)) % 130);
      }
      break;
    case "stream":
      for (let count = 0; count < step.times; count += 1) {
        rig.push((count * 7) % 6, 20 * scale, (count * 5) % 130);
        rig.pass(step.events);
      }
      break;
    case "pull":
      rig.pull(step.host, step.most);
      break;
    case "start pull":
      rig.startPull(step.host, step.most);
      break;
    case "drop":
      rig.drop(step.host);
      break;
    case "checkpoint":
      rig.checkpoint(step.isSlow);
      break;
    case "start checkpoint":
      rig.startCheckpoint(step.isSlow, (error) => {
        if (error !== null && !isCrawlError(error)) throw error;
      });
      break;
    case "record":
      rig.record();
      break;
    case "settle":
      rig.settle();
      break;
    case "pass":
      rig.pass(step.events);
      break;
    case "reopen":
      rig.checkpoint();
      rig.close();
      rig.open();
      break;
    case "crash":
    case "kill":
      rig[step.do]();
      break;
  }
}
