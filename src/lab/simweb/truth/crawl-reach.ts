/**
 * What a crawl reaches, and in how many steps: breadth first over the graph of the web. It is done
 * twice, over the certain edges and over all, since what only uncertain ones lead to may be fetched
 * and need not be. Redirects that are no step join the level they are found in.
 */

import type { HostModel } from "../model/host-model.ts";
import type { CrawlGraph, Edge } from "./crawl-graph.ts";
import { FAR, type NodeNumbers, NodeTable, type WebNode } from "./web-node.ts";

export interface ReachOptions {
  readonly hosts: HostModel;
  readonly graph: CrawlGraph;
  readonly numbers: NodeNumbers;
  readonly seeds: readonly WebNode[];
  readonly depthMax: number | null;
  readonly isCertainOnly: boolean;
  /** The nodes that the sitemap of a host names; they are found with the first URL of the host. */
  sitemapOf(host: number): Iterable<WebNode>;
}

/** What was found and not followed, and why; `depth` also for what is just beyond the limit. */
export type NotFollowed = "depth" | "nofollow" | "kind" | "redirects";
const NOT_FOLLOWED: readonly NotFollowed[] = ["depth", "nofollow", "kind", "redirects"];
/** Reasons are for human readers: in a web of millions of pages not all of them are kept. */
const NOT_FOLLOWED_MAX = 1_000_000;

export class CrawlReach {
  readonly depths: NodeTable;
  readonly #options: ReachOptions;
  readonly #notFollowed = new Map<number, number>();
  readonly #hostsSeen = new Set<number>();
  /** Nodes of the level being expanded, and of the next. */
  #level: number[] = [];
  #next: number[] = [];
  #depth = 0;

  constructor(options: ReachOptions) {
    this.#options = options;
    this.depths = NodeTable.ofDepths(options.hosts);
    for (const seed of options.seeds) this.#offer(options.graph.canonical(seed), 0);
    this.#level = this.#next;
    this.#next = [];
    while (this.#level.length > 0) this.#expandLevel();
  }

  whyNotFollowed(number: number): NotFollowed | null {
    const code = this.#notFollowed.get(number);
    return code === undefined ? null : (NOT_FOLLOWED[code] ?? null);
  }

  #expandLevel(): void {
    const { graph, numbers } = this.#options;
    const visit = (edge: Edge) => this.#follow(edge);
    // Redirects add to the level while it is walked.
    for (let at = 0; at < this.#level.length; at += 1) {
      const number = this.#level[at] ?? 0;
      if (this.depths.get(number) === this.#depth) graph.visitEdges(numbers.nodeOf(number), visit);
    }
    this.#depth += 1;
    this.#level = this.#next;
    this.#next = [];
  }

  #follow(edge: Edge): void {
    if (this.#options.isCertainOnly && !edge.isCertain) return;
    const node = this.#options.graph.canonical(edge);
    const depth = this.#depth + edge.steps;
    const isTooDeep = this.#options.depthMax !== null && depth > this.#options.depthMax;
    const reason = isTooDeep ? "depth" : edge.notFollowed;
    if (reason === null) this.#offer(node, depth);
    else if (this.#notFollowed.size < NOT_FOLLOWED_MAX) {
      this.#notFollowed.set(this.#options.numbers.numberOf(node), NOT_FOLLOWED.indexOf(reason));
    }
  }

  #offer(node: WebNode, depth: number): void {
    const { graph, numbers, isCertainOnly } = this.#options;
    const number = numbers.numberOf(node);
    if (depth >= this.depths.get(number) || !graph.isInScope(node)) return;
    if (isCertainOnly && graph.isDoubtful(node.host)) return;
    if (graph.refusal(node) === null) {
      this.depths.set(number, Math.min(depth, FAR - 1));
      if (depth === this.#depth && this.#level.length > 0) this.#level.push(number);
      else this.#next.push(number);
    }
    this.#enterHost(node, depth);
  }

  #enterHost({ host }: WebNode, depth: number): void {
    if (this.#hostsSeen.has(host)) return;
    this.#hostsSeen.add(host);
    for (const listed of this.#options.sitemapOf(host)) this.#offer(listed, depth);
  }
}
