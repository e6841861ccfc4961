/** Who takes part in a crawl, as the API and `trobar peers` show it; the names are stable. */

import type { MissingAgent } from "./ask-crawl.ts";

/** What an agent says of itself. */
export interface MemberStatus {
  /** Of its life in the cluster: `joining`, `active`, `leaving`, and those before and after. */
  readonly state: string;
  /** Whether it has nothing to do. */
  readonly idle: boolean;
  readonly pages: number;
  readonly urls: number;
  readonly queued: number;
  /** URLs that others have not acknowledged yet, and how long the oldest of them waits. */
  readonly pending: number;
  readonly lagSeconds: number;
  /** What is kept of those that are acknowledged, in case their agent loses its disk. */
  readonly retainedBytes: number;
  /** URLs that it has told others, and messages that its process has sent. */
  readonly told: number;
  readonly sent: number;
  /** URLs of which another agent says to have the page. */
  readonly claims: number;
  /** Messages that were not taken, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Equal at agents that agree on who is there. */
  readonly view: string;
}

/** An agent as the one that is asked sees it. */
export interface MemberReport {
  readonly agent: string;
  /** Identifies its disk. */
  readonly generation: number;
  /** Whether it is the one that is asked. */
  readonly self: boolean;
  readonly state: "joining" | "active" | "leaving";
  readonly standing: "alive" | "suspect" | "dead" | "given-up";
  /** How long nothing was heard of it; null if nothing ever was. */
  readonly silentSeconds: number | null;
  readonly capacity: number;
  /** Its part of all hosts, from 0 to 1. */
  readonly share: number;
  readonly inRing: boolean;
  readonly full: boolean;
  /** Null if it has not answered. */
  readonly status: MemberStatus | null;
}

export interface ClusterReport {
  /** The one that is asked; null for a crawl that is alone. */
  readonly agent: string | null;
  /** How many views differ, of those who have answered; 1 if all agree. */
  readonly views: number;
  readonly members: readonly MemberReport[];
  readonly missing: readonly MissingAgent[];
  /** Connections that the server of the agent that is asked has refused, by reason. */
  readonly refused: Readonly<Record<string, number>>;
}

export const NO_CLUSTER: ClusterReport = {
  ...{ agent: null, views: 0, members: [], missing: [], refused: {} },
};
