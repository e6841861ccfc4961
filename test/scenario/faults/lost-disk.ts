/** F2: an agent is killed, its directory removed, and it never returns. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type Fault, isFull } from "./fault.ts";
import type { FaultCluster } from "./fault-cluster.ts";
import { ended, type Outcome } from "./fault-verdict.ts";

/** So long that nobody is given up because the machine is busy. */
const SILENCE = ["suspectAfter=3s", "deadAfter=6s", "giveUpAfter=15s"];
/** It is forgotten as soon as it counts as dead; every now and then it is given up by itself. */
const FORGETTING = 3;

export const loseDisk: Fault = { agents: isFull ? 4 : 3, times: SILENCE, strike: lose };

async function lose(cluster: FaultCluster): Promise<Outcome> {
  await cluster.begin();
  const [victim = "", through = ""] = cluster.victims(2);
  const forgotten = (): ReturnType<FaultCluster["ask"]> =>
    cluster.ask(through, "peers", "forget", victim);
  await cluster.web.pages(1);
  assert.equal(await forgotten(), null, "it is alive");
  await cluster.kill([victim]);
  cluster.losses.gone(cluster.folderOf(victim));
  rmSync(cluster.folderOf(victim), { recursive: true });
  const isForgotten = cluster.random.below(4) < FORGETTING;
  if (isForgotten) await cluster.until(async () => (await forgotten()) !== null);
  return await ended(cluster);
}
