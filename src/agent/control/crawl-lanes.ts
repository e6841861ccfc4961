/** The lanes of a running crawl, as its control asks them: one in this thread, or several in others. */
import { answered } from "../../base/seams/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { HostView } from "../../frontier/front/index.ts";
import { laneOfFingerprint } from "../../frontier/lanes/index.ts";
import type { RunningCrawl } from "../crawl/running-crawl.ts";
import { LanedCrawl } from "../lanes/laned-crawl.ts";
import type { RunningLook } from "./ask-crawl.ts";
import type { FailedPage } from "./failed-pages.ts";
import { type HostPage, type HostQuery, mergePages, queryOfLane } from "./host-list.ts";
import {
  type ChangedHost,
  type HostChange,
  LaneAnswers,
  type LaneQuestionKind,
  type LaneQuestions,
  type SharedHosts,
} from "./lane-answers.ts";

type Ask = <Kind extends LaneQuestionKind>(
  lane: number,
  kind: Kind,
  asks: LaneQuestions[Kind][0],
) => Promise<LaneQuestions[Kind][1]>;

export class CrawlLanes {
  readonly count: number;
  /** Rejects with a `CrawlError`. */
  readonly ask: Ask;

  constructor(crawl: RunningCrawl) {
    if (crawl instanceof LanedCrawl) {
      const { lanes } = crawl;
      this.count = lanes.length;
      this.ask = (lane, kind, asks) =>
        answered((done) => lanes[lane]?.order("ask", { kind, asks }, done as never));
    } else {
      const { clock, topology } = crawl.made;
      const answers = new LaneAnswers({
        ...{ clock, topology, configuration: crawl.configuration, side: crawl.side },
        ...{ services: () => crawl.parts, system: crawl.units, woken: () => crawl.woken() },
      });
      this.count = 1;
      this.ask = (_lane, kind, asks) => answers.answer(kind, asks);
    }
  }

  /** The answers of all lanes, in their order. */
  askAll<Kind extends LaneQuestionKind>(
    kind: Kind,
    asks: LaneQuestions[Kind][0],
  ): Promise<LaneQuestions[Kind][1][]> {
    return Promise.all(Array.from({ length: this.count }, (_, lane) => this.ask(lane, kind, asks)));
  }

  async hosts(query: HostQuery): Promise<HostPage> {
    if (this.count === 1) return await this.ask(0, "hosts", query);
    const pages: HostPage[] = [];
    for (let lane = 0; lane < this.count; lane += 1) {
      const asked = queryOfLane(query, lane, pages);
      pages.push(asked === null ? NO_HOSTS : await this.ask(lane, "hosts", asked));
    }
    return mergePages(pages, query);
  }

  /** Tries failed pages again, each in the lane that owns it; how many. */
  async requeue(pages: readonly FailedPage[], shards: number): Promise<number> {
    let count = 0;
    for (let lane = 0; lane < this.count; lane += 1) {
      const owned = pages.filter(
        ({ high }) => laneOfFingerprint(high, shards, this.count) === lane,
      );
      count += await this.ask(lane, "requeue", owned);
    }
    return count;
  }

  /** What is in memory about a URL; null if there is no lane. */
  async memoryOf(url: string): Promise<RunningLook | null> {
    const looks = await this.askAll("look", url);
    const seen = looks.find(({ look }) => look.host !== null) ?? looks[0] ?? null;
    const isExhausted = looks.every((look) => look.isExhausted);
    return seen === null ? null : { ...seen, isExhausted };
  }

  async host(host: HostName): Promise<HostView | null> {
    const views = await this.askAll("host", host);
    return views.find((view) => view !== null) ?? null;
  }

  /** A host that is not known yet may come to any lane. */
  async changeHost(host: HostName, change: HostChange): Promise<ChangedHost> {
    return changedInAll(await this.askAll("changeHost", { host, change }));
  }

  /** What was changed before and is not among these is as it was. */
  async setHostRules(rules: SharedHosts): Promise<void> {
    await this.askAll("hostRules", rules);
  }
}

/** A host that was changed in several places at once. */
export function changedInAll(all: readonly ChangedHost[]): ChangedHost {
  const [first] = all.toSorted((one, other) => Number(other.isKnown) - Number(one.isKnown));
  const sum = (read: (one: ChangedHost) => number): number =>
    all.reduce((total, one) => total + read(one), 0);
  return {
    ...(first as ChangedHost),
    ...{ purged: sum(({ purged }) => purged), waiting: sum(({ waiting }) => waiting) },
  };
}

const NO_HOSTS: HostPage = { hosts: [], places: [], next: null };
