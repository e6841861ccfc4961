/**
 * The graph of a web as a crawl with given rules sees it: which URLs it may ask for, and where each
 * leads. Everything comes from the model; no page is made. An edge is *certain* when every crawler
 * that keeps the rules finds it, and uncertain when that depends on how forgiving it is.
 */

import type { FollowableKind } from "../../../formats/link/index.ts";
import type { UrlKey } from "../../../formats/url/index.ts";
import type { Fate } from "../model/host-model.ts";
import { LinkList } from "../model/link-list.ts";
import { isRedirect, nextHop } from "../model/redirects.ts";
import { closesRole, crawlDelaySeconds } from "../model/robots-model.ts";
import { type Role, roleFacts } from "../model/role.ts";
import { HOP_FIRST, PLAIN, variantKind } from "../model/variant.ts";
import type { WebModel } from "../model/web-model.ts";
import type { CrawlScope } from "./crawl-scope.ts";
import type { TrueLink } from "./expectation.ts";
import type { TruthRules } from "./truth-rules.ts";
import type { WebNode } from "./web-node.ts";

/** Why a crawl must not ask for a URL that it has found. */
export type Refusal = "scope" | "robots" | "robots-unreachable" | "crawl-delay";

export interface Edge extends WebNode {
  readonly isCertain: boolean;
  /** 0 for a redirect that does not count as a step. */
  readonly steps: number;
  /** Set where the link is found but not followed. */
  readonly notFollowed: "nofollow" | "kind" | "redirects" | null;
}

const UNRESOLVED: ReadonlySet<Fate> = new Set(["dns-missing", "dns-failing", "dns-silent"]);

export class CrawlGraph {
  readonly #model: WebModel;
  readonly #rules: TruthRules;
  readonly #scope: CrawlScope;
  readonly #kinds: ReadonlySet<FollowableKind>;
  readonly #links = new LinkList();

  constructor(model: WebModel, rules: TruthRules, scope: CrawlScope) {
    this.#model = model;
    this.#rules = rules;
    this.#scope = scope;
    this.#kinds = new Set(rules.linkKinds);
  }

  /** The node that stands for all nodes with the same key. */
  canonical(node: WebNode): WebNode {
    const { url } = this.#rules;
    const kind = variantKind(node.variant);
    const isSame =
      (kind === "session" && url.sessionIds === "strip") ||
      (kind === "campaign" && url.trackingParams === "strip") ||
      (kind === "index" && url.indexPages === "strip");
    const isAlias = node.isAlias && url.www === "keep";
    if (!isSame && isAlias === node.isAlias) return node;
    return { ...node, variant: isSame ? PLAIN : node.variant, isAlias };
  }

  roleOf({ host, slot }: WebNode): Role {
    return this.#model.slots.role(this.#model.hosts.contentOf(host), slot);
  }

