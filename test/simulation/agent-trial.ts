/** One crawl that is killed again and again as a plan says, with its judge. */
import assert from "node:assert/strict";
import { addSeeds } from "../../src/agent/control/added-seeds.ts";
import type { RunningCrawl } from "../../src/agent/crawl/running-crawl.ts";
import type { CrawlSummary } from "../../src/agent/index.ts";
import type { CrawlError } from "../../src/base/errors/index.ts";
import { Kernel, SimDisk } from "../../src/lab/simulator/index.ts";
import { WebTries } from "../../src/lab/simweb/serve/sim-web-fetcher.ts";
import type { Configuration } from "../../src/rules/config/index.ts";
import { openVirtualNetwork } from "../support/agent/virtual-network.ts";
import { runVirtually } from "../support/agent/virtual-run.ts";
import { configured } from "../support/rules/configured.ts";
import { linesOn, overIn } from "./agent-archive.ts";
import { checkEnd } from "./agent-judge.ts";
import type { AgentPlan, PlannedLife } from "./agent-plan.ts";
import { AgentRequests } from "./agent-requests.ts";
import { drawSite, type Site } from "./agent-site.ts";
import { RETRIES } from "./agent-truth.ts";
import { DurableLines } from "./durable-lines.ts";

/** Answers that are older than this have their lines in a file, unless the disk is slow. */
const WRITTEN_MS = 500;
/** Those that are older than this, and the time between checkpoints, have durable ones. */
const DURABLE_MS = 200;

const LAST_LIFE: PlannedLife = { lanes: 1, kill: null, stopAtMs: null, seedAtMs: null };

export interface TrialEnd {
  readonly kills: number;
  readonly steps: number;
  readonly pages: number;
}

/** Throws if anything is not as it must be. */
export async function tryKilledAgent(plan: AgentPlan): Promise<TrialEnd> {
  return await new AgentTrial(plan).run();
}

class AgentTrial {
  readonly #plan: AgentPlan;
  readonly #site: Site;
  readonly #kernel: Kernel;
  readonly #disk: SimDisk;
  readonly #requests: AgentRequests;
  readonly #durable: DurableLines;
  readonly #tries = new WebTries();
  readonly #reports: CrawlError[] = [];
  readonly #seeds: string[];
  /** Whether a process was killed that had asked for something, and none has ended in order since. */
  #wasKilled = false;
  #kills = 0;

  constructor(plan: AgentPlan) {
    this.#plan = plan;
    this.#site = drawSite(plan.seed, plan.hasOddFiles);
    this.#seeds = [...this.#site.seeds];
    this.#kernel = new Kernel({ seed: plan.seed });
    this.#disk = new SimDisk(this.#kernel.random.fork("disk"));
    this.#disk.speed = { ...this.#disk.speed, ...plan.diskSpeed };
    this.#durable = new DurableLines(this.#disk);
    this.#requests = new AgentRequests(this.#kernel, { ...plan, site: this.#site });
  }

