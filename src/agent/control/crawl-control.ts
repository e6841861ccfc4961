/**
 * What can be asked of a running crawl and done to it, free of HTTP: every interface for people and
 * programs goes through here. Nothing that is asked for harms the crawl: what cannot be done is refused
 * by a `CrawlError`, and leaves everything as it was.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { Frontier, HostView } from "../../frontier/front/index.ts";
import type { Crawl } from "../crawl/crawl.ts";
import type { CrawlSummary } from "../crawl/crawl-summary.ts";
import type { RunningCrawl } from "../crawl/running-crawl.ts";
import type { Explanation } from "../explain/explanation.ts";
import { LanedCrawl } from "../lanes/laned-crawl.ts";
import { type AddedSeed, addSeeds } from "./added-seeds.ts";
import { CrawlEvents } from "./crawl-events.ts";
import { type HostPage, type HostQuery, listHosts } from "./host-list.ts";
import { PageQuestions } from "./page-questions.ts";
import { lookAt } from "./running-look.ts";
import { UnitControl, type UnitList } from "./unit-control.ts";

type HostChange = Parameters<Frontier["changeHost"]>[1];
type ChangedHost = ReturnType<Frontier["changeHost"]>;

export class CrawlControl {
  readonly #crawl: RunningCrawl;
  readonly #units: UnitControl | null;

  /** Its pages and links, as its directory has them. */
  readonly pages: PageQuestions;

  readonly events: CrawlEvents;

  /** `folder` is the crawl directory; absolute. */
  constructor(crawl: RunningCrawl, folder: string) {
    this.#crawl = crawl;
    this.#units = crawl instanceof LanedCrawl ? null : new UnitControl(crawl);
    const { clock } = crawl.made;
    this.pages = new PageQuestions(folder, clock);
    this.events = new CrawlEvents({
      ...{ clock, questions: this.pages, summary: () => crawl.summary() },
    });
  }

  /** Units, settings and the topology. Throws `CONTROL_LANES` if there are several lanes. */
  get units(): UnitControl {
    if (this.#units === null) throw severalLanes();
    return this.#units;
  }

  /** All units and connectors; none if there are several lanes. */
  async topology(): Promise<UnitList> {
    return (await this.#units?.list()) ?? { units: [], connectors: [] };
  }

  status(): CrawlSummary {
    return this.#crawl.summary();
  }

  /** Nothing new is begun until `resume`; what is in flight ends. Fine if it is paused already. */
  pause(): void {
    this.#refuseIfOver();
    this.#crawl.pause();
    this.events.look();
  }

  resume(): void {
    this.#refuseIfOver();
    this.#crawl.resume();
    this.events.look();
  }

  /** Ends the crawl so that it can be continued. Fetches in flight get some time unless `immediate`. */
  stop({ immediate = false }: { readonly immediate?: boolean } = {}): void {
    this.#crawl.stop(immediate);
    this.events.look();
  }

  /** Rejects with `CONTROL_OVER` if the crawl has ended, or `DIRECTORY_FAILED` if it cannot be recorded. */
  async addSeeds(seeds: readonly string[]): Promise<readonly AddedSeed[]> {
    await this.#crawl.begun;
    this.#refuseIfOver();
    return addSeeds(this.#crawl, seeds);
  }

  /** Hosts that were met, in pages. */
  async hosts(query: HostQuery): Promise<HostPage> {
    const { parts, made } = this.#oneLane;
    return listHosts(parts.frontier, made.clock, query);
  }

  /** Null for a host that was never met. */
  async host(host: HostName): Promise<HostView | null> {
    return this.#oneLane.parts.frontier.hosts.find(host);
  }

  /** Also for a host that was not met yet. */
  async changeHost(host: HostName, change: HostChange): Promise<ChangedHost> {
    this.#refuseIfOver();
    const crawl = this.#oneLane;
    const changed = crawl.parts.frontier.changeHost(host, change);
    crawl.woken();
    return changed;
  }

  /** What became of a URL and why; null for a text that is not a URL which this crawl could fetch. */
  async explain(url: string): Promise<Explanation | null> {
    const memory = this.#crawl instanceof LanedCrawl ? null : lookAt(this.#crawl, url);
    return await this.pages.ask("explain", { url, memory });
  }

  /** Gives up questions that wait. */
  close(): Promise<void> {
    return this.pages.close();
  }

  get #oneLane(): Crawl {
    if (this.#crawl instanceof LanedCrawl) throw severalLanes();
    return this.#crawl;
  }

  #refuseIfOver(): void {
    const { state } = this.status();
    if (state === "running" || state === "paused") return;
    throw new CrawlError(
      "CONTROL_OVER",
      `The crawl is ending or has ended (${state}). Start it again to change it.`,
    );
  }
}

function severalLanes(): CrawlError {
  return new CrawlError(
    "CONTROL_LANES",
    "A crawl with several lanes cannot be asked for its units and hosts, or have them changed, yet. " +
      "Run it with `--lanes 1` for that.",
  );
}
