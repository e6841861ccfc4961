/** What a fetch of a node comes to, by its role and its host. */

import { isRedirect } from "../model/redirects.ts";
import { type Role, roleFacts } from "../model/role.ts";
import type { WebModel } from "../model/web-model.ts";
import type { CrawlGraph } from "./crawl-graph.ts";
import type { Expectation, Outcome } from "./expectation.ts";
import type { TruthRules } from "./truth-rules.ts";
import type { WebNode } from "./web-node.ts";

export type NodeOutcome = Pick<
  Expectation,
  | "outcomes"
  | "fetchesMin"
  | "fetchesMax"
  | "isNoarchive"
  | "family"
  | "numberedFamily"
  | "nearFamily"
>;

const ERRORS: ReadonlySet<Role> = new Set([
  "missing",
  "gone",
  "forbidden",
  "broken",
  "throttled-for-good",
]);
/** Errors after which a crawler may try again, or not. */
const PERHAPS_RETRIED: ReadonlySet<Role> = new Set(["broken"]);

export class NodeOutcomes {
  readonly #model: WebModel;
  readonly #graph: CrawlGraph;
  readonly #rules: TruthRules;

  constructor(model: WebModel, graph: CrawlGraph, rules: TruthRules) {
    this.#model = model;
    this.#graph = graph;
    this.#rules = rules;
  }

  of(node: WebNode): NodeOutcome {
    const outcomes = this.#outcomes(node);
    const isPage = outcomes.includes("page");
    const content = this.#model.hosts.contentOf(node.host);
    const original = this.#model.slots.originalOf(content, node.slot);
    const role = this.#graph.roleOf(node);
    const hasBody = isPage && role !== "empty";
    const { hasLinks } = roleFacts(role);
    const familyOf = (slot: number) => (hasBody ? `${content}/${slot}` : null);
    const isNear = role === "near-copy";
    const isNumbered = role === "numbered-copy" || isNear;
    return {
      outcomes,
      ...this.#fetches(node),
      isNoarchive: isPage && hasLinks && this.#model.directives.isNoarchive(content, original),
      family: familyOf(isNumbered ? node.slot : original),
      numberedFamily: familyOf(isNear ? node.slot : original),
      nearFamily: familyOf(original),
    };
  }

  #outcomes(node: WebNode): readonly Outcome[] {
    if (this.#graph.isUnresolved(node.host)) return ["unresolved"];
    const doubt: Outcome[] = this.#graph.isDoubtful(node.host) ? ["unresolved"] : [];
    return [...this.#answered(node), ...doubt];
  }

  #answered(node: WebNode): readonly Outcome[] {
    const role = this.#graph.roleOf(node);
    if (node.isAlias) return ["redirect"];
    if (this.#model.hosts.fate(node.host) === "dead") return ["failed"];
    if (isRedirect(role)) return ["redirect"];
    if (ERRORS.has(role)) return ["error"];
    if (this.#graph.isFailing(node)) return [role === "throttled" ? "error" : "failed"];
    return roleFacts(role).isUncertain ? ["page", "failed"] : ["page"];
  }

  #fetches(node: WebNode): Pick<NodeOutcome, "fetchesMin" | "fetchesMax"> {
    const { retries } = this.#rules;
    const role = this.#graph.roleOf(node);
    if (this.#graph.isUnresolved(node.host)) return { fetchesMin: 0, fetchesMax: 0 };
    const doubt = this.#graph.isDoubtful(node.host) ? 0 : 1;
    if (node.isAlias) return { fetchesMin: doubt, fetchesMax: 1 };
    if (this.#graph.isFailing(node)) return { fetchesMin: doubt, fetchesMax: 1 + retries };
    if (role === "throttled" || role === "reset") {
      const content = this.#model.hosts.contentOf(node.host);
      const tries = 1 + this.#model.slots.failingTries(content, node.slot);
      return { fetchesMin: doubt * tries, fetchesMax: tries };
    }
    const isRetried = roleFacts(role).isUncertain || PERHAPS_RETRIED.has(role);
    // Names compared without `www`: the bare one is asked first, and redirects.
    const isAsked = this.#rules.url.www === "strip" && this.#model.hosts.names.hasAlias(node.host);
    return { fetchesMin: doubt, fetchesMax: (isRetried ? 1 + retries : 1) + (isAsked ? 1 : 0) };
  }
}
