/** What agents say to each other about themselves; the rules are in the files that serve each message. */
import type { AgentId } from "../../base/transport/index.ts";
import { type Codec, codec } from "../../topology/items/index.ts";
import {
  AGENT_ID,
  choice,
  DURATION,
  KNOWN_CAPACITY,
  type MessageType,
  messageType,
  NOTHING,
  PLACE,
  type Place,
} from "../messages/index.ts";
import type { Absence } from "./membership-listener.ts";
import {
  CLUSTER_CONFIGURATION,
  type ClusterConfiguration,
  type ConfigurationVersion,
  VERSION,
} from "./shared/shared-configuration.ts";
import { MEMBER_STATES, type MemberState } from "./view/member-table.ts";

/** The sign of life of an agent, told to all. */
export interface Beat {
  readonly state: MemberState;
  /** Its disk is full. */
  readonly isFull: boolean;
  /** Stands for the seeds that it holds. */
  readonly seedsHash: string;
  readonly configuration: ConfigurationVersion;
  /** Whom it misses, and whom it hears of those that others miss (G6). */
  readonly missing: readonly LifeNamed[];
  readonly heard: readonly Place[];
  /** Counts the beats of a life. */
  readonly number: number;
  readonly vote: Vote;
}

/** What an elector says about all others; empty for anybody else, or if partitions are not fenced (P2). */
export interface Vote {
  readonly isVoter: boolean;
  /** Stands for the places in its ring. */
  readonly ringHash: string;
  /** Whom it supports: the last beat that it has heard of each. */
  readonly heard: readonly HeardBeat[];
  /** Which lives it wants to be given up: for good, and durably. */
  readonly condemned: readonly LifeNamed[];
}

export interface HeardBeat extends LifeNamed {
  readonly number: number;
}

/** Names a life of a place. */
export interface LifeNamed {
  readonly place: Place;
  readonly incarnation: number;
}

const { count, flag, list, struct, text } = codec;

const LIFE_NAMED: Codec<LifeNamed> = struct<LifeNamed>({ place: PLACE, incarnation: count });

export const BEAT: MessageType<Beat> = messageType(
  "beat",
  struct<Beat>({
    state: choice(MEMBER_STATES),
    isFull: flag,
    seedsHash: text,
    configuration: VERSION,
    missing: list(LIFE_NAMED),
    heard: list(PLACE),
    number: count,
    vote: struct<Vote>({
      isVoter: flag,
      ringHash: text,
      heard: list(struct<HeardBeat>({ place: PLACE, incarnation: count, number: count })),
      condemned: list(LIFE_NAMED),
    }),
  }),
);

/** The crawl has ended, and its sender ends with it, whatever comes (T2). */
export interface Ended {
  /** Stands for the seeds and the configuration that it has. */
  readonly knowledge: string;
}

export const ENDED: MessageType<Ended> = messageType("ended", struct<Ended>({ knowledge: text }));

/** Asks, before the first heartbeat of a life, whether the id is in use (B0). */
export interface Who {
  readonly id: AgentId;
  /** Drawn for this question. */
  readonly nonce: string;
}

export const WHO: MessageType<Who> = messageType("who", struct<Who>({ id: AGENT_ID, nonce: text }));

/** What one agent knows about the id that somebody else asked for. */
export interface Known {
  readonly nonce: string;
  /** The latest life that was heard of; 0 for none. */
  readonly generation: number;
  readonly incarnation: number;
  /** 0 if it is not known. */
  readonly capacity: number;
  /** Another process that has the id has answered to this nonce. */
  readonly isLive: boolean;
}

/** Sent to the id itself. Whoever has not drawn the nonce replies: the id is in use. */
export const KNOWN: MessageType<Known> = messageType(
  "known",
  struct<Known>({
    nonce: text,
    generation: count,
    incarnation: count,
    capacity: KNOWN_CAPACITY,
    isLive: flag,
  }),
);

/** Before it joins, an agent with an empty disk asks for what all agents share. */
export const CONFIGURATION: MessageType<null, ClusterConfiguration> = messageType(
  "configuration",
  NOTHING,
  CLUSTER_CONFIGURATION,
);

