/** Agents of two sites, each a process; what goes from one site to the other goes over links of this process. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { SeededRandom } from "../../src/base/random/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { SlowLink, type Slowness } from "../../src/lab/link/index.ts";
import { AdvertisingServer } from "./advertising-server.ts";
import { type AgentProcess, AgentProcesses } from "./agent-processes.ts";

/** A round trip of 80 ms, and what a lost packet costs. */
export const FAR: Slowness = { oneWayMs: 40, stallShare: 0.01, stallMs: [200, 800] };

export class TwoSites {
  readonly agents: AgentProcesses;
  readonly links: SlowLink[] = [];
  readonly #server: AdvertisingServer;
  readonly #slowness: Slowness;
  readonly #started: AgentProcess[] = [];

  /** `own` are flags that each agent is given. */
  constructor(
    folder: string,
    { own, slowness }: { readonly own: readonly string[]; readonly slowness: Slowness },
  ) {
    this.#slowness = slowness;
    this.agents = new AgentProcesses(folder, own);
    this.#server = new AdvertisingServer(join(folder, "bin"));
  }

  /** Every other agent is at the other site. Each joins one of its own site directly, and one of the other. */
  async start(count: number, founding: readonly string[]): Promise<readonly AgentProcess[]> {
    for (let at = 0; at < count; at += 1) {
      const near = at < 2 ? [] : [await this.#address(at - 2)];
      const far = at < 1 ? [] : [this.links[at - 1]?.address ?? ""];
      const join = [...near, ...far].join(",");
      await this.#start(at, at === 0 ? [...founding, "--expect", `${count}`] : ["--join", join]);
    }
    return this.#started;
  }

  async #start(at: number, args: readonly string[]): Promise<void> {
    let address = "";
    const link = await SlowLink.open({
      ...{
        clock: new SystemClock(),
        random: new SeededRandom(`link of ${at}`),
        slowness: this.#slowness,
      },
      to: () => address,
    });
    this.links.push(link);
    const agent = this.agents.start(`a${at}`, args, this.#server.environment(link.address));
    this.#started.push(agent);
    address = await agent.address();
  }

  #address(at: number): Promise<string> {
    return this.#started[at]?.address() ?? assert.fail("it was started before");
  }

  /** Kills agents that have not ended. */
  async close(): Promise<void> {
    this.agents.close();
    await Promise.all(this.links.map((link) => link.close()));
  }
}
