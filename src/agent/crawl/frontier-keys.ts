/** From the keys of the configuration to the settings of the frontier. */

import { productToken } from "../../formats/robots/index.ts";
import type { FrontierSettings } from "../../frontier/front/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { userAgentOf } from "./request-heads.ts";

export function frontierSettings(
  configuration: Configuration,
  version: string,
): Partial<FrontierSettings> {
  const { politeness, fetch, limits } = configuration;
  return {
    hostDelayMs: politeness.hostDelay,
    addressDelayMs: politeness.ipDelay,
    robots: politeness.robots,
    productToken: productToken(userAgentOf(configuration, version)).toLowerCase(),
    robotsMaxAgeMs: politeness.robotsMaxAge,
    crawlDelayMsMax: politeness.crawlDelayMax,
    crawlDelayOver: politeness.crawlDelayOver,
    blockedHosts: new Set(politeness.blockHosts),
    pagesPerHostMax: limits.pagesPerHost,
    retries: fetch.retries,
    retryWaitMs: fetch.retryWait,
    retryWaitMsMax: fetch.retryMaxWait,
    keepsDepths: keepsDepths(configuration),
    takesRequisites: configuration.parse.requisites,
    visitsMax: fetch.concurrency,
  };
}

/** In a random walk depths are steps of a walker, so no page gets nearer to a seed. */
export function keepsDepths({ limits, frontier }: Configuration): boolean {
  return limits.depth !== null && frontier.traversal !== "random-walk";
}
