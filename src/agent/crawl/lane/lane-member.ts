/**
 * The place of a lane among other agents, as the lane sees it: which hosts are theirs, when a visit may
 * begin, and what they must be told. Whether the node that knows is in the same thread makes no difference
 * here; `member/lane` has the other side.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import type { Frontier } from "../../../frontier/front/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import type { SlottedVisits } from "../../member/lane/slotted-visits.ts";
import type { CrawlWorld } from "../../providers/crawl-world.ts";
import type { UsedBy } from "../../topology/crawl-library.ts";
import type { LaneLimits } from "./crawl-limits.ts";
import type { GivenPage, Lane } from "./lane.ts";
import type { SideErrands } from "./side-errands.ts";

/** A lane as its place among others sees it. */
export interface OwnWork {
  readonly services: Pick<UsedBy<"steering">, "ledger" | "links" | "web">;
  /** Errands begun and not over. */
  readonly open: number;
  /** Of those, how many may become a page. */
  readonly pagesOpen: number;
  /** Looks whether something can be begun. */
  pump(): void;
  /** Works on a page that another agent has fetched, and calls `over`. */
  give(given: GivenPage, over: () => void): void;
  /** There is a way of this depth to a page: if it is here, its links are followed from there. */
  nearer(page: Fingerprint, depth: number): void;
}

/** What a lane is opened in. */
export interface LaneOpening {
  readonly configuration: Configuration;
  readonly world: CrawlWorld;
}

/** What a crawl with one lane, and each lane of one with several, has of these. */
export interface OwnWorkParts extends Pick<OwnWork, "pump" | "give"> {
  readonly services: () => OwnWork["services"];
  readonly lane: () => Pick<Lane, "open" | "pagesOpen">;
  readonly side: Pick<SideErrands, "expandsOpen" | "nearer">;
}

export function ownWork({ services, lane, side, pump, give }: OwnWorkParts): OwnWork {
  return {
    get services() {
      return services();
    },
    get open() {
      return lane().open;
    },
    get pagesOpen() {
      return lane().pagesOpen + side.expandsOpen;
    },
    ...{ pump, give },
    nearer: (page, depth) => side.nearer(page, depth),
  };
}

export interface LaneMember {
  /** The limits of the whole crawl, as this part of it keeps them. */
  readonly limits: LaneLimits;
  /** Whether a visit may begin. */
  readonly mayVisit: boolean;
  /** Begins a visit as soon as its address may be asked. */
  readonly visits: Pick<SlottedVisits, "begin">;

  /** Opens the frontier as units see it: links to hosts of others go to them. */
  openFrontier(frontier: Frontier, within: LaneOpening): Promise<Frontier>;
  /** All of the lane is open, and nothing has begun. */
  opened(work: OwnWork): void;
  /** A URL came out whose host is with another agent by now. */
  passOn(ticket: Ticket): void;
  /** Whether a host is with this part, and not about to leave. */
  isOurs(host: string): boolean;
  /**
   * Has a robots.txt fetched by the agent that has its host, if that is another one: whether it is. `done` is
   * called once, later.
   */
  robotsElsewhere(...robots: Parameters<Frontier["fetchRobots"]>): boolean;
  /** A seed redirects to this URL: the others must know, since that widens their scopes too. */
  ledTo(url: string): void;
  /** A replayed page has its line. */
  foundAgain(ticket: Ticket): void;
  /** A page has its line and is not fetched again. */
  logged(ticket: Ticket): void;
  /** A shorter way came out to a URL of a host that is here, whose page may be elsewhere. */
  tellNearer(ticket: Ticket): void;

  /** The sieve for links to hosts of others, as of this moment. */
  saveForeign(done: Done<string>): void;
  /** What was saved is recorded. */
  recorded(): void;
  /** Nothing is under way any more. */
  close(): Promise<void>;
}
