/**
 * A synthetic web, generated as it is asked for: the host is found by its name, the page by its
 * path, and the answer is made from their numbers. Nothing is kept between two requests.
 */
import { keyOf, parseUrl, partsOf, type UrlRules } from "../../../formats/url/index.ts";
import { HostFacts } from "../model/host-facts.ts";
import { MAZE } from "../model/link-list.ts";
import { hasRobotsText } from "../model/robots-model.ts";
import { findMazeHost, findTrapPage, type MazeHost } from "../model/traps.ts";
import { WebModel, type WebOptions } from "../model/web-model.ts";
import { isGhost } from "../pages/decoys.ts";
import { errorAnswer, redirectAnswer, resetAnswer, textAnswer } from "./answer.ts";
import { robotsAnswer } from "./robots-answers.ts";
import { Sitemaps } from "./sitemaps.ts";
import { SlotAnswers } from "./slot-answers.ts";
import type { SyntheticWeb, WebHost, WebRequest, WebResponse } from "./synthetic-web.ts";

/** Escapes are brought into their normal form, and nothing else is changed. */
const NO_RULES: UrlRules = {
  sessionIds: "keep",
  trackingParams: "keep",
  sortQuery: false,
  trailingSlash: "keep",
  indexPages: "keep",
  www: "keep",
};

export class GeneratedWeb implements SyntheticWeb {
  readonly model: WebModel;
  readonly #facts: HostFacts;
  readonly #answers: SlotAnswers;
  readonly #sitemaps: Sitemaps;

  constructor(options: WebOptions) {
    this.model = new WebModel(options);
    this.#facts = new HostFacts(this.model);
    this.#answers = new SlotAnswers(this.model);
    this.#sitemaps = new Sitemaps(this.model);
  }

  get hostCount(): number {
    return this.model.hosts.count;
  }

  hostAt(index: number): WebHost {
    return this.#facts.webHost(index, this.model.hosts.names.nameOf(index));
  }

  hostNamed(name: string): WebHost | null {
    const normal = normalName(name);
    const found = this.model.hosts.names.find(normal);
    if (found !== null) return this.#facts.webHost(found.host, normal);
    const maze = this.#maze(normal);
    return maze === null ? null : this.#facts.mazeHost(maze.content, normal);
  }

  /**
   * URLs from which everything can be found: the front pages of the first hosts, by the name of the
   * domain where that redirects.
   */
  seeds(count = 1): string[] {
    const { names } = this.model.hosts;
    const hosts = Array.from({ length: Math.min(count, this.hostCount) }, (_, host) => host);
    return hosts.map((host) => this.model.url(host, 0, 0, names.hasAlias(host)));
  }

  respond(request: WebRequest): WebResponse {
    if (request.method !== "GET" && request.method !== "HEAD") return errorAnswer(405);
    const name = normalName(request.host);
    const target = normalTarget(request.target);
    if (target === null) return errorAnswer(400);
    const found = this.model.hosts.names.find(name);
    if (found === null) return this.#respondInMaze(name, target);
    if (found.isAlias) {
      const origin = this.model.originOf(this.model.hosts.names.nameOf(found.host));
      return redirectAnswer(301, origin + target);
    }
    if (this.model.hosts.fate(found.host) === "dead") return resetAnswer();
    const response = this.#respondOn(found.host, target, request);
    const { delayMs, bytesPerSecond } = this.#facts.pace(found.host);
    return delayMs === 0 && bytesPerSecond === 0
      ? response
      : { ...response, delayMs, bytesPerSecond };
  }

  #respondOn(host: number, target: string, request: WebRequest): WebResponse {
    const { hosts, paths, profile } = this.model;
    const content = hosts.contentOf(host);
    const found = paths.find(content, target);
    const { headers, earlierTries } = request;
    if (found !== null) return this.#answers.answer({ host, ...found, headers, earlierTries });
    const trap = findTrapPage(content, target, profile.traps.length);
    if (trap !== null && this.model.links.hasTrap(content, trap.trap)) {
      return trapAnswer(target, [...trap.onward, "/"]);
    }
    if (isGhost(target)) return textAnswer("<!DOCTYPE html>\n<title>Ghost</title>\n", "text/html");
    return (
      this.#robots(host, target, earlierTries) ??
      this.#sitemaps.answer(host, target) ??
      errorAnswer(404)
    );
  }

  #robots(host: number, target: string, earlierTries: number): WebResponse | null {
    if (!target.startsWith("/robots")) return null;
    const { hosts, robotsToken: token } = this.model;
    const kind = hosts.robotsKind(host);
    const sitemap = hasRobotsText(kind) ? this.#sitemaps.urlOf(host) : null;
    const content = hosts.contentOf(host);
    return robotsAnswer({ kind, content, target, earlierTries, token, sitemap });
  }

  #respondInMaze(name: string, target: string): WebResponse {
    const maze = this.#maze(name);
    if (maze === null) return errorAnswer(421);
    if (target !== "/") return errorAnswer(404);
    const onward = maze.onward.map((host) => `${this.model.originOf(host)}/`);
    return trapAnswer(name, [...onward, this.model.url(maze.content, 0)]);
  }

  #maze(name: string): MazeHost | null {
    const maze = findMazeHost(name, this.model.profile.traps.length);
    const { hosts, links } = this.model;
    const isThere =
      maze !== null &&
      maze.content < hosts.count &&
      hosts.contentOf(maze.content) === maze.content &&
      links.hasTrap(maze.content, MAZE);
    return isThere ? maze : null;
  }
}

function trapAnswer(title: string, links: readonly string[]): WebResponse {
  const shown = links.map((link) => `<a href="${link.replaceAll("&", "&amp;")}">on</a>\n`);
  const shownTitle = title.replaceAll("&", "&amp;");
  const text = `<!DOCTYPE html>\n<title>${shownTitle}</title>\n${shown.join("")}`;
  return textAnswer(text, "text/html; charset=utf-8");
}

function normalName(host: string): string {
  const name = host.toLowerCase();
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** Escapes in their normal form; null for what is no path. */
function normalTarget(target: string): string | null {
  if (!target.startsWith("/")) return null;
  if (!target.includes("%")) return target;
  const parsed = parseUrl(`http://host${target}`);
  if (parsed.kind === "refused") return null;
  const { path, query } = partsOf(keyOf(parsed.url, NO_RULES));
  return path + query;
}
