/**
 * F4: the named moments at which agents of a cluster are killed, each in a situation: while an agent starts,
 * while all crawl, while one joins and others hand hosts over to it, while one leaves and others take over.
 */
import { rmSync, writeFileSync } from "node:fs";
import { endedAt } from "../failpoints.ts";
import { type Fault, PATIENT } from "./fault.ts";
import type { FaultCluster } from "./fault-cluster.ts";
import { type Outcome, stopped } from "./fault-verdict.ts";

/** Who is killed, and from when on its moment counts. */
export type Situation =
  | "starting"
  | "crawling"
  | "joining"
  | "handing-over"
  | "leaving"
  | "taking-over";

/** `part.action.when`, several of the same part and action in one text. */
function points(...texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const [at, ...moments] = text.split(" ");
    return moments.map((moment) => `${at}.${moment}`);
  });
}

export const AGENT_FAILPOINTS: Readonly<Record<Situation, readonly string[]>> = {
  starting: points(
    "members.append middle",
    "members.rename before after",
    "seeds.append middle",
    "seeds.sync after",
    "mesh-ports.rename before",
    "crawl-json.rename after",
    "checkpoint.commit before",
  ),
  crawling: points(
    "inbox.append middle after",
    "inbox.sync before after",
    "outbox.append middle after",
    "outbox.sync before after",
    "foreign.append middle",
    "foreign.sync after",
    "limits.append middle",
    "limits.rename before after",
    "hidden-run.append middle",
    "crawl-log.append middle after",
    "warc.append middle",
    "warc.sync before",
    "checkpoint.commit before after",
  ),
  joining: points(
    "members.rename before after",
    "seeds.sync after",
    "inbox.append middle",
    "inbox.sync after",
    "held.append middle",
    "held.sync after",
    "claims-run.append middle",
    "claims-run.sync after",
    "checkpoint.commit before after",
  ),
  "handing-over": points(
    "members.rename before after",
    "outbox.append middle after",
    "outbox.sync before after",
    "inbox.append middle",
    "checkpoint.commit before after",
  ),
  leaving: points(
    "members.rename after",
    "outbox.append middle",
    "outbox.sync after",
    "limits.rename before after",
    "checkpoint.commit before after",
  ),
  "taking-over": points(
    "members.rename before after",
    "inbox.append middle",
    "inbox.sync after",
    "outbox.remove before after",
    "outbox-position.remove after",
    "held.remove before",
    "checkpoint.commit before after",
  ),
};

/** A moment for each situation in which an agent is to be killed. */
export type Kills = Partial<Readonly<Record<Situation, string>>>;

const JOINER = "b0";
/** So slow that moments come in all situations. */
const HOST_DELAY_MS = 400;
/** More pages than there are, so that agents lend each other what they may fetch. */
const PAGES_MAX = 500;

/** In one crawl; situations whose moment does not come are added to `missed`. */
export function killAt(kills: Kills, missed: Situation[]): Fault {
  return {
    ...{ agents: 3, times: PATIENT, hostDelayMs: HOST_DELAY_MS },
    flags: ["--stay", "-n", `${PAGES_MAX}`],
    strike: async (cluster) => {
      const outcome = await new KilledAgents(cluster, kills, missed).run();
      return `${JSON.stringify(kills)}${missed.length > 0 ? `, not ${missed}` : ""}: ${outcome}`;
    },
  };
}

class KilledAgents {
  readonly #cluster: FaultCluster;
  readonly #kills: Kills;
  readonly #missed: Situation[];

  constructor(cluster: FaultCluster, kills: Kills, missed: Situation[]) {
    this.#cluster = cluster;
    this.#kills = kills;
    this.#missed = missed;
  }

