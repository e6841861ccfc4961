/** An agent of this process that comes when all others are about to end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { MemberRig, type RunningAgent } from "./member-rig.ts";

/** Its second page is due in an hour. */
const SLOW: Hosts = () => ({
  "slow.test": { pages: { "/": linking("/later"), "/later": linking() } },
});
const SETTINGS = ["politeness.hosts={slow.test: {hostDelay: 1h}}", "politeness.robots=ignore"];

async function untilKnown({ member }: RunningAgent, id: string): Promise<void> {
  const isKnown = (): boolean =>
    [...member.node.view.members()].some(({ place }) => place.id === id);
  while (!isKnown()) await new Promise((resolve) => setImmediate(resolve));
}

test("T2: an agent with an empty disk that meets the crawl at its end, ends too and fetches nothing", async () => {
  await withWeb(SLOW, async (web) => {
    const rig = new MemberRig(web, SETTINGS);
    const first = await rig.open("1", { founds: true });
    const ends = [first.run()];
    await first.member.seed([web.url("slow.test/")]);
    const second = await rig.open("2", { founds: false });
    ends.push(second.run());
    await untilKnown(first, "2");
    // As if the end had been found just before.
    first.member.node.end(() => first.crawl.life.stop());
    const [, late] = await Promise.all(ends);
    assert.deepEqual([late?.reason, late?.pages], ["exhausted", 0]);
    assert.deepEqual([...new Set(rig.troubles.map(({ code }) => code))], ["CLUSTER_ENDED"]);
  });
});
