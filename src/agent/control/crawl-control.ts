/**
 * What can be asked of a running crawl and done to it, free of HTTP: every interface for people and
 * programs goes through here. Nothing that is asked for harms the crawl: what cannot be done is refused
 * by a `CrawlError`, and leaves everything as it was.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { answered } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { HostView } from "../../frontier/front/index.ts";
import type { CrawlSummary } from "../crawl/counting/crawl-summary.ts";
import type { RunningCrawl } from "../crawl/running-crawl.ts";
import type { Explanation } from "../explain/explanation.ts";
import { LanedCrawl } from "../lanes/laned-crawl.ts";
import { type AddedSeed, addSeeds } from "./added-seeds.ts";
import { type ControlAction, ControlLog } from "./control-log.ts";
import { CrawlEvents } from "./crawl-events.ts";
import { CrawlLanes } from "./crawl-lanes.ts";
import type { FailedFound, FailedPage } from "./failed-pages.ts";
import type { HostPage, HostQuery } from "./host-list.ts";
import type { ChangedHost, HostChange } from "./lane-answers.ts";
import { type PageAnswers, PageQuestions } from "./page-questions.ts";
import { RetriedPages } from "./retried-pages.ts";
import { UnitControl } from "./unit-control.ts";

/** Pages that are looked for and queued again in one go. */
const RETRIED_AT_ONCE = 1000;

/** If an order is not in a checkpoint after this long, another one is asked for. */
const CHECKPOINT_MS = 200;

export class CrawlControl {
  readonly #crawl: RunningCrawl;
  readonly #folder: string;
  readonly #lanes: CrawlLanes;
  readonly #log: ControlLog;
  /** Settled when the last order to try pages again is done with. */
  #retrying: Promise<unknown> = Promise.resolve();
  /** Units, settings and the topology. */
  readonly units: UnitControl;
  /** Its pages and links, as its directory has them. */
  readonly pages: PageAnswers;

  readonly events: CrawlEvents;

  /** `folder` is the crawl directory; absolute. */
  constructor(crawl: RunningCrawl, folder: string) {
    this.#crawl = crawl;
    this.#folder = folder;
    this.#lanes = new CrawlLanes(crawl);
    const { clock, recorded } = crawl.made;
    this.units = new UnitControl({
      ...{ lanes: this.#lanes, recorded },
      limitsChanged: (limits) => {
        if (crawl instanceof LanedCrawl) crawl.limitsChanged(limits);
      },
    });
    this.pages = new PageQuestions(folder, clock);
    this.#log = new ControlLog(new DiskStorage(folder));
    this.events = new CrawlEvents({
      ...{ clock, questions: this.pages, summary: () => crawl.summary() },
    });
  }

  status(): CrawlSummary {
    return this.#crawl.summary();
  }

  /** Nothing new is begun until `resume`; what is in flight ends. Fine if it is paused already. */
  pause(): void {
    this.#refuseIfOver();
    this.#crawl.life.pause();
    this.events.look();
  }

  resume(): void {
    this.#refuseIfOver();
    this.#crawl.life.resume();
    this.events.look();
  }

  /** Ends the crawl so that it can be continued. Fetches in flight get some time unless `immediate`. */
  stop({ immediate = false }: { readonly immediate?: boolean } = {}): void {
    this.#crawl.life.stop(immediate);
    this.events.look();
  }

  /** Rejects with `CONTROL_OVER` if the crawl has ended, or `DIRECTORY_FAILED` if it cannot be recorded. */
  async addSeeds(seeds: readonly string[]): Promise<readonly AddedSeed[]> {
    await this.#crawl.life.begun;
    this.#refuseIfOver();
    return addSeeds(this.#crawl, seeds);
  }

  /**
   * Tries failed pages again: those that a filter accepts, or else those that may succeed. Resolves with
   * how many, when a checkpoint has them, so that a kill does not undo it; those that wait already are left
   * out. Rejects with `FILTER_INVALID`.
   */
  async retry(where: string | null): Promise<number> {
    const retried = this.#retrying.then(() => this.#retry(where));
    this.#retrying = retried.catch(() => undefined);
    return await retried;
  }

  async #retry(where: string | null): Promise<number> {
    await this.#crawl.life.begun;
    this.#crawl.expectRevisits();
    const requeued: FailedPage[] = [];
    let count = 0;
    let after: number | null = 0;
    while (after !== null) {
      const found: FailedFound = await this.pages.ask("failed", {
        ...{ where, after, limit: RETRIED_AT_ONCE },
      });
      this.#refuseIfOver();
      count += await this.#lanes.requeue(found.pages, this.#crawl.configuration.frontier.shards);
      requeued.push(...found.pages);
      after = found.next;
    }
    if (count > 0) await this.#recorded();
    // Not before: what a checkpoint does not have would be lost by a kill, and could not be ordered again.
    new RetriedPages(this.#folder).add(requeued);
    return count;
  }

  /** Resolves when a checkpoint knows all that was done until now. */
  async #recorded(): Promise<void> {
    const { life, made } = this.#crawl;
    const recorded = life.nextRecorded();
    const later = (): Promise<null> =>
      new Promise((resolve) => void made.clock.after(CHECKPOINT_MS, () => resolve(null)));
    let isRecorded: boolean | null;
    do {
      life.commitSoon();
      isRecorded = await Promise.race([recorded, later()]);
    } while (isRecorded === null);
    if (!isRecorded) this.#refuseIfOver();
  }

  /** Hosts that were met, in pages. */
  hosts(query: HostQuery): Promise<HostPage> {
    return this.#lanes.hosts(query);
  }

  /** Null for a host that was never met. */
  host(host: HostName): Promise<HostView | null> {
    return this.#lanes.host(host);
  }

  /** Also for a host that was not met yet. */
  async changeHost(host: HostName, change: HostChange): Promise<ChangedHost> {
    this.#refuseIfOver();
    return await this.#lanes.changeHost(host, change);
  }

  /** What became of a URL and why; null for a text that is not a URL which this crawl could fetch. */
  async explain(url: string): Promise<Explanation | null> {
    return await this.pages.ask("explain", { url, memory: await this.#lanes.memoryOf(url) });
  }

  /** Keeps an internal fault of those who ask. */
  fault(error: CrawlError): void {
    const crawl = this.#crawl;
    const { ledger } = crawl instanceof LanedCrawl ? crawl.desk : crawl.parts;
    ledger.faults.note(error, "api");
  }

  /** Keeps who changed what, or was refused. */
  note(action: Omit<ControlAction, "atMs">): void {
    this.#log.write({ ...action, atMs: this.#crawl.made.clock.wallMs() });
  }

  /** Gives up questions that wait; those who listen hear how it ended. */
  async close(): Promise<void> {
    this.events.look();
    await this.pages.close();
    await answered((done) => this.#log.close(done));
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