  async run(): Promise<Outcome> {
    const cluster = this.#cluster;
    const [busy = "", giver = "", goer = ""] = cluster.mixed(cluster.ids);
    await this.#begin(busy, giver, goer);
    const address = await cluster.agent(cluster.ids[0] ?? "").address();
    await cluster.moment();
    const joiner = cluster.join(JOINER, [address], this.#at(JOINER, "joining"));
    await Promise.all([
      this.#strike(busy, "crawling", goer),
      this.#strike(JOINER, "joining", goer),
      joiner.address().then(() => this.#strike(giver, "handing-over", goer)),
    ]);
    await cluster.together();
    if (this.#kills.leaving !== undefined) await this.#leave(goer);
    else if (this.#kills["taking-over"] !== undefined) await this.#takeOver(goer, busy);
    return await stopped(cluster);
  }

  /** One of them is killed while it starts. */
  async #begin(busy: string, giver: string, goer: string): Promise<void> {
    const cluster = this.#cluster;
    const isLeaving = this.#kills.leaving !== undefined;
    const environments = new Map([
      [busy, this.#at(busy, this.#kills.starting === undefined ? "crawling" : "starting")],
      [giver, this.#at(giver, "handing-over")],
      [goer, this.#at(goer, isLeaving ? "leaving" : "taking-over")],
    ]);
    let address = "";
    for (const id of cluster.ids) {
      if (address === "") cluster.found(id, environments.get(id));
      else cluster.join(id, [address], environments.get(id));
      if (id === busy && this.#kills.starting !== undefined) {
        this.#arm(id, "starting");
        await cluster.doomed(id);
        cluster.startAgain(id, this.#at(id, "crawling"));
      }
      if (address === "") address = await cluster.agent(id).address();
    }
  }

  /** Resolves when it was killed and goes on, or there is nothing left to do for it. `other` is asked. */
  async #strike(id: string, situation: Situation, other: string): Promise<void> {
    if (this.#kills[situation] === undefined) return;
    const cluster = this.#cluster;
    this.#arm(id, situation);
    let isOver = false;
    const death = cluster.doomed(id).finally(() => {
      isOver = true;
    });
    await cluster.until(async () => isOver || (await cluster.areIdle(other)));
    if (!isOver) {
      cluster.spared(id);
      rmSync(this.#file("armed", id, situation));
      this.#missed.push(situation);
      return;
    }
    await death;
    cluster.startAgain(id, {});
  }

  /** Whoever is killed while it leaves comes back as a member. */
  async #leave(goer: string): Promise<void> {
    const cluster = this.#cluster;
    this.#arm(goer, "leaving");
    const agent = cluster.agent(goer);
    const death = cluster.doomed(goer);
    await cluster.ask(goer, "leave");
    await agent.end();
    if (agent.signal === "SIGKILL") {
      await death;
      cluster.startAgain(goer, {});
    } else {
      cluster.gone(goer);
      this.#missed.push("leaving");
    }
  }

  async #takeOver(goer: string, leaver: string): Promise<void> {
    const cluster = this.#cluster;
    const agent = cluster.agent(leaver);
    const left = async (): Promise<void> => {
      await cluster.tell(leaver, "leave");
      await agent.ended(130);
      cluster.gone(leaver);
    };
    const [other = ""] = cluster.mixed([...cluster.running.keys()]).filter((id) => {
      return id !== goer && id !== leaver;
    });
    await Promise.all([left(), this.#strike(goer, "taking-over", other)]);
  }

  #arm(id: string, situation: Situation): void {
    writeFileSync(this.#file("armed", id, situation), "");
  }

  /** The environment of an agent that is killed at its moment for this, once that is armed. */
  #at(id: string, situation: Situation): Readonly<Record<string, string>> {
    const name = this.#kills[situation];
    if (name === undefined) return {};
    const [count, armed] = [this.#file("count", id, situation), this.#file("armed", id, situation)];
    return endedAt({ name, time: 1, count, armed, root: this.#cluster.folderOf(id) });
  }

  #file(what: string, id: string, situation: Situation): string {
    return this.#cluster.folderOf(`${what}-${id}-${situation}`);
  }
}