  refusal(node: WebNode): Refusal | null {
    if (!this.#scope.has(node)) return "scope";
    return this.hostRefusal(node.host) ?? this.#roleRefusal(node);
  }

  /** Why nothing of a host may be asked for. */
  hostRefusal(host: number): Refusal | null {
    if (this.#rules.robots === "ignore") return null;
    const { hosts } = this.#model;
    const fate = hosts.fate(host);
    if (fate === "dead") return "robots-unreachable";
    // Without an address there is no robots.txt either; the URLs end as not resolved.
    if (UNRESOLVED.has(fate)) return null;
    const kind = hosts.robotsKind(host);
    if (kind === "broken") return "robots-unreachable";
    if (kind === "closed") return "robots";
    const delayMs = crawlDelaySeconds(kind, hosts.contentOf(host)) * 1000;
    const isOver = delayMs > this.#rules.crawlDelayMaxMs;
    return isOver && this.#rules.crawlDelayOver === "skip" ? "crawl-delay" : null;
  }

  /** Whether crawlers may differ in whether they reach the host at all. */
  isDoubtful(host: number): boolean {
    const { hosts } = this.#model;
    if (hosts.fate(host) === "dns-truncated") return true;
    // Without retries it depends on whether the robots.txt was asked for before.
    const { retries, robots } = this.#rules;
    return retries === 0 && robots === "obey" && hosts.robotsKind(host) === "passing";
  }

  isInScope(node: WebNode): boolean {
    return this.#scope.has(node);
  }

  isUnresolved(host: number): boolean {
    return UNRESOLVED.has(this.#model.hosts.fate(host));
  }

  /** Whether every try that the rules allow fails. */
  isFailing(node: WebNode): boolean {
    if (node.isAlias) return false;
    if (this.#model.hosts.fate(node.host) === "dead") return true;
    const role = this.roleOf(node);
    const { oddity, hasLinks } = roleFacts(role);
    if (role === "reset-for-good" || role === "throttled-for-good") return true;
    if (role === "throttled" || role === "reset")
      return this.#triesNeeded(node) > this.#rules.retries;
    return oddity !== undefined && !hasLinks;
  }

  /** Calls `visit` for everything that the answer to this URL leads to. */
  visitEdges(node: WebNode, visit: (edge: Edge) => void): void {
    if (this.isUnresolved(node.host) || this.isFailing(node)) return;
    if (node.isAlias) {
      visit({ ...node, isAlias: false, ...this.#redirectEdge(1) });
      return;
    }
    const role = this.roleOf(node);
    if (isRedirect(role)) this.#visitRedirect(node, visit);
    else if (role !== "nofollow-page" || this.#rules.nofollow === "ignore") {
      this.#visitLinks(node, role, visit);
    }
  }

  /** Where a redirect leads; null for anything else. */
  redirectOf(node: WebNode): WebNode | null {
    if (node.isAlias) return { ...node, isAlias: false };
    const next = isRedirect(this.roleOf(node)) ? nextHop(this.#model, node) : null;
    return next === null ? null : { ...next, isAlias: false };
  }

  /** The links on a page, each named once for its kind, those to the page itself left out. */
  *linksOf(node: WebNode, keyOf: (node: WebNode) => UrlKey): Generator<TrueLink> {
    const links = this.#links;
    this.#model.links.fill(node.host, node.slot, links);
    const from = keyOf(node);
    const found = new Map<string, TrueLink>();
    for (let at = 0; at < links.count; at += 1) {
      if (links.slot(at) < 0) continue;
      const to = keyOf(links.target(at));
      const [kind, isNofollow] = [links.kind(at), links.isNofollow(at)];
      if (to !== from) found.set(`${kind} ${isNofollow} ${to}`, { from, to, kind, isNofollow });
    }
    yield* found.values();
  }

  #visitLinks(node: WebNode, role: Role, visit: (edge: Edge) => void): void {
    const links = this.#links;
    this.#model.links.fill(node.host, node.slot, links);
    const isPageCertain = roleFacts(role).isUncertain !== true;
    for (let at = 0; at < links.count; at += 1) {
      // Pages of traps are dealt with by their form.
      if (links.slot(at) < 0) continue;
      const isSkipped = links.isNofollow(at) && this.#rules.nofollow === "obey";
      const isOtherKind = !this.#kinds.has(links.kind(at));
      visit({
        ...links.target(at),
        isCertain: isPageCertain && at < this.#rules.linksPerPageMax,
        steps: 1,
        notFollowed: isOtherKind ? "kind" : isSkipped ? "nofollow" : null,
      });
    }
  }

  #visitRedirect(node: WebNode, visit: (edge: Edge) => void): void {
    const next = nextHop(this.#model, node);
    if (next === null) return;
    const done = variantKind(node.variant) === "hop" ? node.variant - HOP_FIRST + 1 : 0;
    visit({ ...next, isAlias: false, ...this.#redirectEdge(done + 1) });
  }

  /** One more than the limit is left to the crawler: some count the last answer, some do not. */
  #redirectEdge(count: number): Pick<Edge, "isCertain" | "steps" | "notFollowed"> {
    const { redirectsMax, redirectsAreSteps } = this.#rules;
    return {
      isCertain: count <= redirectsMax,
      steps: redirectsAreSteps ? 1 : 0,
      notFollowed: count > redirectsMax + 1 ? "redirects" : null,
    };
  }

  #roleRefusal(node: WebNode): Refusal | null {
    if (this.#rules.robots === "ignore" || this.isUnresolved(node.host)) return null;
    const kind = this.#model.hosts.robotsKind(node.host);
    return closesRole(kind, this.roleOf(node)) ? "robots" : null;
  }

  #triesNeeded({ host, slot }: WebNode): number {
    return this.#model.slots.failingTries(this.#model.hosts.contentOf(host), slot);
  }
}
