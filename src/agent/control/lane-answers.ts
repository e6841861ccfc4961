/**
 * What can be asked of one lane and done to it, as plain data: where a crawl has several, questions and
 * answers pass between threads.
 */
import { CrawlError, type ErrorCode, faultOf, isCrawlError } from "../../base/errors/index.ts";
import type { Clock, Done } from "../../base/seams/index.ts";
import { type HostName, hostOf, parseUrl } from "../../formats/url/index.ts";
import type { Frontier, HostView } from "../../frontier/front/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import { type Answer, Control, type Controlled } from "../../topology/control/index.ts";
import type { SideErrands } from "../crawl/lane/side-errands.ts";
import { placeOf } from "../explain/explain-url.ts";
import type { DepthLimits } from "../links/link-gate.ts";
import type { UsedBy } from "../topology/crawl-library.ts";
import type { CrawlTopology } from "../topology/crawl-topology.ts";
import type { RunningLook } from "./ask-crawl.ts";
import type { FailedPage } from "./failed-pages.ts";
import { type HostPage, type HostQuery, listHosts } from "./host-list.ts";

export type HostChange = Parameters<Frontier["changeHost"]>[1];
export type ChangedHost = ReturnType<Frontier["changeHost"]>;
/** What is changed for single hosts, by name: whether they are blocked, and their delays. */
export type SharedHosts = Readonly<Record<string, Pick<HostChange, "isBlocked" | "delayMs">>>;
export type Told = Extract<Answer, { readonly ok: true }>;

/** What each kind is asked with, and what it gives. */
export interface LaneQuestions {
  hosts: [HostQuery, HostPage];
  /** Null for a host that was never met. */
  host: [HostName, HostView | null];
  changeHost: [{ readonly host: HostName; readonly change: HostChange }, ChangedHost];
  /** All that is changed for single hosts from now on. */
  hostRules: [SharedHosts, null];
  /** A request to its topology. */
  units: [object, Told];
  /** What is in memory about a URL. */
  look: [string, RunningLook];
  /** The depth limit was raised from this: links that it has cut off are followed. */
  offerCut: [DepthLimits, null];
  /** Failed pages of its own are tried again; how many. */
  requeue: [readonly FailedPage[], number];
}

export type LaneQuestionKind = keyof LaneQuestions;

export interface LaneQuestion {
  readonly kind: LaneQuestionKind;
  readonly asks: unknown;
}

export interface LaneAnswersParts {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly services: () => UsedBy<"steering">;
  readonly side: Pick<SideErrands, "offerCut" | "requeue">;
  readonly system: Controlled;
  readonly topology: Pick<CrawlTopology, "library" | "importModule">;
  /** Something may have become due. */
  readonly woken: () => void;
}

type Answers = {
  readonly [Kind in LaneQuestionKind]: (
    asks: LaneQuestions[Kind][0],
  ) => LaneQuestions[Kind][1] | Promise<LaneQuestions[Kind][1]>;
};

/** Of a host for which nothing is changed. */
const UNCHANGED: HostChange = { isBlocked: false, delayMs: null };

export class LaneAnswers {
  readonly #parts: LaneAnswersParts;
  readonly #control: Control;
  readonly #answers: Answers;

  constructor(parts: LaneAnswersParts) {
    const { system, topology, clock, services } = parts;
    const { library, importModule: importUnits } = topology;
    this.#parts = parts;
    this.#control = new Control({ system, library, importUnits });
    this.#answers = {
      hosts: (query) => listHosts(services().frontier, clock, query),
      host: (host) => services().frontier.hosts.find(host),
      changeHost: ({ host, change }) => this.#changeHost(host, change),
      hostRules: (rules) => this.#setHostRules(rules),
      units: (request) => this.#units(request),
      look: (url) => this.#look(url),
      offerCut: (before) => this.#offerCut(before),
      requeue: (pages) => this.#requeue(pages),
    };
  }

  /** Rejects with a `CrawlError`. */
  async answer<Kind extends LaneQuestionKind>(
    kind: Kind,
    asks: LaneQuestions[Kind][0],
  ): Promise<LaneQuestions[Kind][1]> {
    return await this.#answers[kind](asks);
  }

  /** The same, for a lane in a thread of its own. */
  reply({ kind, asks }: LaneQuestion, done: Done<unknown>): void {
    const unit = { code: "INTERNAL_API", what: "a question to a lane", isOver: false } as const;
    this.answer(kind, asks as never).then(
      (answer) => done(null, answer),
      (thrown) => done(isCrawlError(thrown) ? thrown : faultOf(thrown, unit), undefined),
    );
  }

  #changeHost(host: HostName, change: HostChange): ChangedHost {
    const { services, woken } = this.#parts;
    const changed = services().frontier.changeHost(host, change);
    woken();
    return changed;
  }

  #setHostRules(rules: SharedHosts): null {
    const { frontier } = this.#parts.services();
    for (const [host] of frontier.hosts.changed) {
      if (!Object.hasOwn(rules, host)) this.#changeHost(host as HostName, UNCHANGED);
    }
    for (const [host, rule] of Object.entries(rules)) {
      this.#changeHost(host as HostName, { ...UNCHANGED, ...rule });
    }
    return null;
  }

  async #units(request: object): Promise<Told> {
    const answer = await this.#control.answer(request);
    if (answer.ok) return answer;
    throw new CrawlError(answer.code as ErrorCode, answer.message);
  }

  #look(text: string): RunningLook {
    const { services, configuration } = this.#parts;
    const { frontier, links } = services();
    const { scope } = links.offers.save();
    const outcome = parseUrl(text, { files: true, schemes: schemesOf(configuration) });
    const view = outcome.kind === "accepted" ? frontier.hosts.find(hostOf(outcome.url)) : null;
    const host =
      view === null
        ? null
        : {
            ...{ host: view.host, restsForMs: view.restsMs, waiting: view.queued },
            aliasOf: view.aliasOf,
            ...{ givenUp: view.end, waitsFor: view.state === "idle" ? null : view.state },
          };
    const { isExhausted } = frontier;
    const found = outcome.kind === "accepted" ? frontier.hosts.look(outcome.url) : null;
    const place = found === null ? null : placeOf(found, found.isInFlight);
    return { scope, isExhausted, look: { place, host, robots: found?.robots ?? null } };
  }

  #offerCut(before: DepthLimits): null {
    const { side, woken } = this.#parts;
    side.offerCut(before);
    woken();
    return null;
  }

  #requeue(pages: readonly FailedPage[]): number {
    const { side, woken } = this.#parts;
    const count = side.requeue(pages);
    woken();
    return count;
  }
}
