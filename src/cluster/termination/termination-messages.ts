/** The one question of termination, and its answer. */
import { type Codec, codec } from "../../topology/items/index.ts";
import { choice, type MessageType, messageType } from "../messages/index.ts";

/**
 * What an agent knows of the end: nothing; that it had come and there is work again; that it has come;
 * that all live members know it.
 */
export type Stage = "unknown" | "working" | "finished" | "concluded";

const STAGE: Codec<Stage> = choice(["unknown", "working", "finished", "concluded"]);

export interface Probe {
  /** Grows with each wave of its sender's life, so that what comes late is known to be late. */
  readonly wave: number;
  readonly stage: Stage;
  /** The view that the stage is about. */
  readonly hash: string;
  /** The work counter of the agent that is asked, with which the end was found. */
  readonly work: number;
  /** The limit that the crawl had reached when the end was found; empty if none. */
  readonly limit: string;
}

export interface Status {
  readonly isIdle: boolean;
  readonly work: number;
  readonly hash: string;
  readonly stage: Stage;
}

export const PROBE: MessageType<Probe, Status> = messageType(
  "probe",
  codec.struct<Probe>({
    ...{ wave: codec.count, stage: STAGE, hash: codec.text, work: codec.count },
    limit: codec.text,
  }),
  codec.struct<Status>({
    ...{ isIdle: codec.flag, work: codec.count, hash: codec.text, stage: STAGE },
  }),
);
