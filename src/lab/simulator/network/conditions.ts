/**
 * What the network is like: how long messages take, and what share of them is lost, doubled or late.
 * Only sums, products and comparisons of drawn numbers are used, no logarithm or power, so that
 * every machine draws the same delays.
 */
import type { Random } from "../../../base/seams/index.ts";

export interface Conditions {
  /** A message takes between the two, shorter times being likelier. */
  readonly delayMsMin: number;
  readonly delayMsMax: number;
  /** The long tail: this share of messages takes up to `lateMsMax` more. */
  readonly lateRatio: number;
  readonly lateMsMax: number;
  readonly lossRatio: number;
  /** This share of messages is sent a second time, with a delay of its own. */
  readonly duplicateRatio: number;
  /** This share of messages may overtake others of the same link; the rest keeps its order. */
  readonly reorderRatio: number;
  /** How often a sender is told if nobody listens. */
  readonly unreachableRatio: number;
}

/** A local network on a good day: short delays, nothing lost, doubled, late or out of order. */
export const CALM: Conditions = {
  delayMsMin: 0.25,
  delayMsMax: 4,
  lateRatio: 0,
  lateMsMax: 0,
  lossRatio: 0,
  duplicateRatio: 0,
  reorderRatio: 0,
  unreachableRatio: 1,
};

/** The worse of both in every respect. */
export function worse(one: Conditions, other: Partial<Conditions>): Conditions {
  const most = (name: keyof Conditions): number => Math.max(one[name], other[name] ?? 0);
  return {
    delayMsMin: most("delayMsMin"),
    delayMsMax: most("delayMsMax"),
    lateRatio: most("lateRatio"),
    lateMsMax: most("lateMsMax"),
    lossRatio: most("lossRatio"),
    duplicateRatio: most("duplicateRatio"),
    reorderRatio: most("reorderRatio"),
    unreachableRatio: Math.min(one.unreachableRatio, other.unreachableRatio ?? 1),
  };
}

/** What happens to one message; a fixed number of draws, so that other messages keep theirs. */
export interface Fate {
  readonly isLost: boolean;
  readonly isDoubled: boolean;
  readonly mayOvertake: boolean;
  readonly delayMs: number;
}

export function drawFate(random: Random, conditions: Conditions): Fate {
  const isLost = random.unit() < conditions.lossRatio;
  const isDoubled = random.unit() < conditions.duplicateRatio;
  const mayOvertake = random.unit() < conditions.reorderRatio;
  const isLate = random.unit() < conditions.lateRatio;
  const lateMs = random.unit() * conditions.lateMsMax;
  const usual = random.unit();
  const spreadMs = Math.max(conditions.delayMsMax - conditions.delayMsMin, 0);
  const delayMs = conditions.delayMsMin + usual * usual * spreadMs + (isLate ? lateMs : 0);
  return { isLost, isDoubled, mayOvertake, delayMs };
}
