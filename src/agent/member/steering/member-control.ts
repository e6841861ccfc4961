/**
 * What can be asked of a crawl that agents share, and done to it, through any of them: what concerns the
 * whole crawl reaches all agents; units and events are those of this agent.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import type { ClusterNode } from "../../../cluster/node/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import { politeHost } from "../../../frontier/ticket/index.ts";
import { schemesOf } from "../../../rules/config/index.ts";
import { readAdded } from "../../control/added-seeds.ts";
import type { ClusterReport } from "../../control/cluster-report.ts";
import type { ControlAction } from "../../control/control-log.ts";
import type {
  AddedSeeds,
  ControlledCrawl,
  RetriedCount,
  StopOptions,
} from "../../control/controlled-crawl.ts";
import { CrawlControl } from "../../control/crawl-control.ts";
import { changedInAll } from "../../control/crawl-lanes.ts";
import type { HostsAsked, HostsFound, ListedHost } from "../../control/host-list.ts";
import type { ChangedHost, HostChange } from "../../control/lane-answers.ts";
import type { PageAnswers } from "../../control/page-questions.ts";
import type { CrawlSummary } from "../../crawl/counting/crawl-summary.ts";
import type { RunningCrawl } from "../../crawl/running-crawl.ts";
import type { Explanation } from "../../explain/explanation.ts";
import type { Member } from "../member.ts";
import { MemberHosts } from "../queries/member-hosts.ts";
import { ringKeyOf } from "../queries/open-pages.ts";
import { ClusterReports, type Refusals } from "./cluster-reports.ts";
import { FinalSummary } from "./final-summary.ts";
import { MemberCalls } from "./member-calls.ts";
import { MemberUnits } from "./member-units.ts";
import { type SharedChange, SharedCrawl } from "./shared-crawl.ts";
import type { Shared } from "./shared-text.ts";

export interface MemberControlParts {
  readonly clock: Clock;
  readonly crawl: RunningCrawl;
  /** The crawl directory; absolute. */
  readonly folder: string;
  readonly member: Pick<Member, "node" | "seed" | "setPaused">;
  /** Those of all agents. */
  readonly pages: PageAnswers;
  /** The crawl, for its cursors. */
  readonly crawlId: string;
  /** What was known when the crawl was opened. */
  readonly shared: Shared;
  readonly refusals: () => Refusals;
  readonly report: (error: CrawlError) => void;
}

export class MemberControl implements ControlledCrawl {
  readonly units: ControlledCrawl["units"];
  readonly pages: ControlledCrawl["pages"];
  readonly events: ControlledCrawl["events"];
  /** Whether the crawl runs, and its keys, as all agents share them. */
  readonly shared: SharedCrawl;
  /** What can be done here. */
  readonly local: CrawlControl;
  readonly #parts: MemberControlParts;
  readonly #node: ClusterNode;
  readonly #calls: MemberCalls;
  readonly #hosts: MemberHosts;
  readonly #reports: ClusterReports;
  readonly #final: FinalSummary;

