/**
 * What all agents of a crawl say of themselves, asked by one of them when somebody wants to know. Who does
 * not answer in time is named instead.
 */
import type { Clock } from "../../../base/seams/index.ts";
import { SECOND_MS } from "../../../base/units/index.ts";
import type { ClusterNode, ToldStatus } from "../../../cluster/node/index.ts";
import type { MissingAgent } from "../../control/ask-crawl.ts";
import type { ClusterReport, MemberReport, MemberStatus } from "../../control/cluster-report.ts";
import { CountsByName } from "../../crawl/counting/crawl-counts.ts";
import type { CrawlSummary } from "../../crawl/counting/crawl-summary.ts";
import { type AgentPart, clusterSummary } from "./cluster-summary.ts";

/** How long answers are waited for: whoever asks is a person, or a program that watches. */
const PATIENCE_MS = 3 * SECOND_MS;

interface Answers {
  /** By agent; this one is among them. */
  readonly told: ReadonlyMap<string, ToldStatus>;
  readonly missing: readonly MissingAgent[];
}

export interface ClusterReportsParts {
  readonly clock: Clock;
  readonly node: Pick<ClusterNode, "queries" | "status" | "view">;
  /** Of the part of this agent. */
  readonly summary: () => CrawlSummary;
  readonly refusals: () => Refusals;
}

/** What others have tried in vain, by reason, before it was a message of another agent. */
export interface Refusals {
  readonly messages: ReadonlyMap<string, number>;
  readonly connections: ReadonlyMap<string, number>;
}

export const NO_REFUSALS: Refusals = { messages: new Map(), connections: new Map() };

export class ClusterReports {
  readonly #parts: ClusterReportsParts;
  /** Under way: several questions often come at once. */
  #asked: Promise<Answers> | null = null;

  constructor(parts: ClusterReportsParts) {
    this.#parts = parts;
  }

  /** The summary of the whole crawl. */
  async summary(): Promise<CrawlSummary> {
    const { told, missing } = await this.#answers();
    const members = [...this.#parts.node.view.members()];
    const capacities = new Map(members.map(({ place, capacity }) => [place.id, capacity]));
    const parts = Array.from(told, ([agent, status]): AgentPart => {
      const { pending, lagMs, retainedBytes, told: urls, view, summary } = status;
      const capacity = capacities.get(agent) ?? 1;
      const own = { agent, capacity, summary: (summary ?? {}) as AgentPart["summary"] };
      return { ...own, pending, lagMs, retainedBytes, told: urls, view };
    });
    const agents = members.filter(({ standing }) => standing !== "given-up").length;
    return clusterSummary({ own: this.#parts.summary(), parts, agents, missing });
  }

  async report(): Promise<ClusterReport> {
    const { told, missing } = await this.#answers();
    const { view } = this.#parts.node;
    const shares = view.shares();
    const members = Array.from(view.members(), (member): MemberReport => {
      const { place, state, standing, silentMs, capacity, isInRing, isFull } = member;
      const status = told.get(place.id) ?? null;
      return {
        ...{ agent: place.id, generation: place.generation, self: place.id === view.self.id },
        ...{ state, standing, silentSeconds: secondsOf(silentMs), capacity },
        ...{ share: rounded(shares.get(place.id) ?? 0), inRing: isInRing, full: isFull },
        status: status === null ? null : statusOf(status),
      };
    });
    members.sort((one, other) => (one.agent < other.agent ? -1 : 1));
    const views = new Set(Array.from(told.values(), (status) => status.view)).size;
    const refused = Object.fromEntries(this.#parts.refusals().connections);
    return { agent: view.self.id, views, members, missing, refused };
  }

  /** Something was changed, of which answers that are under way may not know. */
  anew(): void {
    this.#asked = null;
  }

  #answers(): Promise<Answers> {
    if (this.#asked !== null) return this.#asked;
    const asked = this.#ask().finally(() => {
      if (this.#asked === asked) this.#asked = null;
    });
    this.#asked = asked;
    return asked;
  }

  #ask(): Promise<Answers> {
    const { clock, node, summary } = this.#parts;
    const { self } = node.view;
    const told = new Map<string, ToldStatus>([[self.id, this.#own(summary())]]);
    const stream = node.queries.statuses();
    return new Promise((resolve) => {
      const end = (missing: readonly MissingAgent[]): void => {
        late.cancel();
        stream.close();
        resolve({ told, missing });
      };
      const late = clock.after(PATIENCE_MS, () => end(this.#silent(told)));
      const next = (): void =>
        stream.next(({ from, items, missing }) => {
          if (from === null) {
            const others = missing.filter(({ place }) => place.id !== self.id);
            end(others.map(({ place, why }) => ({ agent: place.id, why })));
            return;
          }
          const [status] = from.id === self.id ? [] : items.flatMap(readStatus);
          if (status !== undefined) told.set(from.id, status);
          next();
        });
      next();
    });
  }

  #own(summary: CrawlSummary): ToldStatus {
    const { node, refusals } = this.#parts;
    const { dropped, ...numbers } = node.status;
    const all = new CountsByName();
    for (const [reason, count] of [...dropped, ...refusals().messages]) all.add(reason, count);
    return { id: node.view.self.id, ...numbers, dropped: all.toObject(), summary };
  }

  #silent(told: ReadonlyMap<string, ToldStatus>): readonly MissingAgent[] {
    const members = [...this.#parts.node.view.members()];
    return members
      .filter(({ place, standing }) => standing !== "given-up" && !told.has(place.id))
      .map(({ place, standing }): MissingAgent => {
        return { agent: place.id, why: standing === "dead" ? "dead" : "timed-out" };
      });
  }
}

function statusOf(told: ToldStatus): MemberStatus {
  const summary = (told.summary ?? {}) as Partial<CrawlSummary>;
  return {
    ...{ state: told.state, idle: told.isIdle, view: told.view },
    ...{ pages: summary.pages ?? 0, urls: summary.urls ?? 0, queued: summary.queued ?? 0 },
    ...{ pending: told.pending, lagSeconds: secondsOf(told.lagMs) ?? 0 },
    ...{ retainedBytes: told.retainedBytes, told: told.told, sent: told.sent },
    ...{ claims: told.claims, dropped: told.dropped },
  };
}

/** What another agent says of itself; nothing if it makes no sense here. */
function readStatus(bytes: Uint8Array): ToldStatus[] {
  try {
    const found: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (typeof found !== "object" || found === null) return [];
    const { view, state, isIdle, dropped, summary, id, ...numbers } = found as ToldStatus;
    const isText = typeof view === "string" && typeof state === "string";
    const isSound = isText && typeof isIdle === "boolean" && areCounts(dropped);
    const counts = [numbers.pending, numbers.retainedBytes, numbers.told, numbers.sent];
    const areSound = [...counts, numbers.lagMs, numbers.claims].every(isCount);
    return isSound && areSound ? [found as ToldStatus] : [];
  } catch {
    return [];
  }
}

function areCounts(table: unknown): boolean {
  return typeof table === "object" && table !== null && Object.values(table).every(isCount);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function secondsOf(ms: number): number | null {
  return Number.isFinite(ms) ? Math.round(ms) / SECOND_MS : null;
}
