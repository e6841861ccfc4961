/**
 * A remote connector under faults of nodes, clocks, network and disks: nothing that was durable is lost,
 * order is kept, and nothing comes twice but what a receiver that died had not marked.
 */
import { test } from "node:test";
import { simulate } from "../support/lab/simulation.ts";
import { REMOTE } from "../support/topology/remote-rig.ts";
import { planRemoteFaults, remoteConnector } from "./remote-trial.ts";

test("items get from process to process once and in order, whatever fails", () => {
  simulate({
    suite: "remote connector",
    file: import.meta.url,
    schedules: 600,
    plan: (random) => planRemoteFaults(random),
    ...remoteConnector(REMOTE),
  });
});

test("the same holds when both sides die again and again", () => {
  simulate({
    suite: "remote connector, deaths",
    file: import.meta.url,
    schedules: 300,
    plan: (random) => planRemoteFaults(random, ["crash", "restart", "slow-disk", "noise"]),
    ...remoteConnector(REMOTE),
  });
});
