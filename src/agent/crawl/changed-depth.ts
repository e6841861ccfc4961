/**
 * The depth limit of a crawl that goes on. It may be raised: links that it has cut off are remembered
 * with their pages. It may not be lowered, since URLs beyond it are queued already, and a crawl that
 * had none cannot get one, since it has not kept the depths of its pages.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { MILLION } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";

/** The greatest depth limit there is, which stands for none where depths are kept. */
const DEPTH_MAX = MILLION;

export interface ChangedDepth {
  readonly configuration: Configuration;
  /** The limit of the last run, if it was raised; else null. */
  readonly depthBefore: number | null;
}

/** Throws `CONFIG_FIXED_KEY` if the limit cannot become the new one. */
export function changedDepth(recorded: Configuration, now: Configuration): ChangedDepth {
  const before = recorded.limits.depth;
  const wanted = now.limits.depth;
  if (before === wanted) return { configuration: now, depthBefore: null };
  if (before === null)
    throw refused("was begun without a depth limit", "depths were not kept", null);
  const depth = wanted ?? DEPTH_MAX;
  if (depth < before) {
    throw refused(`has a depth limit of ${before}`, "URLs beyond a lower one are queued", before);
  }
  const configuration = { ...now, limits: { ...now.limits, depth } };
  return { configuration, depthBefore: depth > before ? before : null };
}

function refused(what: string, why: string, least: number | null): CrawlError {
  const remedy =
    least === null ? "Leave limits.depth (-d) out" : `Give limits.depth (-d) at least ${least}`;
  return new CrawlError(
    "CONFIG_FIXED_KEY",
    `The crawl ${what}, and cannot get this one while it is continued: ${why}. ${remedy}, or start ` +
      "over with --fresh.",
    { key: "limits.depth" },
  );
}
