/**
 * The truth about one crawl of a synthetic web: which URLs it must, may and must not fetch, what
 * becomes of each, how far from the seeds it is, which link leads where, and which pages are equal.
 * Everything is computed from the model of the web, nothing from what was served. A web of ten
 * million pages takes some minutes and a few tens of megabytes; what is large is iterated.
 *
 * - **must**: found over certain links from the seeds, allowed by scope, robots and limits.
 * - **may**: found only where a forgiving crawler looks (in a body cut short, behind a name server
 *   that cuts its answers off); everything in a trap that the limits allow, since giving up on a
 *   trap early is not wrong; sitemaps. One redirect more than the limit, as some count the last.
 * - **must not**: everything else that the web has. What no link names at all is `unknown`.
 */

import { crawlDelaySeconds, hasRobotsText } from "../model/robots-model.ts";
import { INDEX_PAGE, PLAIN, variantKind } from "../model/variant.ts";
import type { WebModel } from "../model/web-model.ts";
import type { GeneratedWeb } from "../web/generated-web.ts";
import { Sitemaps } from "../web/sitemaps.ts";
import { CrawlGraph } from "./crawl-graph.ts";
import { CrawlKeys } from "./crawl-keys.ts";
import { CrawlReach } from "./crawl-reach.ts";
import { CrawlScope } from "./crawl-scope.ts";
import type { CrawlTruth, ForbiddenReason, PageKey, Standing } from "./crawl-truth.ts";
import type { Expectation, TrueLink } from "./expectation.ts";
import { NodeOutcomes } from "./node-outcomes.ts";
import { TrapTruth } from "./trap-truth.ts";
import { DEFAULT_TRUTH_RULES, type TruthRules } from "./truth-rules.ts";
import { FAR, NodeNumbers, NodeTable, type WebNode } from "./web-node.ts";

export class Truth implements CrawlTruth {
  readonly #model: WebModel;
  readonly #rules: TruthRules;
  readonly #keys: CrawlKeys;
  readonly #graph: CrawlGraph;
  readonly #numbers: NodeNumbers;
  readonly #sitemaps: Sitemaps;
  readonly #outcomes: NodeOutcomes;
  readonly #traps: TrapTruth;
  readonly #certain: CrawlReach;
  readonly #possible: CrawlReach;
  /** Seeds that name no page of the web: asked for and not found. */
  readonly #strays: ReadonlySet<PageKey>;
  #dueCount: number | null = null;
  #inLinks: NodeTable | null = null;

  constructor(web: GeneratedWeb, rules: Partial<TruthRules> & Pick<TruthRules, "seeds">) {
    this.#model = web.model;
    this.#rules = { ...DEFAULT_TRUTH_RULES, ...rules };
    this.#keys = new CrawlKeys(this.#model, this.#rules.url);
    this.#numbers = new NodeNumbers(this.#model.hosts);
    this.#sitemaps = new Sitemaps(this.#model);
    const seeds = this.#rules.seeds.map((seed) => this.#keys.keyOfUrl(seed));
    const nodes = seeds.map((key) => this.#keys.nodeOf(key)).filter((node) => node !== null);
    this.#strays = new Set(seeds.filter((key) => this.#keys.nodeOf(key) === null));
    const scope = new CrawlScope(this.#model, this.#rules.scope, this.#rules.url.www === "strip");
    this.#graph = new CrawlGraph(this.#model, this.#rules, scope);
    for (const node of nodes) this.#widen(scope, node);
    this.#certain = this.#reach(nodes, true);
    this.#possible = this.#hasDoubts() ? this.#reach(nodes, false) : this.#certain;
    this.#outcomes = new NodeOutcomes(this.#model, this.#graph, this.#rules);
    this.#traps = new TrapTruth(this.#model, this.#rules, {
      scope,
      graph: this.#graph,
      depthOfFront: (host) => this.#depthOfFront(host),
    });
  }

  keyOf(host: string, target: string): PageKey {
    return this.#keys.keyOf(host, target);
  }

