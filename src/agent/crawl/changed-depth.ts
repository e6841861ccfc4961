/**
 * The limits on depth of a crawl that goes on. They may be raised: links that they have cut off are
 * remembered with their pages. They may not be lowered, since URLs beyond them are queued already, and a
 * crawl that had none cannot get one, since it has not kept the depths of its pages.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { MILLION } from "../../base/units/index.ts";
import { type Configuration, HOST_DEPTH_MAX, PAIRED_DEPTH_MAX } from "../../rules/config/index.ts";
import type { DepthLimits } from "../links/link-gate.ts";

export interface ChangedDepth {
  readonly configuration: Configuration;
  /** The limits of the last run, if one was raised; else null. */
  readonly depthsBefore: DepthLimits | null;
}

interface DepthKey {
  readonly name: keyof DepthLimits;
  /** As users write it. */
  readonly words: string;
  readonly noun: string;
  /** The greatest limit there is, which stands for none where depths are kept. */
  readonly greatest: (recorded: Configuration) => number;
}

const KEYS: readonly DepthKey[] = [
  {
    ...{ name: "depth", words: "limits.depth (-d)", noun: "depth limit" },
    greatest: ({ limits }) => (limits.hostDepth === null ? MILLION : PAIRED_DEPTH_MAX),
  },
  {
    ...{ name: "hostDepth", words: "limits.hostDepth", noun: "limit on the depth inside hosts" },
    greatest: () => HOST_DEPTH_MAX,
  },
];

/** Throws `CONFIG_FIXED_KEY` if a limit cannot become the new one. */
export function changedDepth(recorded: Configuration, now: Configuration): ChangedDepth {
  const limits = { ...now.limits };
  let isRaised = false;
  for (const key of KEYS) {
    const before = recorded.limits[key.name];
    const after = changedLimit(key, recorded, now);
    limits[key.name] = after;
    isRaised ||= before !== null && after !== null && after > before;
  }
  const { depth, hostDepth } = recorded.limits;
  return {
    configuration: { ...now, limits },
    depthsBefore: isRaised ? { depth, hostDepth } : null,
  };
}

function changedLimit(key: DepthKey, recorded: Configuration, now: Configuration): number | null {
  const before = recorded.limits[key.name];
  const wanted = now.limits[key.name];
  if (before === wanted) return wanted;
  if (before === null) {
    throw refused(key, `was begun without a ${key.noun}`, "depths were not kept", null);
  }
  const limit = wanted ?? key.greatest(recorded);
  if (limit >= before) return limit;
  const why = "URLs beyond a lower one are queued";
  throw refused(key, `has a ${key.noun} of ${before}`, why, before);
}

function refused(
  { name, words }: DepthKey,
  what: string,
  why: string,
  least: number | null,
): CrawlError {
  const remedy = least === null ? `Leave ${words} out` : `Give ${words} at least ${least}`;
  return new CrawlError(
    "CONFIG_FIXED_KEY",
    `The crawl ${what}, and cannot get this one while it is continued: ${why}. ${remedy}, or start ` +
      "over with --fresh.",
    { key: `limits.${name}` },
  );
}
