/**
 * How long agents wait for each other. The times that a user sets are keys of the configuration; the
 * others are multiples of them, so that a cluster with quicker heartbeats is quicker in everything.
 */
import assert from "node:assert/strict";

export interface MembershipSettings {
  readonly heartbeatMs: number;
  /** Silence after which an agent is suspected; it is sent nothing more. */
  readonly suspectAfterMs: number;
  /** Silence after which it counts as dead, and is no longer waited for. */
  readonly deadAfterMs: number;
  /** Silence after which its place is given up: others take its hosts over. */
  readonly giveUpAfterMs: number;
  /** In a partition all sides go on (P1), or only one that has a majority (P2). */
  readonly partition: "continue" | "fence";
  /** What an agent does whose disk is full. */
  readonly fullDisk: "wait" | "leave";
  /** How many answers a takeover waits for. */
  readonly recovery: "all" | number;
  /** Points on the ring for each unit of capacity. */
  readonly replicas: number;
}

/** As long as this an agent listens before it joins, and what it heard counts as heard just now. */
const LISTEN_BEATS = 2.5;
/** A request to sync that is not repeated for so long is dropped (B2). */
const REQUEST_KEPT_BEATS = 4;
/** A takeover waits for so long after all may have noticed that somebody is gone, and no longer (B3). */
const TAKEOVER_BEATS = 8;
/** A loop that was silent for this share of `deadAfterMs` may have been given up (B5). */
const LOOP_SILENCE_SHARE = 0.4;
/** A majority must have been heard within this share of `deadAfterMs` (P2): less than death takes. */
const MAJORITY_SHARE = 0.6;

export interface MembershipTimes {
  readonly listenMs: number;
  readonly requestKeptMs: number;
  readonly takeoverMs: number;
  readonly loopSilenceMs: number;
  readonly majorityMs: number;
  /** How often everything that depends on time is looked at. */
  readonly tickMs: number;
  /** How long a reply is waited for before its question is asked again. */
  readonly replyMs: number;
}

export function timesOf(settings: MembershipSettings): MembershipTimes {
  const { heartbeatMs, suspectAfterMs, deadAfterMs, giveUpAfterMs } = settings;
  assert(heartbeatMs > 0 && heartbeatMs < suspectAfterMs, "suspicion comes after a heartbeat");
  assert(suspectAfterMs < deadAfterMs, "death comes after suspicion");
  assert(deadAfterMs <= giveUpAfterMs, "nobody is given up who is not dead");
  const loopSilenceMs = LOOP_SILENCE_SHARE * deadAfterMs;
  return {
    listenMs: LISTEN_BEATS * heartbeatMs,
    requestKeptMs: REQUEST_KEPT_BEATS * heartbeatMs,
    // Others may hear of somebody who hears the place, and give it up that much later (G6).
    takeoverMs: TAKEOVER_BEATS * heartbeatMs + deadAfterMs,
    loopSilenceMs,
    majorityMs: MAJORITY_SHARE * deadAfterMs,
    // A loop that is only looked at once in a while must not seem to have been silent.
    tickMs: Math.min(heartbeatMs, loopSilenceMs / 4),
    replyMs: heartbeatMs,
  };
}
