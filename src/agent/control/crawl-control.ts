/**
 * What can be asked of a running crawl and done to it, free of HTTP, as far as it is in this process: all of
 * a crawl that is alone, and the part of an agent among others.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { answered } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { CrawlSummary } from "../crawl/counting/crawl-summary.ts";
import type { RunningCrawl } from "../crawl/running-crawl.ts";
import type { Explanation } from "../explain/explanation.ts";
import { LanedCrawl } from "../lanes/laned-crawl.ts";
import { addSeeds } from "./added-seeds.ts";
import { type ClusterReport, NO_CLUSTER } from "./cluster-report.ts";
import { type ControlAction, ControlLog } from "./control-log.ts";
import type { AddedSeeds, ControlledCrawl, RetriedCount, StopOptions } from "./controlled-crawl.ts";
import { CrawlEvents } from "./crawl-events.ts";
import { CrawlLanes } from "./crawl-lanes.ts";
import type { FailedFound, FailedPage } from "./failed-pages.ts";
import {
  type HostsAsked,
  type HostsFound,
  type ListedHost,
  printHostCursor,
  readHostCursor,
} from "./host-list.ts";
import type { ChangedHost, HostChange, SharedHosts } from "./lane-answers.ts";
import { type PageAnswers, PageQuestions } from "./page-questions.ts";
import { RetriedPages } from "./retried-pages.ts";
import { UnitControl } from "./unit-control.ts";

/** Pages that are looked for and queued again in one go. */
const RETRIED_AT_ONCE = 1000;

/** If an order is not in a checkpoint after this long, another one is asked for. */
const CHECKPOINT_MS = 200;

export class CrawlControl implements ControlledCrawl {
  readonly #crawl: RunningCrawl;
  readonly #folder: string;
  readonly #lanes: CrawlLanes;
  readonly #log: ControlLog;
  /** Settled when the last order to try pages again is done with. */
  #retrying: Promise<unknown> = Promise.resolve();
  readonly units: UnitControl;
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

  async status(): Promise<CrawlSummary> {
    return this.part();
  }

  part(): CrawlSummary {
    return this.#crawl.summary();
  }

  async cluster(): Promise<ClusterReport> {
    return NO_CLUSTER;
  }

  async leave(): Promise<never> {
    throw alone();
  }

  async forget(): Promise<never> {
    throw alone();
  }

  async pause(): Promise<void> {
    this.refuseIfOver();
    this.#crawl.life.pause();
    this.events.look();
  }

  async resume(): Promise<void> {
    this.refuseIfOver();
    this.#crawl.life.resume();
    this.events.look();
  }

  async stop({ immediate = false }: StopOptions = {}): Promise<void> {
    this.#crawl.life.stop(immediate);
    this.events.look();
  }

  async addSeeds(seeds: readonly string[]): Promise<AddedSeeds> {
    await this.#crawl.life.begun;
    this.refuseIfOver();
    return { seeds: await addSeeds(this.#crawl, seeds), agents: 1 };
  }

  async retry(where: string | null): Promise<RetriedCount> {
    const retried = this.#retrying.then(() => this.#retry(where));
    this.#retrying = retried.catch(() => undefined);
    return { retried: await retried, missing: [] };
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
      this.refuseIfOver();
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
    if (!isRecorded) this.refuseIfOver();
  }

  async hosts(asked: HostsAsked): Promise<HostsFound> {
    const after = asked.after === null ? null : readHostCursor(asked.after);
    const { hosts, next } = await this.#lanes.hosts({ ...asked, after });
    return {
      hosts: hosts.map((view) => ({ ...view, agent: null })),
      cursor: next === null ? null : printHostCursor(next),
      missing: [],
    };
  }

  async host(host: HostName): Promise<ListedHost | null> {
    const view = await this.#lanes.host(host);
    return view && { ...view, agent: null };
  }

  async changeHost(host: HostName, change: HostChange): Promise<ChangedHost> {
    this.refuseIfOver();
    return await this.#lanes.changeHost(host, change);
  }

  /** What all agents of a crawl have changed for single hosts. */
  async setHostRules(rules: SharedHosts): Promise<void> {
    await this.#lanes.setHostRules(rules);
  }

  async explain(url: string): Promise<Explanation | null> {
    return await this.pages.ask("explain", { url, memory: await this.#lanes.memoryOf(url) });
  }

  fault(error: CrawlError): void {
    const crawl = this.#crawl;
    const { ledger } = crawl instanceof LanedCrawl ? crawl.desk : crawl.parts;
    ledger.faults.note(error, "api");
  }

  note(action: Omit<ControlAction, "atMs">): void {
    this.#log.write({ ...action, atMs: this.#crawl.made.clock.wallMs() });
  }

  async close(): Promise<void> {
    this.events.look();
    await this.pages.close();
    await answered((done) => this.#log.close(done));
  }

  /** Throws `CONTROL_OVER` if the crawl is ending or has ended. */
  refuseIfOver(): void {
    const { state } = this.part();
    if (state === "running" || state === "paused") return;
    throw new CrawlError(
      "CONTROL_OVER",
      `The crawl is ending or has ended (${state}). Start it again to change it.`,
    );
  }
}

function alone(): CrawlError {
  return new CrawlError(
    "CONTROL_ALONE",
    "This crawl is that of a single process, which no other agent takes part in.",
  );
}
