/** From the keys of the configuration to the settings of the frontier. */

import { productToken } from "../../formats/robots/index.ts";
import type { FrontierSettings, HostPoliteness } from "../../frontier/front/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { userAgentOf } from "./network/request-heads.ts";

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
    ownRules: ownRules(politeness.hosts),
    blockedHosts: new Set(politeness.blockHosts),
    pagesPerHostMax: limits.pagesPerHost,
    retries: fetch.retries,
    retryWaitMs: fetch.retryWait,
    retryWaitMsMax: fetch.retryMaxWait,
    keepsDepths: keepsDepths(configuration),
    keepsHostDepths: keepsHostDepths(configuration),
    takesRequisites: configuration.parse.requisites,
    visitsMax: fetch.concurrency,
  };
}

/** Only what is given overrides. */
function ownRules(hosts: Configuration["politeness"]["hosts"]): FrontierSettings["ownRules"] {
  return new Map(
    hosts.map(([pattern, given]) => {
      const rules: { -readonly [Name in keyof HostPoliteness]?: HostPoliteness[Name] } = {};
      if (given.hostDelay !== null) rules.hostDelayMs = given.hostDelay;
      if (given.robots !== null) rules.robots = given.robots;
      if (given.robotsMaxAge !== null) rules.robotsMaxAgeMs = given.robotsMaxAge;
      if (given.crawlDelayMax !== null) rules.crawlDelayMsMax = given.crawlDelayMax;
      if (given.crawlDelayOver !== null) rules.crawlDelayOver = given.crawlDelayOver;
      return [pattern, rules];
    }),
  );
}

/** In a random walk depths are steps of a walker, so no page gets nearer to a seed. */
export function keepsDepths({ limits, frontier }: Configuration): boolean {
  return limits.depth !== null && frontier.traversal !== "random-walk";
}

/** A random walk with such a limit is refused. */
export function keepsHostDepths({ limits }: Configuration): boolean {
  return limits.hostDepth !== null;
}
