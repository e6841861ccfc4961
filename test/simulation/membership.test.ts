/** Memberships alone, under everything that can happen to agents, with both policies for partitions. */
import { test } from "node:test";
import { simulate } from "../support/lab/simulation.ts";
import {
  MembershipTrial,
  type Policy,
  planMembershipFaults,
  planNewcomerFaults,
} from "./membership-trial.ts";

for (const policy of ["continue", "fence"] satisfies Policy[]) {
  test(`agents agree in the end, and share no host meanwhile: ${policy}`, () => {
    simulate({
      ...{ suite: `membership, ${policy}`, file: import.meta.url, schedules: 70 },
      schedulesFull: 10_000,
      plan: (random) => planMembershipFaults(random),
      build: (kernel) => new MembershipTrial(kernel, policy),
      limits: { stepsMax: 400_000, virtualMsMax: 400_000 },
    });
  });

  test(`the same when those are struck that have joined: ${policy}`, () => {
    simulate({
      ...{ suite: `membership, newcomers, ${policy}`, file: import.meta.url, schedules: 40 },
      schedulesFull: 5000,
      plan: (random) => planNewcomerFaults(random),
      build: (kernel) => new MembershipTrial(kernel, policy),
      limits: { stepsMax: 400_000, virtualMsMax: 400_000 },
    });
  });
}
