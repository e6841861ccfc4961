/**
 * F13: an agent is stopped for so long that others count it as dead, and perhaps take its hosts over. Then it
 * goes on as if nothing had happened.
 */

import { type Fault, isFull } from "./fault.ts";
import type { FaultCluster } from "./fault-cluster.ts";
import { type Outcome, stopped } from "./fault-verdict.ts";

const SILENCE = ["suspectAfter=2s", "deadAfter=5s", "giveUpAfter=120s"];
/** Its requests that are open go on, and others may fetch from its hosts by then. */
const SINS_OF_SLEEPERS = ["host-two-at-once", "host-too-soon"];

export const sleep: Fault = { agents: isFull ? 4 : 2, times: SILENCE, flags: ["--stay"], strike };

async function strike(cluster: FaultCluster): Promise<Outcome> {
  await cluster.begin();
  const [sleeper = "", through = ""] = cluster.victims(2);
  await cluster.strike([sleeper], "SIGSTOP");
  const before = cluster.incarnationOf(sleeper);
  await cluster.stand(through, [sleeper], "dead");
  // Every now and then others have taken its hosts over before it wakes up.
  const isGivenUp = cluster.random.below(3) === 0;
  if (isGivenUp) await cluster.tell(through, "peers", "forget", sleeper);
  await cluster.died();
  cluster.agent(sleeper).kill("SIGCONT");
  await cluster.until(async () => cluster.incarnationOf(sleeper) > before);
  await cluster.together();
  if (isGivenUp) cluster.losses.gone(cluster.folderOf(sleeper));
  return await stopped(cluster, isGivenUp ? { copies: true, sins: SINS_OF_SLEEPERS } : {});
}
