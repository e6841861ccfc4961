/** The lane of a crawl, with the work for each kind of errand: names, robots.txt, pages, the rest. */
import { isInternalFault } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { TurnBudget } from "../../../base/time/index.ts";
import type { PageErrand, RobotsErrand } from "../../../frontier/front/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import type { Replay } from "../../recovery/replay.ts";
import type { ReplayedPage } from "../../recovery/replayed-page.ts";
import type { UsedBy } from "../../topology/crawl-library.ts";
import { PageVisit } from "../../visit/page-visit.ts";
import { RobotsTurns } from "../../visit/robots-turns.ts";
import { RobotsVisit, type RobotsVisitParts, robotsLimits } from "../../visit/robots-visit.ts";
import type { Fetching } from "../network/fetching.ts";
import { CrawlLimits, type LaneLimits } from "./crawl-limits.ts";
import { type Cancellable, Lane } from "./lane.ts";
import type { LaneMember } from "./lane-member.ts";
import type { SideErrands } from "./side-errands.ts";

export interface CrawlLaneParts {
  /** With the values in force. */
  readonly configuration: Configuration;
  readonly fetching: Fetching;
  readonly clock: Clock;
  readonly services: UsedBy<"steering">;
  readonly side: SideErrands;
  /** Puts a visit out, to the units. */
  readonly begin: (visit: PageVisit) => void;
  /** Whether there is room for what another page would leave. */
  readonly mayBegin: () => boolean;
  readonly changed: () => void;
  /** How long the crawl has run. */
  readonly elapsedMs: () => number;
  /** What is replayed first; absent or null if nothing is. */
  readonly replay?: Pick<Replay, "next" | "isOver"> | null;
  /** Whether nothing is begun after that. */
  readonly replaysOnly?: boolean;
  /** Absent if the lane is the only one, which keeps to the limits of the crawl alone. */
  readonly limits?: LaneLimits;
  /** Of a crawl that is one agent's part of a larger one; else absent or null. */
  readonly member?: LaneMember | null;
  /** Whether visits may begin, of such a crawl; else absent or null. */
  readonly mayVisit?: (() => boolean) | null;
}

export interface CrawlLane {
  readonly lane: Lane;
  readonly limits: LaneLimits;
  readonly robotsTurns: RobotsTurns;
  /** Takes other limits, and another number of visits at once, from now on. */
  adjust(configuration: Configuration): void;
}

export function openCrawlLane(parts: CrawlLaneParts): CrawlLane {
  const { configuration, clock, services, side, begin, mayBegin, changed } = parts;
  const { web, frontier, ledger } = services;
  const { seeds, faults, counts } = ledger;
  const { member = null } = parts;
  const limits = parts.limits ?? member?.limits ?? new CrawlLimits(configuration.limits, counts);
  const robotsTurns = new RobotsTurns(clock, web.turns ?? new TurnBudget(clock));
  const robots = robotsParts(parts, robotsTurns);
  const slotted = (
    errand: PageErrand | RobotsErrand,
    over: () => void,
    visit: (over: () => void) => Cancellable,
  ): Cancellable => (member === null ? visit(over) : member.visits.begin(errand, visit, over));
  const lane: Lane = new Lane({
    ...{ clock, frontier, resolver: web.resolver, rates: web.rates, changed },
    mayTake: mayBegin,
    // What was fetched before counts as a whole, whatever the limits are.
    mayBegin: () => mayBegin() && (lane.isReplaying || !limits.isSpent(parts.elapsedMs)),
    unresolved: (errand, error) => {
      if (isInternalFault(error)) faults.note(error, errand.host);
      seeds.hostFailing(errand.host, error);
      const settlement = frontier.resolved(errand, { kind: "failed", code: error.code });
      seeds.hostFailed(errand.host, settlement);
    },
    robots: (errand, over) =>
      slotted(errand, over, (ended) => new RobotsVisit(robots, errand, ended)),
    page: (errand, over) =>
      slotted(errand, over, (ended) => {
        const visit = visitOf(parts, errand, ended);
        begin(visit);
        return visit;
      }),
    unfetched: (errand) => side.carryOut(errand),
    ...(parts.mayVisit == null ? {} : { mayVisit: parts.mayVisit }),
    replay: parts.replay ?? null,
    replaysOnly: parts.replaysOnly ?? false,
    replayed: (next, over) => {
      if (next.kind === "robots") return new RobotsVisit(robots, next.errand, over, next.robots);
      const visit = visitOf(parts, next.errand, over, next.page);
      begin(visit);
      return visit;
    },
    pagesWanted: () => limits.pagesWanted(lane.pagesOpen + side.expandsOpen),
    takesRequisites: configuration.parse.requisites,
    concurrency: configuration.fetch.concurrency,
  });
  const adjust = (changed: Configuration): void => {
    limits.limits = changed.limits;
    allowVisits(parts, changed.fetch.concurrency);
    lane.concurrency = changed.fetch.concurrency;
  };
  // The topology may say another number than the configuration, which others were opened with.
  allowVisits(parts, configuration.fetch.concurrency);
  return { lane, limits, robotsTurns, adjust };
}

/** Lets all who count visits, or what these use, allow this many at once. */
function allowVisits({ services, fetching }: CrawlLaneParts, count: number): void {
  const { web, frontier, links } = services;
  web.allowConnections?.(count);
  // One whose pages are fetched elsewhere does not count them.
  if (fetching !== "elsewhere") frontier.adjust({ visitsMax: count });
  if (links.walk !== null) links.walk.walkersMax = count;
}

function robotsParts(
  { configuration, clock, services }: CrawlLaneParts,
  turns: RobotsTurns,
): RobotsVisitParts {
  const { web, frontier, links, ledger, store } = services;
  const { offers, walk } = links;
  // A walker follows the links of pages only.
  const takesSitemaps = configuration.sitemaps && walk === null;
  return {
    ...{ ...web, ...ledger, frontier, clock, store, turns },
    sitemaps: takesSitemaps
      ? (urls, via) => {
          if (!ledger.requests.sitemaps(urls, via)) offers.offerSitemaps(urls, via);
        }
      : null,
    get limits() {
      return robotsLimits(web.limits);
    },
  };
}

function visitOf(
  { clock, services, side, member }: CrawlLaneParts,
  errand: PageErrand,
  over: () => void,
  replayed: ReplayedPage | null = null,
): PageVisit {
  const { frontier, ledger, links, index, rows } = services;
  const keepsBodies = rows?.needsBodies === true;
  const parts = { ...ledger, clock, frontier, index, keepsBodies, offers: links.offers };
  const ended = (): void => {
    if (!visit.isRecorded) side.lost(visit);
    index?.ended(visit);
    if (visit.isFinal) {
      links.walk?.ended();
      if (replayed === null) member?.logged(errand.ticket);
      // Of a page that comes from another agent, whoever takes it tells.
      else if (visit.isReplayed) member?.foundAgain(errand.ticket);
    }
    over();
  };
  const visit = new PageVisit(parts, errand, ended, replayed);
  return visit;
}
