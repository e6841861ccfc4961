/**
 * A crawl that can be asked and changed, alone or shared by several agents: what every interface for
 * people and programs sees of it. Nothing that is asked for harms the crawl: what cannot be done is refused
 * by a `CrawlError`, and leaves everything as it was.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { CrawlSummary } from "../crawl/counting/crawl-summary.ts";
import type { Explanation } from "../explain/explanation.ts";
import type { AddedSeed } from "./added-seeds.ts";
import type { MissingAgent } from "./ask-crawl.ts";
import type { ClusterReport } from "./cluster-report.ts";
import type { ControlAction } from "./control-log.ts";
import type { CrawlEvents } from "./crawl-events.ts";
import type { HostsAsked, HostsFound, ListedHost } from "./host-list.ts";
import type { ChangedHost, HostChange } from "./lane-answers.ts";
import type { PageAnswers } from "./page-questions.ts";
import type { UnitControl } from "./unit-control.ts";

/** What became of seeds, and how many agents hold those that were added. */
export interface AddedSeeds {
  /** In the order in which they were given. */
  readonly seeds: readonly AddedSeed[];
  readonly agents: number;
}

export interface RetriedCount {
  readonly retried: number;
  /** Agents whose failed pages are not among them. */
  readonly missing: readonly MissingAgent[];
}

export interface StopOptions {
  /** Gives up the fetches in flight, which otherwise get some time. */
  readonly immediate?: boolean;
}

export interface ControlledCrawl {
  /** Units, settings and the topology. */
  readonly units: Pick<
    UnitControl,
    | "list"
    | "find"
    | "settings"
    | "change"
    | "suspend"
    | "start"
    | "changeTopology"
    | "configuration"
    | "set"
  >;
  /** Its pages and links. */
  readonly pages: Pick<PageAnswers, "ask">;
  /** What happens here. */
  readonly events: Pick<CrawlEvents, "listen" | "listeners">;

  /** The summary of the whole crawl. */
  status(): Promise<CrawlSummary>;
  /** That of the part which this process has. */
  part(): CrawlSummary;
  /** Who takes part, and what each says of itself; without members for a crawl that is alone. */
  cluster(): Promise<ClusterReport>;

  /** Nothing new is begun until `resume`; what is in flight ends. Fine if it is paused already. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the crawl everywhere, so that it can be continued. */
  stop(how?: StopOptions): Promise<void>;

  /** Begins to hand over all that this agent has; then it ends. Rejects with `CONTROL_ALONE`. */
  leave(): Promise<void>;
  /**
   * Gives up an agent that is dead; resolves with how many agents have. Rejects with
   * `CLUSTER_FORGET_REFUSED` or `CONTROL_ALONE`.
   */
  forget(agent: string): Promise<number>;

  /** Rejects with `CONTROL_OVER` if the crawl has ended, or `DIRECTORY_FAILED` if it cannot be recorded. */
  addSeeds(seeds: readonly string[]): Promise<AddedSeeds>;
  /**
   * Tries failed pages again: those that a filter accepts, or else those that may succeed. Resolves when a
   * checkpoint has them; those that wait already are left out. Rejects with `FILTER_INVALID`.
   */
  retry(where: string | null): Promise<RetriedCount>;

  /** Hosts that were met, in pages; rejects with `API_BAD_REQUEST` for what is not a cursor. */
  hosts(asked: HostsAsked): Promise<HostsFound>;
  /** Null for a host that was never met. */
  host(host: HostName): Promise<ListedHost | null>;
  /** Also for a host that was not met yet. */
  changeHost(host: HostName, change: HostChange): Promise<ChangedHost>;

  /** What became of a URL and why; null for a text that is not a URL which this crawl could fetch. */
  explain(url: string): Promise<Explanation | null>;

  /** Keeps an internal fault of those who ask. */
  fault(error: CrawlError): void;
  /** Keeps who changed what, or was refused. */
  note(action: Omit<ControlAction, "atMs">): void;
  /** Gives up questions that wait; those who listen hear how it ended. */
  close(): Promise<void>;
}