  constructor(parts: MemberControlParts) {
    const { clock, crawl, folder, member, pages, shared, report } = parts;
    const { node } = member;
    const local = new CrawlControl(crawl, folder);
    const { recorded } = crawl.made;
    this.#parts = parts;
    this.#node = node;
    this.local = local;
    this.shared = new SharedCrawl(
      {
        ...{ clock, node, life: crawl.life, report },
        setPaused: (isPaused) => member.setPaused(isPaused),
        inForce: () => recorded.configuration,
        setHosts: (hosts) => local.setHostRules(hosts),
        changeKeys: (unit, values) => local.units.setKeys(unit, values),
        ending: () => void this.#final.ask(),
      },
      shared,
    );
    this.#calls = new MemberCalls(node);
    this.#hosts = new MemberHosts({ crawl: parts.crawlId, queries: node.queries });
    const { refusals } = parts;
    this.#reports = new ClusterReports({ clock, node, summary: () => this.part(), refusals });
    this.#final = new FinalSummary({
      clock,
      ask: () => this.#reports.summary(),
      beatMs: () => recorded.configuration.cluster.heartbeat,
    });
    this.pages = pages;
    this.events = local.events;
    this.units = new MemberUnits({ local: local.units, shared: this.shared, calls: this.#calls });
  }

  status(): Promise<CrawlSummary> {
    return this.#reports.summary();
  }

  /** The founder says what nobody else knows: for how many more agents all wait. */
  part(): CrawlSummary {
    const { awaited } = this.#node.membership;
    const part = this.local.part();
    return awaited === 0 ? part : { ...part, idle: { ...part.idle, agents: awaited } };
  }

  /** Nothing is left anywhere: calls `end` when all agents have asked each other what they have done. */
  concluded(end: () => void): void {
    void this.#final.concluded(end);
  }

  /** That of the whole crawl if it has ended everywhere; else that of this agent, which is given. */
  finalSummary(own: CrawlSummary): CrawlSummary {
    return this.#final.with(own);
  }

  cluster(): Promise<ClusterReport> {
    return this.#reports.report();
  }

  async pause(): Promise<void> {
    this.local.refuseIfOver();
    await this.#change({ state: "paused" });
  }

  async resume(): Promise<void> {
    this.local.refuseIfOver();
    await this.#change({ state: "running" });
  }

  async stop({ immediate = false }: StopOptions = {}): Promise<void> {
    await this.#change({ state: "stopped", isUrgent: immediate });
  }

  /** When everything is handed over, the crawl ends here. */
  async leave(): Promise<void> {
    const { crawl } = this.#parts;
    this.#node.membership.leave(() => crawl.life.stop());
  }

  forget(agent: string): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#node.membership.forget(agent, (error, agents) => {
        if (error === null) resolve(agents);
        else reject(error);
      }),
    );
  }

  /** All agents have them: one that is refused is told of in the summary, by the agent that owns its host. */
  async addSeeds(texts: readonly string[]): Promise<AddedSeeds> {
    const { crawl, member } = this.#parts;
    await crawl.life.begun;
    this.local.refuseIfOver();
    const schemes = schemesOf(crawl.configuration);
    const known = new Set<string>();
    const seeds = texts.map((text) => readAdded(text.trim(), schemes, known));
    const urls = seeds.flatMap(({ fate, url }) => (fate === "added" && url !== null ? [url] : []));
    return { seeds, agents: urls.length === 0 ? 0 : await member.seed(urls) };
  }

  async retry(where: string | null): Promise<RetriedCount> {
    const { answers, missing } = await this.#calls.allOrNone("retry", { where });
    const retried = [...answers.values()].reduce((sum, count) => sum + count, 0);
    return { retried, missing };
  }

  hosts(asked: HostsAsked): Promise<HostsFound> {
    return this.#hosts.list(asked);
  }

  /** As its owner sees it, or else the agent that has most of it: others may have met it before. */
  async host(host: HostName): Promise<ListedHost | null> {
    const { answers } = await this.#calls.allOrNone("host", { host });
    const owner = this.#node.view.ownerOf(ringKeyOf(host));
    const met = Array.from(answers, ([agent, view]) => view && { ...view, agent });
    const rank = ({ agent, pages, queued }: ListedHost): number =>
      agent === owner ? Number.POSITIVE_INFINITY : pages + queued;
    const ranked = met.filter((view) => view !== null);
    return ranked.toSorted((one, other) => rank(other) - rank(one))[0] ?? null;
  }

  /** By all, and by those who come later: its URLs may come to be with another agent. */
  async changeHost(host: HostName, change: HostChange): Promise<ChangedHost> {
    this.local.refuseIfOver();
    const { isBlocked, delayMs } = change;
    const isKept = isBlocked !== undefined || delayMs !== undefined;
    if (isKept) await this.#change({ hosts: { [politeHost(host)]: { isBlocked, delayMs } } });
    const { answers } = await this.#calls.allOrNone("changeHost", { host, change });
    return changedInAll([...answers.values()]);
  }

  explain(url: string): Promise<Explanation | null> {
    return this.pages.ask("explain", { url, memory: null });
  }

  fault(error: CrawlError): void {
    this.local.fault(error);
  }

  note(action: Omit<ControlAction, "atMs">): void {
    this.local.note(action);
  }

  close(): Promise<void> {
    this.shared.close();
    this.#final.close();
    return this.local.close();
  }

  async #change(change: SharedChange): Promise<void> {
    await this.shared.change(change);
    if (change.state === "running") this.#final.forget();
    this.#reports.anew();
    this.local.events.look();
  }
}
