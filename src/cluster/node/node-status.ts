/** Numbers of a node, for metrics and for people. */
import type { Custody } from "../custody/index.ts";
import type { Inbox, Outboxes } from "../delivery/index.ts";
import type { ClusterLimits } from "../limits/index.ts";
import type { Membership } from "../membership/index.ts";
import type { DropReason, Messenger } from "../messages/index.ts";
import type { AddressSlots } from "../slots/index.ts";

type Standing = "alive" | "suspect" | "dead" | "given-up";

export interface NodeStatus {
  readonly state: string;
  readonly isActive: boolean;
  readonly isIdle: boolean;
  readonly isFinished: boolean;
  /** The hash of its view: equal at agents that agree. */
  readonly view: string;
  /** The work counter. */
  readonly changes: number;
  /** How many agents are known, the own one included, by how they seem to be. */
  readonly members: Readonly<Record<Standing, number>>;
  /** Of them, how many are in the ring. */
  readonly ring: number;
  readonly onProbation: number;
  /** Agents that wait for something to be handed over. */
  readonly openRequests: number;
  readonly isTakingOver: boolean;
  /** Entries that were not acknowledged yet. */
  readonly pending: number;
  /** How long the oldest of these waits, in milliseconds. */
  readonly lagMs: number;
  /** Entries that other agents were told, in all lives of this one. */
  readonly told: number;
  /** Messages that this process has sent, answers among them; one that goes to all counts once. */
  readonly sent: number;
  /** What acknowledged entries take on the disk. */
  readonly retainedBytes: number;
  /** URLs of which another place says that it has the page. */
  readonly claims: number;
  /** Messages that were not taken, by reason; and frames of entries that made no sense. */
  readonly dropped: ReadonlyMap<DropReason, number>;
  readonly refused: number;
  /** Addresses that this agent uses, and those for which it gives slots. */
  readonly addresses: { readonly used: number; readonly granted: number };
  /** What is left here of the limits of the crawl. */
  readonly left: ClusterLimits["left"];
}

export interface StatusParts
  extends Pick<NodeStatus, "isIdle" | "isFinished" | "changes" | "left"> {
  readonly membership: Membership;
  readonly messenger: Messenger;
  readonly slots: AddressSlots;
  readonly outboxes: Outboxes | null;
  readonly custody: Custody | null;
  readonly inbox: Inbox | null;
}

export function statusOf(parts: StatusParts): NodeStatus {
  const { membership, messenger, slots, outboxes, custody, inbox } = parts;
  const { isIdle, isFinished, changes, left } = parts;
  const { view, state, openRequests, isTakingOver } = membership;
  const members = { alive: 0, suspect: 0, dead: 0, "given-up": 0 };
  let ring = 0;
  for (const { standing, isInRing } of view.members()) {
    members[standing] += 1;
    if (isInRing) ring += 1;
  }
  return {
    ...{ state, isIdle, isFinished, changes, members, ring, openRequests, isTakingOver },
    ...{ isActive: state === "active", onProbation: view.onProbation, view: view.hash },
    ...{ pending: outboxes?.pending ?? 0, retainedBytes: outboxes?.retainedBytes ?? 0 },
    ...{ lagMs: Math.round(outboxes?.lagMs ?? 0), told: outboxes?.told ?? 0, sent: messenger.sent },
    ...{ claims: custody?.claims ?? 0, refused: inbox?.refused ?? 0 },
    ...{ dropped: messenger.dropped, addresses: slots.sizes, left },
  };
}
