/**
 * What the rules of a crawl say about a URL, one after the other in the order in which a crawl asks them:
 * scope, limits, filters, blocked hosts. robots.txt is not among them, since it belongs to the host.
 */
import { type CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { type FetchableUrl, hostOf, LinkResolver, parseUrl } from "../../formats/url/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import {
  FetchableView,
  FILTER_PLACES,
  type Filter,
  type ImportModule,
  type LinkView,
  loadFilter,
} from "../../rules/filter/index.ts";
import { CrawlScope, type SavedScope } from "../links/crawl-scope.ts";
import { leadTo } from "../links/lead-to.ts";
import { LinkGate } from "../links/link-gate.ts";
import { decidingRule } from "./deciding-rule.ts";
import type { StoryStep } from "./explanation.ts";

/** How the crawl came, or could come, to a URL. */
export interface JudgedLink {
  /** The page that leads there; null if that is not known. */
  readonly source: string | null;
  readonly depth: number;
  readonly kind: string;
  readonly rel: string;
  readonly text: string;
}

export interface Judgement {
  readonly steps: readonly StoryStep[];
  /** The first reason against it; null if all rules accept it. */
  readonly refusal: string | null;
}

interface JudgeOptions {
  /** The 16 secret bytes of the crawl. */
  readonly fingerprintKey: Uint8Array;
  /** As the crawl has it by now; null if only the seeds are known. */
  readonly scope: SavedScope | null;
  /** Where seeds redirect, which is inside too; for a scope that is not known. */
  readonly widened: readonly FetchableUrl[];
  readonly importModule: ImportModule;
}

export class RulesJudge {
  readonly #configuration: Configuration;
  readonly #resolver: LinkResolver;
  readonly #scope: CrawlScope;
  readonly #gate: LinkGate;
  readonly #fetch: Filter<FetchableView> | null;
  readonly #schedule: Filter<LinkView> | null;
  readonly #problems: readonly StoryStep[];

  private constructor(
    configuration: Configuration,
    options: JudgeOptions,
    { schedule, fetch, problems }: Loaded,
  ) {
    const { limits, politeness, frontier, url: rules } = configuration;
    this.#configuration = configuration;
    this.#resolver = new LinkResolver({
      ...{ fingerprintKey: options.fingerprintKey, shards: frontier.shards, rules },
      ...{ urlLengthMax: limits.urlLength, schemes: schemesOf(configuration) },
    });
    this.#scope = new CrawlScope(configuration.scope, rules);
    if (options.scope !== null) this.#scope.restore(options.scope);
    else {
      for (const url of [...seedsOf(configuration), ...options.widened]) this.#scope.add(url);
    }
    this.#gate = new LinkGate({
      ...{ scope: this.#scope, limits, nofollow: politeness.nofollow, roots: [] },
      // Filters are asked one by one, to tell which of them refuses.
      ...{ rules: { schedule: null }, ports: configuration.fetch.ports },
      schemes: this.#resolver.schemes,
    });
    this.#schedule = schedule;
    this.#fetch = fetch;
    this.#problems = problems;
  }

  /** A filter that cannot be loaded is told of, and decides nothing. */
  static async open(configuration: Configuration, options: JudgeOptions): Promise<RulesJudge> {
    return new RulesJudge(configuration, options, await loadFilters(configuration, options));
  }

  /** A seed redirects there, which is inside the scope from now on. */
  widen(url: FetchableUrl): void {
    this.#scope.add(url);
  }

  /** Seeds need pass only what is for safety. */
  judge(url: FetchableUrl, link: JudgedLink, isSeed: boolean): Judgement {
    const steps: StoryStep[] = [];
    let refusal: string | null = null;
    const add = (step: StoryStep, reason: string): void => {
      steps.push(step);
      if (step["accepts"] === false) refusal ??= reason;
    };
    const { source, depth } = link;
    const origin = { source: source as FetchableUrl | null, depth, isNofollow: false };
    const led = leadTo(url, this.#resolver, origin, link);
    if (typeof led === "string") {
      add(this.#limit(led), led);
      return { steps, refusal };
    }
    if (isSeed) {
      if (!this.#gate.mayUsePort(led) && led.scheme !== "file") add(this.#limit("port"), "port");
    } else this.#judgeLink(led, add);
    if (this.#configuration.politeness.blockHosts.includes(hostOf(url))) {
      const rule = "politeness.blockHosts";
      add({ at: null, what: "blocked", accepts: false, rule }, "host-blocked");
    }
    if (this.#fetch !== null) {
      const accepts = this.#fetch.accepts(new FetchableView(url));
      add(this.#filter("filter-fetch", accepts), "filter-fetch");
    }
    return { steps: [...steps, ...this.#problems], refusal };
  }

  #judgeLink(
    led: LinkView & Parameters<CrawlScope["has"]>[0],
    add: (step: StoryStep, reason: string) => void,
  ): void {
    const { configuration, gate } = { configuration: this.#configuration, gate: this.#gate };
    if (configuration.politeness.nofollow === "obey" && led.nofollow) {
      add(this.#limit("nofollow"), "nofollow");
    }
    const rule = decidingRule("scope", configuration);
    add({ at: null, what: "scope", accepts: this.#scope.has(led), rule }, "scope");
    const refusal = gate.requisiteRefusal(led);
    if (refusal !== null) add(this.#limit(refusal), refusal);
    if (this.#schedule !== null) {
      add(this.#filter("filter-schedule", this.#schedule.accepts(led)), "filter-schedule");
    }
    if (gate.beyond(led) !== null) add(this.#limit("depth"), "depth");
  }

  #limit(reason: string): StoryStep {
    const rule = decidingRule(reason, this.#configuration);
    return { at: null, what: "limit", accepts: false, reason, rule };
  }

  #filter(reason: string, accepts: boolean): StoryStep {
    return {
      ...{ at: null, what: "filter", accepts, reason },
      rule: decidingRule(reason, this.#configuration),
    };
  }
}

function seedsOf(configuration: Configuration): readonly FetchableUrl[] {
  const schemes = schemesOf(configuration);
  return configuration.seeds.flatMap((seed) => {
    const outcome = parseUrl(seed, { files: true, schemes });
    return outcome.kind === "accepted" ? [outcome.url] : [];
  });
}

interface Loaded {
  readonly schedule: Filter<LinkView> | null;
  readonly fetch: Filter<FetchableView> | null;
  readonly problems: readonly StoryStep[];
}

async function loadFilters(
  { filters }: Configuration,
  { importModule }: JudgeOptions,
): Promise<Loaded> {
  const problems: StoryStep[] = [];
  const options = { importModule, use: filters.modules, onFailure: () => {} };
  const told = (rule: string, error: CrawlError): null => {
    const problem = error.message;
    problems.push({ at: null, what: "filter", accepts: null, rule, problem });
    return null;
  };
  const schedule =
    filters.schedule === null
      ? null
      : await loadFilter(filters.schedule, FILTER_PLACES.schedule, options).catch((error) =>
          told("filters.schedule", ours(error)),
        );
  const fetch =
    filters.fetch === null
      ? null
      : await loadFilter(filters.fetch, FILTER_PLACES.fetch, options).catch((error) =>
          told("filters.fetch", ours(error)),
        );
  return { schedule, fetch, problems };
}

function ours(error: unknown): CrawlError {
  if (isCrawlError(error)) return error;
  throw error;
}
