/**
 * `trobar/robots`: what a robots.txt says to one crawler (RFC 9309), and what pages ask of crawlers.
 *
 * Nothing is fetched: the program gives the bytes, and the status of the answer if it has one.
 */
import {
  pageDirectives as directivesOf,
  type PageDirectives,
  parseRobots,
  productToken,
  RobotRules,
  type RobotsDecision,
  type RobotsFile,
  robotsPath,
  robotsVerdict,
  sitemapUrls,
} from "../formats/robots/index.ts";
import { bytesOf } from "./byte-source.ts";

export type { PageDirectives, RobotsDecision };

export interface RobotsOptions {
  /** The crawler: its product token (`mybot`), or its whole User-Agent header (`mybot/1.0 (+https://…)`). */
  readonly userAgent: string;
  /**
   * The status of the answer, after redirects: 4xx means that everything is allowed, 429 and 5xx that
   * nothing is until the server answers. 200 unless given.
   */
  readonly status?: number | undefined;
  /** The URL that the file was fetched from: relative sitemaps are resolved against it. */
  readonly url?: string | undefined;
}

/** What a robots.txt says to one crawler. */
export interface Robots {
  /** Whether this URL may be fetched: an absolute one, or a path with its query. */
  allows(url: string): boolean;
  /** As `allows`, with the line that decided. */
  decide(url: string): RobotsDecision;
  /** The wait between two fetches that was asked for, in milliseconds; null if none was. */
  readonly crawlDelayMs: number | null;
  /** Absolute URLs if the options have the URL of the file, else as written. */
  readonly sitemaps: readonly string[];
  /** Content-Signal and Content-Usage lines that concern this crawler, as written. */
  readonly signals: RobotsFile["signals"];
  /** Whether the end of the file was not read, since it is longer than 500 KiB. */
  readonly isTruncated: boolean;
}

/**
 * Reads a robots.txt for one crawler. Any bytes are taken: mistakes are read as the author meant them
 * where well-known parsers agree, else in the stricter way.
 */
export function readRobots(content: string | Uint8Array, options: RobotsOptions): Robots {
  const { userAgent, status = 200, url } = options;
  const verdict = robotsVerdict({ kind: "answered", status });
  const isRead = verdict === "parse" || verdict === "unchanged";
  const file = parseRobots(isRead ? bytesOf(content) : new Uint8Array(0), productToken(userAgent));
  const rules = verdict === "unreachable" ? RobotRules.UNREACHABLE : file.rules;
  return {
    allows: (page) => rules.allows(robotsPath(page)),
    decide: (page) => rules.decide(robotsPath(page)),
    crawlDelayMs: file.crawlDelayMs,
    sitemaps: url === undefined ? file.sitemaps : sitemapUrls(file, url),
    signals: file.signals,
    isTruncated: file.truncated,
  };
}

/** Where the robots.txt for a URL is; null if the text is not an http or https URL. */
export function robotsUrl(url: string): string | null {
  const parsed = URL.parse(url);
  const isWeb = parsed?.protocol === "http:" || parsed?.protocol === "https:";
  return isWeb ? `${parsed.origin}/robots.txt` : null;
}

export interface DirectiveSources {
  /** The values of the `X-Robots-Tag` headers. */
  readonly headers?: readonly string[] | undefined;
  /** The `<meta>` elements for robots, as `readHtml` of `trobar/html` returns them. */
  readonly metas?: readonly { readonly name: string; readonly content: string }[] | undefined;
}

/** What a page asks of this crawler: noindex, nofollow, noarchive and the like. */
export function pageDirectives(sources: DirectiveSources, userAgent: string): PageDirectives {
  const { headers = [], metas = [] } = sources;
  return directivesOf({ headers, metas }, productToken(userAgent));
}
