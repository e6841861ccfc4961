/**
 * Serves a generated web with its truth: what `trobar simweb`, the demonstration and tests open.
 * The crawl that it is judged by begins at the web's first seed and may go anywhere, unless said
 * otherwise.
 */
import type { Clock } from "../../base/seams/index.ts";
import type { Profile } from "./profile/profile.ts";
import type { CrawlDescription, TruthReading } from "./serve/control.ts";
import { ServedWeb } from "./serve/served-web.ts";
import { impliedRules, readCrawl } from "./truth/crawl-description.ts";
import { Truth } from "./truth/truth.ts";
import { DEFAULT_TRUTH_RULES, type TruthRules } from "./truth/truth-rules.ts";
import { DEFAULT_RULES, type VerdictRules } from "./verdict/verdict-rules.ts";
import { GeneratedWeb } from "./web/generated-web.ts";

export interface GeneratedWebOptions {
  readonly profile: Profile;
  readonly seed: string;
  readonly clock: Clock;
  /** Ports; 0, the default, takes a free one. */
  readonly port?: number;
  readonly dnsPort?: number;
  readonly controlPort?: number;
  /** What differs from the usual in the crawl that the web is judged by. */
  readonly crawl?: Partial<TruthRules>;
  readonly rules?: Partial<VerdictRules>;
}

export async function openGeneratedWeb(
  options: GeneratedWebOptions,
): Promise<ServedWeb<GeneratedWeb>> {
  const { clock, profile, seed, port = 0, dnsPort = 0, controlPort = 0 } = options;
  const truths = new LastTruth(options.crawl ?? {});
  return await ServedWeb.open<GeneratedWeb>({
    clock,
    port,
    dnsPort,
    controlPort,
    makeWeb: (known) => new GeneratedWeb({ profile, seed, port: known }),
    truthFor: (web, crawl) => truths.read(web, crawl),
    rules: { ...DEFAULT_RULES, ...options.rules },
  });
}

/** The truth is expensive and often asked for repeatedly for one crawl, so the last one is kept. */
class LastTruth {
  readonly #usual: Partial<TruthRules>;
  #description: string | null = null;
  #reading: TruthReading | null = null;

  constructor(usual: Partial<TruthRules>) {
    this.#usual = usual;
  }

  read(web: GeneratedWeb, crawl: CrawlDescription): TruthReading {
    const description = JSON.stringify(crawl);
    if (this.#reading === null || this.#description !== description) {
      this.#reading = this.#make(web, crawl);
      this.#description = description;
    }
    return this.#reading;
  }

  #make(web: GeneratedWeb, crawl: CrawlDescription): TruthReading {
    const base: TruthRules = {
      ...DEFAULT_TRUTH_RULES,
      seeds: web.seeds(),
      scope: "any",
      ...this.#usual,
    };
    const reading = readCrawl(crawl, base);
    if (!reading.ok) return reading;
    const { rules } = reading;
    const truth = new Truth(web, rules);
    const summary = {
      hosts: web.hostCount,
      urls: web.model.hosts.pageCount,
      due: truth.dueCount,
      rules,
    };
    return { ok: true, truth, summary, implied: impliedRules(rules) };
  }
}
