/**
 * Decides about a link before the frontier sees it: the scope, the limits against traps, nofollow
 * and the `schedule` filter. Cheap checks come first. A refusal is a word, which is counted.
 *
 * The depth is checked last and separately: a link refused only for its depth is remembered, since
 * its page may turn out to be nearer to a seed.
 */

import { type FileLinkRefusal, type FileUrl, fileLinkRefusal } from "../../fetch/files/index.ts";
import { portOfScheme } from "../../formats/url/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { duplicateSegmentsLessThan, type Filter, type LinkView } from "../../rules/filter/index.ts";
import type { CrawlScope, ScopedUrl } from "./crawl-scope.ts";

export type LinkRefusal =
  | FileLinkRefusal
  | "nofollow"
  | "scope"
  | "port"
  | "path-segments"
  | "repeated-segments"
  | "filter-schedule";

/** How far links are followed; null for no limit. */
export type DepthLimits = Pick<Configuration["limits"], "depth" | "hostDepth">;

/** Which of these limits a way exceeds; null for none. */
export function beyondDepths(
  limits: DepthLimits,
  { depth, hostDepth = 0 }: { readonly depth: number; readonly hostDepth?: number },
): "depth" | "host-depth" | null {
  if (limits.depth !== null && depth > limits.depth) return "depth";
  return limits.hostDepth !== null && hostDepth > limits.hostDepth ? "host-depth" : null;
}

export interface LinkGateOptions {
  readonly scope: CrawlScope;
  readonly limits: Configuration["limits"];
  readonly nofollow: Configuration["politeness"]["nofollow"];
  /** Its filter may become another while the crawl runs; null accepts everything. */
  readonly rules: { readonly schedule: Filter<LinkView> | null };
  /** The folders of the seeds that are files. */
  readonly roots: readonly FileUrl[];
  readonly ports: Configuration["fetch"]["ports"];
  /** Those of protocol modules: the port that a scheme has by itself may be used with it. */
  readonly schemes?: ReadonlySet<string>;
}

export class LinkGate {
  readonly #scope: CrawlScope;
  readonly #limits: Configuration["limits"];
  #obeysNofollow: boolean;
  #depths: DepthLimits;
  readonly #rules: LinkGateOptions["rules"];
  readonly #roots: readonly FileUrl[];
  /** Null for any. */
  readonly #ports: ReadonlySet<number> | null;
  readonly #schemes: ReadonlySet<string>;
  readonly #hasFewRepetitions: (path: string) => boolean;

  constructor(options: LinkGateOptions) {
    const { scope, limits, nofollow, rules, roots, ports, schemes } = options;
    this.#scope = scope;
    this.#schemes = schemes ?? new Set();
    this.#limits = limits;
    this.#obeysNofollow = nofollow === "obey";
    this.#depths = limits;
    this.#rules = rules;
    this.#roots = roots;
    this.#ports = ports === "any" ? null : new Set(ports);
    this.#hasFewRepetitions = duplicateSegmentsLessThan(limits.repeatedSegments + 1);
  }

  /** Takes other values for the links that it is asked about from now on. */
  adjust({ limits, politeness }: Pick<Configuration, "limits" | "politeness">): void {
    this.#obeysNofollow = politeness.nofollow === "obey";
    this.#depths = limits;
  }

  /** Why the link is not followed, whatever its depth; null when it is. */
  refusal(link: LinkView & ScopedUrl, isInside?: boolean): LinkRefusal | null {
    if (this.#obeysNofollow && link.nofollow) return "nofollow";
    if (!(isInside ?? this.#scope.has(link))) return "scope";
    const refusal = this.requisiteRefusal(link);
    if (refusal !== null) return refusal;
    const { schedule } = this.#rules;
    if (schedule !== null && !schedule.accepts(link)) return "filter-schedule";
    return null;
  }

  /**
   * The same for what a page needs to be shown, inside the scope or not: only the checks that prevent
   * harm apply.
   */
  requisiteRefusal(link: LinkView): LinkRefusal | null {
    if (link.href.startsWith("file:")) {
      const refusal = fileLinkRefusal(link.href, link.source?.href ?? null, this.#roots);
      if (refusal !== null) return refusal;
    } else if (!this.mayUsePort(link)) return "port";
    const { path } = link;
    if (hasMoreSegments(path, this.#limits.pathSegments)) return "path-segments";
    if (!this.#hasFewRepetitions(path)) return "repeated-segments";
    return null;
  }

  /** Checked before the host is resolved and its robots.txt fetched, which would be in vain. */
  mayUsePort({ port, scheme }: Pick<LinkView, "port" | "scheme">): boolean {
    if (this.#ports === null || this.#ports.has(port)) return true;
    return port !== 0 && port === portOfScheme(scheme) && this.#schemes.has(scheme);
  }

  /** Which limit a link exceeds by its depth; null when it is followed. */
  beyond(way: {
    readonly depth: number;
    readonly hostDepth?: number;
  }): ReturnType<typeof beyondDepths> {
    return beyondDepths(this.#depths, way);
  }
}

/** Segments are what stands between slashes; a slash at the end begins none. */
function hasMoreSegments(path: string, segmentsMax: number): boolean {
  // Each segment has a slash, so a short path cannot have too many.
  if (path.length <= segmentsMax) return false;
  let count = 0;
  let at = 0;
  while (at !== -1 && at < path.length - 1) {
    count += 1;
    if (count > segmentsMax) return true;
    at = path.indexOf("/", at + 1);
  }
  return false;
}
