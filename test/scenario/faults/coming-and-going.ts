/** F11: two agents join in mid-crawl, and one leaves. */
import { SystemClock } from "../../../src/base/time/index.ts";
import { SlowLink } from "../../../src/lab/link/index.ts";
import { type Fault, PATIENT } from "./fault.ts";
import type { FaultCluster } from "./fault-cluster.ts";
import { ended, type Outcome } from "./fault-verdict.ts";

const JOINERS = ["b0", "b1"];
/** By then the crawl waits for those that are about to join. */
const BRAKE = 0.75;

/** So slow that they find work. */
const HOST_DELAY_MS = 400;

export const comeAndGo: Fault = { agents: 2, times: PATIENT, hostDelayMs: HOST_DELAY_MS, strike };

async function strike(cluster: FaultCluster): Promise<Outcome> {
  const { ids, web, random } = cluster;
  const [first = "", ...others] = ids;
  const address = await cluster.found(first).address();
  // It takes them long to start, so they are there from the beginning, behind a link that is cut.
  const link = await SlowLink.open({
    ...{ clock: new SystemClock(), random, to: () => address },
    slowness: { oneWayMs: 0, stallShare: 0, stallMs: [0, 0] },
  });
  try {
    link.cut();
    for (const id of JOINERS) await cluster.join(id, [link.address]).address();
    for (const id of others) cluster.join(id, [address]);
    await cluster.moment();
    const asked = await web.pages();
    link.heal();
    await joined(cluster);
    const [leaver = ""] = cluster.victims(1);
    const agent = cluster.agent(leaver);
    await cluster.tell(leaver, "leave");
    await agent.ended(130);
    cluster.gone(leaver);
    return `${leaver} left, joined at ${asked}: ${await ended(cluster)}`;
  } finally {
    await link.close();
  }
}

/** Resolves when all are active; if the crawl is nearly over by then, it has waited for them. */
async function joined(cluster: FaultCluster): Promise<void> {
  const { ids, web } = cluster;
  const [through = ""] = ids;
  let isJoined = false;
  const active = cluster.together().then(() => {
    isJoined = true;
  });
  await Promise.race([active, web.pages(Math.round(BRAKE * web.facts.due))]);
  if (isJoined) return;
  await cluster.tell(through, "pause");
  await active;
  await cluster.tell(through, "resume");
}