  async run(): Promise<TrialEnd> {
    const { lives } = this.#plan;
    let summary: CrawlSummary | null = null;
    let isLater = false;
    for (const life of [...lives, LAST_LIFE]) {
      summary = await this.#live(life, isLater);
      isLater = true;
      if (summary !== null && summary.reason !== "signal") break;
    }
    assert.ok(summary !== null, "the last process is not killed");
    assert.deepEqual(this.#reports, [], "nothing is reported");
    const requests = this.#requests;
    await checkEnd({
      ...{ plan: this.#plan, site: this.#site, disk: this.#disk, kernel: this.#kernel },
      ...{ requests, summary, seeds: this.#seeds },
    });
    return { kills: this.#kills, steps: this.#kernel.steps, pages: summary.pages };
  }

  /** Null if it was killed. */
  async #live(life: PlannedLife, isLater: boolean): Promise<CrawlSummary | null> {
    const { seed, backgroundMsMax, wayMsMax } = this.#plan;
    const [kernel, disk, requests] = [this.#kernel, this.#disk, this.#requests];
    const { kill } = life;
    let isDead = false;
    requests.begin(this.#wasKilled, this.#over());
    const summary = await runVirtually({
      configuration: configurationOf(this.#plan, life.lanes, this.#seeds),
      ...{ seed, kernel, disk, kill, isLater, isLast: true, backgroundMsMax, wayMsMax },
      ...{ reports: this.#reports, depthsBefore: null },
      openNetwork: (configuration, world) =>
        openVirtualNetwork(configuration, world, {
          ...{ web: this.#site.web, random: kernel.random.fork("web"), tries: this.#tries },
          addressOf: (host) => this.#site.hosts.get(host)?.address ?? "192.0.2.9",
          asked: (request) => requests.asked(request),
        }),
      changed: ({ seeds }) => {
        for (const one of seeds) if (!this.#seeds.includes(one)) this.#seeds.push(one);
      },
      prepared: (crawl) => {
        // Torn lines and lines without a record have been taken out.
        requests.over = this.#over();
        this.#durable.check();
        void this.#durable.watch(crawl, () => isDead);
        this.#disturb(crawl, life, () => isDead);
      },
    });
    isDead = true;
    this.#wasKilled = summary === null && (this.#wasKilled || requests.hasAsked);
    if (summary !== null) return summary;
    this.#kills += 1;
    if (kill?.isPower === true) this.#durable.addDue(this.#answeredDurably());
    else this.#checkWritten();
    requests.died();
    return null;
  }

  /** What somebody does to a running crawl. */
  #disturb(crawl: RunningCrawl, { stopAtMs, seedAtMs }: PlannedLife, isDead: () => boolean): void {
    if (stopAtMs !== null) {
      this.#kernel.schedule(stopAtMs, () => {
        if (!isDead()) crawl.life.stop();
      });
    }
    if (seedAtMs !== null) {
      void crawl.life.begun.then(() =>
        this.#kernel.schedule(seedAtMs, () => {
          if (!isDead() && crawl.life.isRunning) void addSeeds(crawl, [this.#laterSeed]);
        }),
      );
    }
  }

  get #laterSeed(): string {
    const pages = [...this.#site.pages.values()].filter(({ kind }) => kind !== "image");
    return pages.at(-1)?.url ?? "";
  }

  /** What has its last line on the disk. */
  #over(): ReadonlySet<string> {
    return overIn(linesOn(this.#disk));
  }

  /** What was answered some time ago has its line, so that no more is lost than what was in flight. */
  #checkWritten(): void {
    const { syncMsMax = 10 } = this.#plan.diskSpeed;
    const slowMs = 10 * (syncMsMax + this.#plan.backgroundMsMax);
    const written = new Set(linesOn(this.#disk).map(({ url }) => url));
    const lost = this.#answeredBefore(WRITTEN_MS + slowMs).filter((url) => !written.has(url));
    assert.deepEqual(lost, [], `answers have no line at ${this.#kernel.nowMs}`);
  }

  /** What was answered so long ago that it was committed since. */
  #answeredDurably(): readonly string[] {
    const { checkpointMs, diskSpeed, backgroundMsMax } = this.#plan;
    const slowMs = 10 * ((diskSpeed.syncMsMax ?? 10) + backgroundMsMax);
    return this.#answeredBefore(checkpointMs + DURABLE_MS + slowMs);
  }

  #answeredBefore(agoMs: number): readonly string[] {
    const beforeMs = this.#kernel.nowMs - agoMs;
    const answered = [...this.#requests.answeredAtMs];
    return answered.filter(([, atMs]) => atMs <= beforeMs).map(([url]) => url);
  }
}

function configurationOf(plan: AgentPlan, lanes: number, seeds: readonly string[]): Configuration {
  const settings = [
    ...["scope=any", "frontier.memory=1Mi", "contact=me@example.org", "parse.language=false"],
    ...["frontier.recentlySeen=64", "parse.nearDuplicates=false", "dns.aliases=false"],
    ...["filters.store=not URLGlob(*/u*)", `fetch.retries=${RETRIES}`, "fetch.retryWait=100ms"],
    `lanes=${lanes}`,
    `frontier.traversal=${plan.traversal}`,
    `limits.depth=${plan.depthMax ?? "~"}`,
    `limits.pages=${plan.pagesMax ?? "~"}`,
    `sitemaps=${plan.hasSitemaps}`,
    `parse.requisites=${plan.hasRequisites}`,
    `store.compression=${plan.compression}`,
    `politeness.hostDelay=${plan.hostDelayMs}ms`,
    `politeness.ipDelay=${plan.addressDelayMs}ms`,
    `store.checkpoint=${plan.checkpointMs}ms`,
  ];
  const text = settings.join("\n");
  const known = configurations.get(text) ?? configured(...settings);
  configurations.set(text, known);
  return { ...known, seeds: [...seeds] };
}

/** Reading one takes as long as some pages of a crawl. */
const configurations = new Map<string, Configuration>();
