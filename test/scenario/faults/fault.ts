/** A row of the table of faults, and one trial of it. */
import { FaultCluster } from "./fault-cluster.ts";
import type { Outcome } from "./fault-verdict.ts";

export interface Fault {
  /** How many agents there are at first. */
  readonly agents: number;
  /** Keys of `cluster`: after which silence others are suspected, dead, and given up. */
  readonly times: readonly string[];
  /** Flags of every agent. */
  readonly flags?: readonly string[];
  readonly hostDelayMs?: number;
  /** Lets the crawl go its way, with the fault in it, to its end; and says how that was. */
  readonly strike: (cluster: FaultCluster) => Promise<Outcome>;
}

/** Nobody seems dead because the machine is busy. */
export const PATIENT: readonly string[] = ["suspectAfter=5s", "deadAfter=20s", "giveUpAfter=120s"];

/** With more agents in the long form. */
export const isFull: boolean = process.env["TROBAR_FULL"] === "1";

const HOST_DELAY_MS = 120;

/** The seed chooses web, moment and victims. */
export async function withFault(
  { strike, ...plan }: Fault,
  seed: string,
  tell: (text: string) => void,
): Promise<void> {
  const cluster = await FaultCluster.open({
    ...{ hostDelayMs: HOST_DELAY_MS, flags: [], ...plan },
    seed,
  });
  try {
    tell(`TROBAR_SEED='${seed}': ${await strike(cluster)}`);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(`TROBAR_SEED='${seed}': ${text}\n${cluster.said}`, { cause: error });
  } finally {
    await cluster.close();
  }
}
