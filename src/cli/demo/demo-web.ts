/** The web that the demonstration crawls, served by a thread of its own. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ArchiveVerdict, CrawlDescription, Profile, Verdict } from "../../lab/simweb/index.ts";

export interface DemoWebPlan {
  readonly profile: Profile;
  readonly seed: string;
}

export interface DemoWebFacts {
  readonly dnsPort: number;
  readonly hosts: number;
  readonly urls: number;
  /** Where a crawl begins. */
  readonly seed: string;
}

/** How the crawl was to behave, and where it is stored. */
export interface DemoQuestion {
  readonly crawl: CrawlDescription;
  readonly rules: CrawlDescription;
  readonly folder: string;
}

export interface DemoJudgement {
  readonly verdict: Verdict;
  readonly archive: ArchiveVerdict;
}

/** Compiled, the program of the thread lies beside this file with another ending. */
const PROGRAM: URL = new URL(
  import.meta.url.endsWith(".ts") ? "./demo-web-thread.ts" : "./demo-web-thread.js",
  import.meta.url,
);

export class DemoWeb {
  readonly facts: DemoWebFacts;
  readonly #thread: Worker;

  private constructor(thread: Worker, facts: DemoWebFacts) {
    this.#thread = thread;
    this.facts = facts;
  }

  static async open(plan: DemoWebPlan): Promise<DemoWeb> {
    const thread = new Worker(PROGRAM, { workerData: plan });
    const [facts] = (await once(thread, "message")) as [DemoWebFacts];
    return new DemoWeb(thread, facts);
  }

  /** The verdict on all that was asked for until now; afterwards the web is gone. */
  async judge(question: DemoQuestion): Promise<DemoJudgement> {
    this.#thread.postMessage(question);
    const [judgement] = (await once(this.#thread, "message")) as [DemoJudgement];
    return judgement;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
