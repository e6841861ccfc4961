/**
 * Tries seeds out for `crawl --dry-run`: each is fetched as a crawl would, robots.txt first, with the
 * sitemaps that the robots.txt names if `sitemaps` is set; of the links and entries that are found only
 * what the rules say is counted. Nothing is kept, and nothing beyond the seeds and sitemaps is fetched.
 *
 * Seeds of one host are tried one after the other, with its delay between them.
 */
import type { Clock } from "../../base/seams/index.ts";
import { encodingOfLabel } from "../../formats/charset/index.ts";
import { documentBase, PageParser, resolveLink } from "../../formats/html/index.ts";
import { headerValue, parseContentType } from "../../formats/http/index.ts";
import type { LinkKind } from "../../formats/link/index.ts";
import {
  parseRobots,
  productToken,
  type RobotsFile,
  sitemapUrls,
} from "../../formats/robots/index.ts";
import { SitemapReader } from "../../formats/sitemap/index.ts";
import { type FetchableUrl, hostOf, originOf, parseUrl } from "../../formats/url/index.ts";
import { schemesOf } from "../../rules/config/index.ts";
import type { ImportModule } from "../../rules/filter/index.ts";
import { CountsByName } from "../crawl/counting/crawl-counts.ts";
import { userAgentOf } from "../crawl/network/request-heads.ts";
import { type JudgedLink, RulesJudge } from "../explain/rules-judge.ts";
import type { SeedFailure } from "../seeds/seed-watch.ts";
import { type SinglePage, type SingleVisitOptions, visitPage, visitSeed } from "./single-visit.ts";

/** Links or entries, and what the rules say of them. */
export interface TriedLinks {
  readonly found: number;
  readonly taken: number;
  /** By reason, as in the summary. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface TriedSitemap extends TriedLinks {
  readonly url: string;
  /** Null if there was no answer. */
  readonly status: number | null;
}

export interface TriedSeed {
  readonly url: string;
  /** Null if there was no answer; `failure` says why. */
  readonly status: number | null;
  /** Where it led, if it redirected. */
  readonly redirectTo: string | null;
  readonly failure: SeedFailure | null;
  /** Null if none was read. */
  readonly robots: TriedRobots | null;
  readonly links: TriedLinks;
  readonly sitemaps: readonly TriedSitemap[];
}

export interface TriedRobots {
  readonly url: string;
  /** The line that decided about the seed, and its number; null if none did. */
  readonly rule: string | null;
  readonly line: number | null;
  readonly crawlDelayMs: number | null;
  readonly sitemaps: readonly string[];
}

export interface DryRunOptions extends SingleVisitOptions {
  readonly importModule: ImportModule;
  /** Called for each seed, when it was tried. */
  readonly tried: (seed: TriedSeed) => void;
}

/** Hosts that are tried at once. */
const HOSTS_AT_ONCE = 16;
/** Sitemaps of one robots.txt, those of its indexes included, that are fetched. */
const SITEMAPS_MAX = 20;
/** Compressed bytes may expand a thousand times, so that little is taken at once. */
const PIECE_BYTES = 16 * 1024;
const NO_LINKS: TriedLinks = { found: 0, taken: 0, refused: {} };

/** Resolves with all seeds that could be read, in their order. */
export async function dryRun(options: DryRunOptions): Promise<readonly TriedSeed[]> {
  const { configuration, importModule, tried } = options;
  const schemes = schemesOf(configuration);
  const seeds = configuration.seeds.flatMap((seed) => {
    const outcome = parseUrl(seed, { files: true, schemes });
    return outcome.kind === "accepted" ? [outcome.url] : [];
  });
  const judge = await RulesJudge.open(configuration, {
    ...{ fingerprintKey: new Uint8Array(16), scope: null, widened: [], importModule },
  });
  const trial = new Trial(options, judge);
  const results = new Map<FetchableUrl, TriedSeed>();
  const hosts = [...Map.groupBy(seeds, (seed) => hostOf(seed)).values()];
  const work = async (): Promise<void> => {
    for (let group = hosts.shift(); group !== undefined; group = hosts.shift()) {
      let delayMs = 0;
      for (const seed of group) {
        await passed(options.clock, delayMs);
        const result = await trial.try(seed);
        delayMs = trial.delayMs(result.robots);
        results.set(seed, result);
        tried(result);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(HOSTS_AT_ONCE, hosts.length) }, work));
  return seeds.flatMap((seed) => results.get(seed) ?? []);
}

class Trial {
  readonly #options: DryRunOptions;
  readonly #judge: RulesJudge;
  readonly #token: string;

  constructor(options: DryRunOptions, judge: RulesJudge) {
    this.#options = options;
    this.#judge = judge;
    this.#token = productToken(userAgentOf(options.configuration, options.version));
  }

  /** From one fetch of a host to the next, as far as its robots.txt is known. */
  delayMs(robots: TriedRobots | null): number {
    const { hostDelay, crawlDelayMax } = this.#options.configuration.politeness;
    return Math.max(hostDelay, Math.min(robots?.crawlDelayMs ?? 0, crawlDelayMax));
  }

