/** What the providers of a crawl are opened in: its folder, its clock, and who is told of what. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Background, Clock, Databases, Storage } from "../../base/seams/index.ts";
import type { AliasTable, Frontier, FrontierListener } from "../../frontier/front/index.ts";
import type { ImportModule } from "../../rules/filter/index.ts";
import type { RowSink, RowTarget } from "../../store/export/index.ts";
import type { RateMemory } from "../crawl/lane/fetch-rates.ts";
import type { LaneMember } from "../crawl/lane/lane-member.ts";
import type { OpenNetwork, RequestSecrets } from "../crawl/network/crawl-network.ts";
import type { Fetching } from "../crawl/network/fetching.ts";
import type { TrailListener } from "../links/scope-growth.ts";
import type { SavedDesk, SavedLane } from "../saving/saved-crawl.ts";
import type { SeedWatchOptions } from "../seeds/seed-watch.ts";
import type { LinkSink } from "../topology/roles.ts";
import type { PageReader } from "../visit/page-reader.ts";
import type { RowTaker } from "../visit/page-rows.ts";
import type { CrawlKeeper } from "./open-keeper.ts";

export interface CrawlWorld {
  readonly clock: Clock;
  readonly storage: Storage;
  /** For bodies that do not fit into memory; nothing in it outlives the process. */
  readonly scratch: Storage;
  /** The agent's id. */
  readonly agent: string;
  readonly background: Background;
  /** Starts a further thread, for work that may take seconds. Who asks for it closes it. */
  readonly openBackground: () => Background;
  /** Those of this thread. */
  readonly databases: Databases;
  /** What the crawl goes on from; null for a new one. */
  readonly saved: SavedDesk | null;
  /** The same of the lane that is opened. */
  readonly savedLane: SavedLane | null;
  /** Whether it was killed some time after that. */
  readonly wasKilled: boolean;
  /** Whether hosts may have been visited just now: by a crawl that was killed, gone on with or started over. */
  readonly mayHaveVisited: boolean;
  /** Which lane is opened, where there are several; null for the only one. */
  readonly lane: LanePlace | null;
  /** Drawn when the crawl was created. */
  readonly seed: string;
  /** The 16 secret bytes of the crawl. */
  readonly fingerprintKey: Uint8Array;
  readonly version: string;
  readonly openNetwork: OpenNetwork;
  /** Gives the modules that the configuration names. */
  readonly importModule: ImportModule;
  /** Null unless pages are written out while the crawl runs. */
  readonly output: PagesOutput | null;
  /** Null unless code in this process is shown pages. */
  readonly reader: PageReader | null;
  /** The crawl directory. */
  readonly folder: string;
  /** Called once, if pages are stored there. */
  readonly openStdout: () => Promise<RowSink>;
  /** Whether a unit looks at the text of pages. */
  readonly wantsText: boolean;
  readonly keeper: CrawlKeeper;
  /** The place of the lane among other agents; left out or null if there are none. */
  readonly member?: LaneMember | null;
  /** Whether a provider of the user's takes the place of archive and crawl log. */
  readonly hasOwnStore: boolean;
  /** For units that store pages besides the archive: gives modules that the topology names; null if there are none. */
  readonly furtherStores: ImportModule | null;
  readonly fetching: Fetching;
  readonly secrets: RequestSecrets;
  /** Rows of the tables of addresses and canonical names; enough for any crawl when left out. */
  readonly tableRows?: number;
  /** Shared by all lanes; left out where there is one. */
  readonly rateMemory?: RateMemory;
  readonly listener: FrontierListener;
  /** Called for errors that belong to no single URL. */
  readonly report: (error: CrawlError) => void;
  /** Called for the first failure of each seed. */
  readonly seedFailed: SeedWatchOptions["tell"];
  /** Called if a part cannot be closed as it should. */
  readonly closeFailed: (error: CrawlError) => void;
}

/** Which of several lanes. */
export interface LaneNumber {
  /** From 0. */
  readonly number: number;
  readonly count: number;
}

/** A lane among several, and what it shares with the others. */
export interface LanePlace extends LaneNumber {
  /** Memory for the table of addresses. */
  readonly addresses: SharedArrayBuffer;
  /** Memory for that of canonical names; null where these do not count. */
  readonly aliases: ReturnType<typeof AliasTable.memory> | null;
  /** What must be added to this lane's clock to get the clock that all lanes agree upon. */
  readonly clockOffsetMs: number;
  /** The frontier as this lane's units see it: links to hosts of other lanes go there. */
  readonly routed: (frontier: Frontier) => Frontier;
  /** Has a robots.txt fetched by the lane of its host; false if that is this one. */
  readonly robotsElsewhere: (...robots: Parameters<Frontier["fetchRobots"]>) => boolean;
  /** Told where seeds lead, since that widens the scope of all lanes. */
  readonly trails: TrailListener;
  /** Takes the links of pages, if they are kept. */
  readonly graph: LinkSink;
  /** Takes the rows of pages, if they are written out. */
  readonly rows: RowTaker;
}

/** The folder of a part that each lane has for itself; another one when there are more lanes, or fewer. */
export function laneFolder({ lane }: { readonly lane: LaneNumber | null }, folder: string): string {
  return lane === null ? folder : `${folder}/${lane.count}/${lane.number}`;
}

/** Pages as rows of data, beside the archive. */
export interface PagesOutput {
  /**
   * Called once, when the crawl directory exists. For a crawl that goes on it is told how to see whether
   * rows fit below the first line that is there; null for a new one. After a kill it is told how much of
   * the file the crawl knows; null if nothing is to be cut off.
   */
  readonly openSink: (
    fits: ((firstLine: string) => boolean) | null,
    cutTo: number | null,
  ) => Promise<RowSink>;
  readonly target: RowTarget;
  /** Names of further fields that rows may have. */
  readonly fields?: readonly string[];
  readonly text: boolean;
  readonly links: boolean;
  readonly markdown: boolean;
}

/** Closes a part; what goes wrong is told, and holds up nobody. */
export async function closed(
  { closeFailed }: Pick<CrawlWorld, "closeFailed">,
  close: (done: Acknowledge) => void,
): Promise<void> {
  await new Promise<void>((resolve) => {
    close((error) => {
      if (error !== null) closeFailed(error);
      resolve();
    });
  });
}