  standingOf(key: PageKey): Standing {
    const node = this.#keys.nodeOf(key);
    if (node === null) return this.#standingOutside(key);
    const canonical = this.#graph.canonical(node);
    const number = this.#numbers.numberOf(canonical);
    if (this.#certain.depths.get(number) !== FAR) {
      return { kind: "due", ending: this.#endingOf(canonical) };
    }
    if (this.#possible.depths.get(number) !== FAR) return { kind: "allowed" };
    const reason = this.#whyForbidden(canonical);
    return reason === null ? { kind: "unknown" } : { kind: "forbidden", reason };
  }

  *dueKeys(): Generator<PageKey> {
    for (const number of this.#certain.depths.numbers()) {
      yield this.#keys.keyOfNode(this.#numbers.nodeOf(number));
    }
    yield* this.#strays;
  }

  get dueCount(): number {
    if (this.#dueCount === null) {
      this.#dueCount = this.#strays.size;
      for (const _number of this.#certain.depths.numbers()) this.#dueCount += 1;
    }
    return this.#dueCount;
  }

  depthOf(key: PageKey): number | null {
    const node = this.#keys.nodeOf(key);
    if (node !== null) return this.#depthOf(node);
    if (this.#strays.has(key)) return 0;
    const parts = this.#keys.partsOf(key);
    const forms = parts === null ? [] : this.#keys.sentForms(parts);
    return forms.map((form) => this.#traps.depthOf(form)).find((depth) => depth !== null) ?? null;
  }

  inLinksOf(key: PageKey): number {
    this.#inLinks ??= this.#countInLinks();
    const node = this.#keys.nodeOf(key);
    if (node === null) return 0;
    return this.#inLinks.get(this.#numbers.numberOf(this.#graph.canonical(node)));
  }

  isArchivable(key: PageKey): boolean {
    const expected = this.expectationOf(key);
    return expected?.isNoarchive !== true || expected.outcomes.length > 1;
  }

  mayBeLeftOut(key: PageKey): boolean {
    return this.expectationOf(key)?.isNoarchive === true;
  }

  crawlDelayMsOf(host: string): number {
    const found = this.#model.hosts.names.find(host);
    if (found === null) return 0;
    const { hosts } = this.#model;
    return crawlDelaySeconds(hosts.robotsKind(found.host), hosts.contentOf(found.host)) * 1000;
  }

  /** Everything that must or may be fetched, the pages of traps left out. */
  *expectations(): Generator<Expectation> {
    for (const number of this.#possible.depths.numbers()) {
      yield this.#expectationOf(this.#numbers.nodeOf(number), number);
    }
  }

  /** Null for what must not be fetched, and for pages of traps. */
  expectationOf(key: PageKey): Expectation | null {
    const node = this.#keys.nodeOf(key);
    if (node === null) return null;
    const canonical = this.#graph.canonical(node);
    const number = this.#numbers.numberOf(canonical);
    return this.#possible.depths.get(number) === FAR
      ? null
      : this.#expectationOf(canonical, number);
  }

  /**
   * Every link on every page that is expected, of all kinds, followed or not; those to itself and
   * into traps left out. On pages that some crawlers read only in part there may be fewer.
   */
  *links(): Generator<TrueLink> {
    for (const number of this.#possible.depths.numbers()) {
      const node = this.#numbers.nodeOf(number);
      if (this.#outcomes.of(node).outcomes.includes("page")) {
        yield* this.#graph.linksOf(node, (one) => this.#keys.keyOfNode(this.#graph.canonical(one)));
      }
    }
  }

  #expectationOf(node: WebNode, number: number): Expectation {
    const depth = this.#certain.depths.get(number);
    return {
      key: this.#keys.keyOfNode(node),
      url: this.#keys.urlOf(node),
      due: depth === FAR ? "may" : "must",
      depth,
      depthMin: this.#possible.depths.get(number),
      ...this.#outcomes.of(node),
    };
  }

  #reach(seeds: readonly WebNode[], isCertainOnly: boolean): CrawlReach {
    const { hosts } = this.#model;
    const [graph, numbers, { depthMax }] = [this.#graph, this.#numbers, this.#rules];
    const sitemapOf = (host: number) => this.#sitemapNodes(host, isCertainOnly);
    return new CrawlReach({ hosts, graph, numbers, seeds, depthMax, isCertainOnly, sitemapOf });
  }

  /** A seed that redirects widens the scope to wherever it leads. */
  #widen(scope: CrawlScope, seed: WebNode): void {
    scope.add(seed);
    let from: WebNode = seed;
    for (let hops = this.#rules.redirectsMax; hops > 0; hops -= 1) {
      const next = this.#graph.redirectOf(from);
      if (next === null) return;
      scope.add(next);
      from = next;
    }
  }

  /** With a limit on depth it is not defined how deep a sitemap is, so nothing in it is certain. */
  *#sitemapNodes(host: number, isCertainOnly: boolean): Generator<WebNode> {
    const { hosts, slots } = this.#model;
    const { sitemaps, robots, depthMax } = this.#rules;
    const isCertain = depthMax === null && robots === "obey";
    if (!sitemaps || (isCertainOnly && !isCertain)) return;
    if (this.#sitemaps.urlOf(host) === null || !hasRobotsText(hosts.robotsKind(host))) return;
    const content = hosts.contentOf(host);
    for (let slot = 0; slot < hosts.size(host); slot += 1) {
      if (!this.#sitemaps.lists(slots.role(content, slot))) continue;
      yield { host, slot, variant: 0, isAlias: false };
    }
  }

  /** Whether anything in this web may make two right crawls differ. */
  #hasDoubts(): boolean {
    const { dns, files, encodings, oddities, redirects, traps } = this.#model.profile;
    const shares = [dns.truncated, files.oddTypes, redirects.long, traps.floods];
    const others = [...Object.values(encodings), ...Object.values(oddities)];
    return this.#rules.sitemaps || [...shares, ...others].some((share) => share > 0);
  }

  #endingOf(node: WebNode): "answered" | "failing" | "unreachable" {
    if (this.#graph.isUnresolved(node.host)) return "unreachable";
    return this.#graph.isFailing(node) ? "failing" : "answered";
  }

  #whyForbidden(node: WebNode): ForbiddenReason | null {
    const refusal = this.#graph.refusal(node);
    if (refusal !== null) return refusal === "scope" ? "scope" : "robots";
    const reason = this.#possible.whyNotFollowed(this.#numbers.numberOf(node));
    if (reason === "nofollow" || reason === "depth") return reason;
    if (reason === "redirects" || variantKind(node.variant) === "hop") return "limit";
    return this.#rules.depthMax === null ? null : "depth";
  }

  #standingOutside(key: PageKey): Standing {
    if (this.#strays.has(key)) return { kind: "due", ending: "answered" };
    const parts = this.#keys.partsOf(key);
    if (parts === null) return { kind: "unknown" };
    const { name, target } = parts;
    if (/^\/robots(?:-\d+)?\.txt$/.test(target)) return { kind: "robots" };
    const found = this.#model.hosts.names.find(name);
    const isSitemap = found !== null && this.#sitemaps.isSitemap(found.host, target);
    if (isSitemap && this.#rules.sitemaps) return { kind: "allowed" };
    const standings = this.#keys.sentForms(parts).map((form) => this.#traps.standingOf(form));
    return standings.find(({ kind }) => kind !== "unknown") ?? { kind: "unknown" };
  }

  #depthOf(node: WebNode): number | null {
    const number = this.#numbers.numberOf(this.#graph.canonical(node));
    const depth = this.#possible.depths.get(number);
    return depth === FAR ? null : depth;
  }

  /** Of the front page under all its URLs, and of its copies, which have its links too. */
  #depthOfFront(host: number): number | null {
    const { hosts, slots } = this.#model;
    const content = hosts.contentOf(host);
    let least: number | null = null;
    for (let slot = 0; slot < hosts.size(host); slot += 1) {
      if (slots.originalOf(content, slot) !== 0) continue;
      for (let variant = PLAIN; variant <= INDEX_PAGE; variant += 1) {
        const depth = this.#depthOf({ host, slot, variant, isAlias: false });
        if (depth !== null && (least === null || depth < least)) least = depth;
      }
    }
    return least;
  }

  #countInLinks(): NodeTable {
    const counts = NodeTable.ofCounts(this.#model.hosts);
    for (const number of this.#certain.depths.numbers()) {
      this.#graph.visitEdges(this.#numbers.nodeOf(number), (edge) => {
        const to = this.#numbers.numberOf(this.#graph.canonical(edge));
        counts.set(to, counts.get(to) + 1);
      });
    }
    return counts;
  }
}