  async try(seed: FetchableUrl): Promise<TriedSeed> {
    const { page, robots: found } = await visitSeed(seed, this.#options);
    const file = found === null ? null : parseRobots(found.bytes, this.#token);
    const robots = found === null || file === null ? null : robotsOf(seed, found.url, file);
    const base = { url: seed, robots, redirectTo: null, links: NO_LINKS };
    const sitemaps = await this.#sitemaps(robots, file);
    if (page.kind === "failed") {
      return { ...base, status: null, failure: page.failure, sitemaps };
    }
    // A seed that redirects widens the scope.
    this.#judge.widen(page.url);
    return {
      ...{ ...base, status: page.status, failure: null, sitemaps },
      redirectTo: page.url === seed ? null : page.url,
      links: this.#links(page, file),
    };
  }

  #links(page: SinglePage & { kind: "had" }, file: RobotsFile | null): TriedLinks {
    const { parse, limits } = this.#options.configuration;
    const type = parseContentType(headerValue(page.headers, "content-type"));
    if (page.status >= 300 || !/html/.test(type.media ?? "text/html")) return NO_LINKS;
    const kinds: readonly LinkKind[] = parse.scripts ? [...parse.links, "string"] : parse.links;
    const parser = new PageParser({ kinds, linksMax: limits.linksPerPage });
    const read = parser.read(page.bytes, { headerEncoding: encodingOfLabel(type.charset) });
    const base = documentBase(page.url, read.base, read.encoding);
    const links = read.links.flatMap(({ url, kind, rel, text }) => {
      const to = resolveLink(url, base, read.encoding);
      return to === undefined ? [] : [{ to, source: page.url, depth: 1, kind, rel, text }];
    });
    return this.#judged(links, file, originOf(page.url));
  }

  async #sitemaps(robots: TriedRobots | null, file: RobotsFile | null): Promise<TriedSitemap[]> {
    const { clock, configuration } = this.#options;
    if (!configuration.sitemaps || robots === null) return [];
    const delayMs = this.delayMs(robots);
    const named = [...robots.sitemaps];
    const tried: TriedSitemap[] = [];
    for (const url of named) {
      const outcome = parseUrl(url);
      if (outcome.kind === "refused" || tried.length >= SITEMAPS_MAX) continue;
      await passed(clock, delayMs);
      const page = await visitPage(outcome.url, this.#options);
      if (page.kind === "failed") tried.push({ url, status: null, ...NO_LINKS });
      else {
        const { pages, indexed } = entriesOf(page);
        named.push(...indexed);
        const links = pages.map((to) => ({ ...ENTRY, to, source: page.url }));
        const judged = this.#judged(links, file, originOf(outcome.url));
        tried.push({ url, status: page.status, ...judged });
      }
    }
    return tried;
  }

  /** robots.txt is known of one origin only; it decides about others when a crawl gets there. */
  #judged(
    links: readonly (JudgedLink & { readonly to: string })[],
    file: RobotsFile | null,
    origin: string,
  ): TriedLinks {
    const refused = new CountsByName();
    let taken = 0;
    for (const link of links) {
      const outcome = parseUrl(link.to, { schemes: schemesOf(this.#options.configuration) });
      const refusal =
        outcome.kind === "refused"
          ? outcome.reason
          : (this.#judge.judge(outcome.url, link, false).refusal ??
            robotsRefusal(outcome.url, file, origin));
      if (refusal === null) taken += 1;
      else refused.add(refusal);
    }
    return { found: links.length, taken, refused: refused.toObject() };
  }
}

const ENTRY = { depth: 0, kind: "a", rel: "", text: "" } as const;

function robotsRefusal(
  url: FetchableUrl,
  file: RobotsFile | null,
  origin: string,
): "robots" | null {
  if (file === null || originOf(url) !== origin) return null;
  return file.rules.allows(url.slice(origin.length)) ? null : "robots";
}

function robotsOf(seed: FetchableUrl, url: string, file: RobotsFile): TriedRobots {
  const isOwn = url.startsWith(originOf(seed));
  const rule = isOwn ? file.rules.decide(seed.slice(originOf(seed).length)).rule : null;
  return {
    ...{ url, rule: rule?.text ?? null, line: rule?.line ?? null },
    ...{ crawlDelayMs: file.crawlDelayMs, sitemaps: sitemapUrls(file, url) },
  };
}

function entriesOf({ url, bytes }: SinglePage & { kind: "had" }): {
  readonly pages: readonly string[];
  readonly indexed: readonly string[];
} {
  const pages: string[] = [];
  const indexed: string[] = [];
  const reader = new SitemapReader({
    url,
    take: (entry) => (entry.kind === "page" ? pages : indexed).push(entry.url),
  });
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (!reader.push(bytes.subarray(at, at + PIECE_BYTES))) break;
  }
  reader.end();
  return { pages, indexed };
}

function passed(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
