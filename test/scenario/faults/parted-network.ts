/**
 * F5: the network between two sites is cut, for longer than it takes them to give each other up, and heals.
 * What goes from one site to the other goes over links of this process; agents of one site reach each other
 * directly.
 */
import assert from "node:assert/strict";
import { SystemClock } from "../../../src/base/time/index.ts";
import { SlowLink } from "../../../src/lab/link/index.ts";
import { AdvertisingServer } from "../advertising-server.ts";
import { type Fault, isFull } from "./fault.ts";
import type { FaultCluster } from "./fault-cluster.ts";
import { type Outcome, stopped } from "./fault-verdict.ts";

const AT_ONCE = { oneWayMs: 0, stallShare: 0, stallMs: [0, 0] } as const;
/** While hosts change hands, and agents come to see each other again. */
const HEALING_SINS = [
  "host-two-at-once",
  "host-too-soon",
  "address-two-at-once",
  "address-too-soon",
];

type Side = readonly string[];

/** As many heartbeats as half a minute has with the usual ones. */
const SILENCE = {
  continue: ["suspectAfter=2s", "deadAfter=4s", "giveUpAfter=6s"],
  fence: ["suspectAfter=2s", "deadAfter=5s", "giveUpAfter=6s"],
};

/** Agents do not end while others are away, but wait for more. */
export function part(partition: "continue" | "fence"): Fault {
  return {
    // Half of them never is a majority.
    ...{ agents: isFull ? 4 : partition === "fence" ? 3 : 2, times: SILENCE[partition] },
    flags: ["--stay", "--set", `cluster.partition=${partition}`],
    strike: (cluster) => strike(cluster, partition === "continue"),
  };
}

async function strike(cluster: FaultCluster, isContinued: boolean): Promise<Outcome> {
  // With four agents one against three, or two against two.
  const near = cluster.ids.length < 4 ? 1 : 1 + cluster.random.below(2);
  await using sites = await Sites.open(cluster, near);
  await cluster.moment();
  sites.cut();
  const [small, large] = sites.sides;
  if (isContinued) await bothGoOn(cluster, small, large);
  else await atMostOneGoesOn(cluster, small, large);
  sites.heal();
  await cluster.together();
  const isOneGivenUp = small.length < large.length;
  const absent = isContinued ? cluster.ids : isOneGivenUp ? small : [];
  cluster.losses.gone(...absent.map((id) => cluster.folderOf(id)));
  await cluster.died();
  const sins = isContinued ? HEALING_SINS : [];
  const outcome = await stopped(cluster, { copies: absent.length > 0, sins });
  return `${small.join(" ")} | ${large.join(" ")}: ${outcome}`;
}

/** Each side gives the other up, and fetches pages again that the other has. */
async function bothGoOn(cluster: FaultCluster, one: Side, other: Side): Promise<void> {
  await Promise.all([
    cluster.stand(one[0] ?? "", other, "given-up"),
    cluster.stand(other[0] ?? "", one, "given-up"),
  ]);
  const { web, random } = cluster;
  const asked = await web.pages();
  // In the end both have all pages.
  const left = Math.max(0, 2 * web.facts.due - asked);
  await web.pages(asked + random.below(left + 1));
}

/** A side with more than half of the agents gives the other one up; two halves wait for each other. */
async function atMostOneGoesOn(cluster: FaultCluster, small: Side, large: Side): Promise<void> {
  const { web, random } = cluster;
  const isMajority = large.length > small.length;
  const fenced = isMajority ? small : cluster.ids;
  await Promise.all(fenced.map((id) => cluster.agent(id).said("CLUSTER_FENCED")));
  const seen = isMajority ? "given-up" : "dead";
  await cluster.stand(large[0] ?? "", small, seen);
  if (!isMajority) return await cluster.stand(small[0] ?? "", large, seen);
  // It has all pages in the end.
  await web.pages(random.below(web.facts.due));
}

class Sites implements AsyncDisposable {
  readonly sides: readonly [Side, Side];
  readonly #cluster: FaultCluster;
  readonly #links = new Map<string, SlowLink>();
  /** Of agents that run, directly. */
  readonly #addresses = new Map<string, string>();

  private constructor(cluster: FaultCluster, near: number) {
    const { ids, random } = cluster;
    const left = [...ids];
    const small = Array.from(
      { length: near },
      () => left.splice(random.below(left.length), 1)[0] ?? "",
    );
    this.#cluster = cluster;
    this.sides = [small, left];
  }

  static async open(cluster: FaultCluster, near: number): Promise<Sites> {
    const sites = new Sites(cluster, near);
    await sites.#begin();
    return sites;
  }

  cut(): void {
    for (const link of this.#links.values()) link.cut();
  }

  heal(): void {
    for (const link of this.#links.values()) link.heal();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.close()));
  }

  /** One after the other, so that agents of one site find each other before they hear of each other. */
  async #begin(): Promise<void> {
    const { ids, random } = this.#cluster;
    const server = new AdvertisingServer(this.#cluster.folderOf("programs"));
    for (const id of ids) {
      const link = await SlowLink.open({
        ...{ clock: new SystemClock(), random, slowness: AT_ONCE },
        to: () => this.#addresses.get(id) ?? "",
      });
      const environment = server.environment(link.address);
      const known = [...this.#links.keys()].map((other) => this.#addressFor(id, other));
      const agent =
        known.length === 0
          ? this.#cluster.found(id, environment)
          : this.#cluster.join(id, known, environment);
      this.#links.set(id, link);
      this.#addresses.set(id, await agent.address());
    }
  }

  /** Where `id` joins `other`. */
  #addressFor(id: string, other: string): string {
    const areNear = this.sides.some((side) => side.includes(id) && side.includes(other));
    const address = areNear ? this.#addresses.get(other) : this.#links.get(other)?.address;
    return address ?? assert.fail(`${other} runs`);
  }
}
