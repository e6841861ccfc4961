/** A synthetic web in a thread of its own, which tells what it was asked for, and judges those who asked. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { DemoJudgement } from "../../../src/cli/demo/demo-web.ts";
import type { CrawlDescription, Profile } from "../../../src/lab/simweb/index.ts";

export interface WebPlan {
  readonly profile: Profile;
  readonly seed: string;
  /** What is to be fetched of it. */
  readonly crawl: CrawlDescription;
}

export interface JudgedWebFacts {
  readonly dnsPort: number;
  /** Where a crawl begins. */
  readonly seed: string;
  /** How many pages a crawl must fetch. */
  readonly due: number;
}

/** Processes that get a signal some time after pages were asked for this often. */
export interface Blow {
  readonly pages: number;
  readonly laterMs: number;
  readonly processes: readonly number[];
  readonly signal: NodeJS.Signals;
}

/** Something that was asked for; `endMs` is infinite as long as it is not answered. */
export interface WebRequest {
  /** `a.test/x`. */
  readonly place: string;
  /** The page that it is, as the judge names it. */
  readonly key: string;
  readonly isRobots: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

type Question =
  | { readonly what: "now" }
  | { readonly what: "pages"; readonly count: number }
  | { readonly what: "strike"; readonly blow: Blow }
  | { readonly what: "requests" }
  | { readonly what: "judgement"; readonly rules: CrawlDescription; readonly folder: string };

export type WebQuestion = Question & { readonly number: number };

export interface WebAnswer {
  readonly number: number;
  readonly answer: number | JudgedWebFacts | readonly WebRequest[] | DemoJudgement;
}

const PROGRAM = new URL("./judged-web-thread.ts", import.meta.url);

export class JudgedWeb {
  readonly facts: JudgedWebFacts;
  readonly #thread: Worker;
  readonly #waiting = new Map<number, (answer: WebAnswer["answer"]) => void>();
  #asked = 0;

  private constructor(thread: Worker, facts: JudgedWebFacts) {
    this.#thread = thread;
    this.facts = facts;
    thread.on("message", ({ number, answer }: WebAnswer) => this.#waiting.get(number)?.(answer));
  }

  static async open(plan: WebPlan): Promise<JudgedWeb> {
    const thread = new Worker(PROGRAM, { workerData: plan });
    const [{ answer }] = (await once(thread, "message")) as [WebAnswer];
    return new JudgedWeb(thread, answer as JudgedWebFacts);
  }

  /** On the clock of its requests. */
  async nowMs(): Promise<number> {
    return (await this.#ask({ what: "now" })) as number;
  }

  /** Resolves with how often pages were asked for, robots.txt apart, when that is this often at least. */
  async pages(count = 0): Promise<number> {
    return (await this.#ask({ what: "pages", count })) as number;
  }

  /** The web strikes itself: this thread might be late on a busy machine, when the crawl is over. */
  async strike(blow: Blow): Promise<void> {
    await this.#ask({ what: "strike", blow });
  }

  async requests(): Promise<readonly WebRequest[]> {
    return (await this.#ask({ what: "requests" })) as readonly WebRequest[];
  }

  /** On all that was asked for until now, and on an archive. */
  async judge(folder: string, rules: CrawlDescription): Promise<DemoJudgement> {
    return (await this.#ask({ what: "judgement", folder, rules })) as DemoJudgement;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #ask(question: Question): Promise<WebAnswer["answer"]> {
    this.#asked += 1;
    const number = this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      this.#thread.postMessage({ ...question, number });
    });
  }
}
