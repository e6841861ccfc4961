/**
 * How pages of traps stand: never due, allowed within the limits of the crawl, forbidden beyond
 * them. How deep one is follows from its URL and from the depth of the front page that leads in.
 */

import { MAZE } from "../model/link-list.ts";
import { findMazeHost, findTrapPage } from "../model/traps.ts";
import type { WebModel } from "../model/web-model.ts";
import type { CrawlGraph } from "./crawl-graph.ts";
import type { KeyParts } from "./crawl-keys.ts";
import type { CrawlScope } from "./crawl-scope.ts";
import type { Standing } from "./crawl-truth.ts";
import type { TruthRules } from "./truth-rules.ts";

interface TrapSpot {
  /** The hosts whose front pages lead in: one, and with a maze its mirror too. */
  readonly entrances: readonly number[];
  readonly step: number;
  readonly isInScope: boolean;
  /** Whether the host refuses everything; the hosts of a maze never do. */
  readonly isClosed: boolean;
}

interface Surroundings {
  readonly scope: CrawlScope;
  readonly graph: CrawlGraph;
  /** The smallest depth of a page that has the links of the front page; null if none is reached. */
  depthOfFront(host: number): number | null;
}

export class TrapTruth {
  readonly #model: WebModel;
  readonly #rules: TruthRules;
  readonly #around: Surroundings;
  /** By host: finding it out takes a look at all its slots. */
  readonly #entrances = new Map<number, number | null>();

  constructor(model: WebModel, rules: TruthRules, around: Surroundings) {
    this.#model = model;
    this.#rules = rules;
    this.#around = around;
  }

  standingOf(parts: KeyParts): Standing {
    const spot = this.#find(parts);
    if (spot === null) return { kind: "unknown" };
    if (!spot.isInScope) return { kind: "forbidden", reason: "scope" };
    if (spot.isClosed) return { kind: "forbidden", reason: "robots" };
    const depth = this.depthOf(parts);
    if (depth === null) return { kind: "unknown" };
    const { depthMax } = this.#rules;
    if (depthMax !== null && depth > depthMax) return { kind: "forbidden", reason: "depth" };
    return this.#isTooLong(parts) ? { kind: "forbidden", reason: "limit" } : { kind: "allowed" };
  }

  depthOf(parts: KeyParts): number | null {
    const spot = this.#find(parts);
    if (spot === null) return null;
    const fronts = spot.entrances.map((host) => this.#entranceOf(host));
    const reached = fronts.filter((depth) => depth !== null);
    return reached.length === 0 ? null : Math.min(...reached) + 1 + spot.step;
  }

  #entranceOf(host: number): number | null {
    const known = this.#entrances.get(host);
    if (known !== undefined) return known;
    const depth = this.#around.depthOfFront(host);
    this.#entrances.set(host, depth);
    return depth;
  }

  #find({ name, target }: KeyParts): TrapSpot | null {
    const { hosts, links, profile } = this.#model;
    const { length } = profile.traps;
    const maze = findMazeHost(name, length);
    if (maze !== null && target === "/" && links.hasTrap(maze.content, MAZE)) {
      const { content, step } = maze;
      const isMirrored = content + 1 < hosts.count && hosts.contentOf(content + 1) === content;
      const entrances = isMirrored ? [content, content + 1] : [content];
      return { entrances, step, isInScope: this.#around.scope.isUnbounded, isClosed: false };
    }
    const found = hosts.names.find(name);
    if (found === null || found.isAlias) return null;
    const content = hosts.contentOf(found.host);
    const page = findTrapPage(content, target, length);
    if (page === null || !links.hasTrap(content, page.trap)) return null;
    return {
      entrances: [found.host],
      step: page.step,
      isInScope: this.#around.scope.hasTrapPage(found.host, target),
      isClosed: this.#around.graph.hostRefusal(found.host) !== null,
    };
  }

  #isTooLong({ name, target }: KeyParts): boolean {
    const path = target.split("?", 1)[0] ?? "";
    const segments = path.split("/").filter((segment) => segment !== "").length;
    const length = this.#model.originOf(name).length + target.length;
    return segments > this.#rules.pathSegmentsMax || length > this.#rules.urlLengthMax;
  }
}