/** Asks a place to hand over what the sender owns (B1), or owns now that others are gone (B3). */
export interface Sync {
  /** Unique in an incarnation. */
  readonly number: number;
  readonly isJoin: boolean;
  /** Those whose hosts are taken over. */
  readonly givenUp: readonly Place[];
}

export interface SyncReply {
  readonly number: number;
  /** Whether everything is handed over; otherwise the sender asks again. */
  readonly isDone: boolean;
  /** Whether it is handing over: the places are gone to it too. */
  readonly isBegun: boolean;
  readonly isEstablished: boolean;
  /** Whether it has a vote (P2). */
  readonly isVoter: boolean;
  readonly ring: readonly RingRow[];
  /** Members that it waits for, with the rings in which hosts were theirs (B1). */
  readonly absences: readonly Absence[];
  /** Which lives it wants to be given up (P2). */
  readonly condemned: readonly LifeNamed[];
  /** How many seeds it holds, by the place where they were added. */
  readonly seeds: readonly SeedCount[];
  /** How long the crawl has run, as far as it knows (M8). */
  readonly elapsedMs: number;
}

/** A member of a ring, as one agent tells another. */
export interface RingRow {
  readonly place: Place;
  readonly incarnation: number;
  readonly capacity: number;
  /** It is silent there for so long that it counts as dead. */
  readonly isDead: boolean;
}

export interface SeedCount {
  readonly origin: Place;
  readonly count: number;
}

const SEED_COUNT: Codec<SeedCount> = struct<SeedCount>({ origin: PLACE, count });

export const SYNC: MessageType<Sync, SyncReply> = messageType(
  "sync",
  struct<Sync>({ number: count, isJoin: flag, givenUp: list(PLACE) }),
  struct<SyncReply>({
    number: count,
    isDone: flag,
    isBegun: flag,
    isEstablished: flag,
    isVoter: flag,
    ring: list(
      struct<RingRow>({ place: PLACE, incarnation: count, capacity: KNOWN_CAPACITY, isDead: flag }),
    ),
    absences: list(struct<Absence>({ places: list(PLACE), ring: list(AGENT_ID) })),
    condemned: list(LIFE_NAMED),
    seeds: list(SEED_COUNT),
    elapsedMs: DURATION,
  }),
);

/** The life that is named is not in the ring of the sender: it is to join again (G4). */
export const REJOIN: MessageType<LifeNamed> = messageType("rejoin", LIFE_NAMED);

/** There is a later life of the agent than the one that has spoken. */
export const REPLACED: MessageType<LifeNamed> = messageType("replaced", LIFE_NAMED);

/** Asks for seeds that the sender does not hold. */
export interface SeedRequest {
  readonly have: readonly SeedCount[];
}

/** Seeds that were added at one place; the first has the number `first`, counted from 0. */
export interface SeedBatch {
  readonly origin: Place;
  readonly first: number;
  readonly seeds: readonly string[];
}

export interface SeedReply {
  readonly batches: readonly SeedBatch[];
}

export const SEED_BATCH: Codec<SeedBatch> = struct<SeedBatch>({
  origin: PLACE,
  first: count,
  seeds: list(text),
});

export const SEEDS: MessageType<SeedRequest, SeedReply> = messageType(
  "seeds",
  struct<SeedRequest>({ have: list(SEED_COUNT) }),
  struct<SeedReply>({ batches: list(SEED_BATCH) }),
);

/** The sender has handed everything over and is gone (L1). The reply says that this is durable. */
export const LEFT: MessageType<null> = messageType("left", NOTHING);

/** Asks whether a place may be given up by command, and then tells to give it up (G7). */
export interface Forget {
  readonly place: Place;
  readonly isOrder: boolean;
}

/** Whether the place is not heard here; after an order, that it is given up, durably. */
export interface Forgotten {
  readonly isAgreed: boolean;
}

export const FORGET: MessageType<Forget, Forgotten> = messageType(
  "forget",
  struct<Forget>({ place: PLACE, isOrder: flag }),
  struct<Forgotten>({ isAgreed: flag }),
);
