/**
 * A whole crawl of a synthetic web in virtual time: the frontier decides, a lane without sockets
 * asks the web and reads its pages as the reference crawler does, and every request is in an access
 * log, so that the crawl can be judged as a real one would be.
 */
import assert from "node:assert/strict";
import type { ErrorCode } from "../../src/base/errors/index.ts";
import { type FetchableUrl, keyOf, parseUrl } from "../../src/formats/url/index.ts";
import {
  type Frontier,
  openMemoryFrontier,
  type PageEnd,
  type PageErrand,
  type Resolution,
  type RobotsEnd,
  type RobotsErrand,
} from "../../src/frontier/front/index.ts";
import type { Ticket } from "../../src/frontier/ticket/index.ts";
import { Kernel } from "../../src/lab/simulator/index.ts";
import type { SyntheticWeb, TruthRules, WebResponse } from "../../src/lab/simweb/index.ts";
import { AccessLog } from "../../src/lab/simweb/serve/access-log.ts";
import { planAnswer } from "../../src/lab/simweb/serve/answer-plan.ts";
import { retryAfterMs } from "../../src/lab/simweb/serve/retry-after.ts";
import type { Oddity } from "../../src/lab/simweb/web/synthetic-web.ts";
import { toyFingerprint } from "../support/frontier/toy-crawl.ts";
import { ToyLane, type ToyWeb } from "../support/frontier/toy-lane.ts";
import { decodeBody, readPage, valuesOf } from "../support/lab/reference-crawler/page.ts";

export interface JudgedCrawlOptions {
  readonly web: SyntheticWeb;
  readonly rules: TruthRules;
  readonly seed: string;
  readonly connections: number;
}

const TOKEN = "trobar";
const CODES: Readonly<Record<string, string>> = {
  "no-such-name": "DNS_NOT_FOUND",
  "server-failure": "DNS_SERVER_FAILED",
  silence: "DNS_TIMED_OUT",
  truncated: "DNS_SERVER_FAILED",
};

/** Answers whose form is unusual and right. */
const WHOLE: ReadonlySet<Oddity> = new Set<Oddity>(["chunked", "no-length-close"]);

interface Asked {
  readonly response: WebResponse;
  readonly hasAnswer: boolean;
  readonly afterMs: number;
}

export class JudgedCrawl implements ToyWeb {
  readonly log: AccessLog = new AccessLog();
  readonly frontier: Frontier;
  readonly lane: ToyLane;
  readonly #options: JudgedCrawlOptions;
  readonly #kernel: Kernel;
  readonly #tries = new Map<string, number>();
  /** What a page leads to, until it is settled; with a depth limit for ever. */
  readonly #links = new Map<string, readonly string[]>();
  readonly #scope: URL[] = [];

  constructor(options: JudgedCrawlOptions) {
    this.#options = options;
    const { rules, connections } = options;
    const kernel = new Kernel({ seed: options.seed });
    this.#kernel = kernel;
    const delays = { hostDelayMs: 1000, addressDelayMs: 250, restMsMax: 600_000 };
    this.lane = new ToyLane({
      ...{ kernel, web: this, connections, ...delays },
      settled: (ticket) => this.#follow(ticket.high, ticket.low, ticket.depth),
      expanded: (errand) => this.#follow(errand.high, errand.low, errand.depth ?? 0),
    });
    this.frontier = openMemoryFrontier({
      clock: kernel.clock,
      random: kernel.random.fork("frontier"),
      settings: {
        robots: rules.robots,
        productToken: TOKEN,
        crawlDelayMsMax: rules.crawlDelayMaxMs,
        crawlDelayOver: rules.crawlDelayOver,
        retries: rules.retries,
        keepsDepths: rules.depthMax !== null,
      },
      listener: {
        woken: () => this.lane.pump(),
        failed: (error) => {
          throw error;
        },
      },
    });
    this.lane.frontier = this.frontier;
  }

  run(): string {
    for (const seed of this.#options.rules.seeds) {
      this.#scope.push(new URL(seed));
      this.#offer(seed, 0, 0);
    }
    return this.lane.runToEnd();
  }

  resolve({ host }: { readonly host: string }): { afterMs: number; resolution: Resolution } {
    const found = this.#options.web.hostNamed(host);
    const tries = this.#countTry(`dns ${host}`);
    if (found === null) return { afterMs: 5, resolution: failure("DNS_NOT_FOUND") };
    const { failure: how, failingTries, ttlSeconds } = found.dns;
    if (how !== "none" && (failingTries === 0 || tries < failingTries)) {
      return { afterMs: 50, resolution: failure(CODES[how] ?? "DNS_SERVER_FAILED") };
    }
    const { addresses } = found;
    const expiresAtMs = this.#kernel.nowMs + 1000 * ttlSeconds;
    return { afterMs: 5, resolution: { kind: "resolved", addresses, expiresAtMs } };
  }

  robots(errand: RobotsErrand): { afterMs: number; end: RobotsEnd } {
    const { response, hasAnswer, afterMs } = this.#ask(errand.url, errand.address);
    if (!hasAnswer) {
      const attempt = { kind: "failed" } as const;
      return { afterMs, end: { kind: "ended", attempt, bytes: null, retryAfterMs: null } };
    }
    const { status, headers } = response;
    const to = status >= 300 && status < 400 ? this.#location(errand.url, response) : null;
    if (to !== null) return { afterMs, end: { kind: "redirected", to } };
    const bytes = decodeBody(response.body, headers);
    const restMs = retryAfterMs(headers, this.#kernel.clock.wallMs());
    const attempt = { kind: "answered", status } as const;
    return { afterMs, end: { kind: "ended", attempt, bytes, retryAfterMs: restMs } };
  }

  page({ ticket, address }: PageErrand): { afterMs: number; end: PageEnd } {
    const { response, hasAnswer, afterMs } = this.#ask(ticket.url, address);
    if (!hasAnswer) return { afterMs, end: { kind: "failed", code: "FETCH_DISCONNECTED" } };
    const { status, headers } = response;
    this.#read(ticket, response);
    const asksForRest = status === 429 || status === 503;
    const restMs = asksForRest ? retryAfterMs(headers, this.#kernel.clock.wallMs() + afterMs) : 0;
    const wish = restMs === 0 ? null : restMs;
    return { afterMs, end: { kind: "answered", status, retryAfterMs: wish, answerMs: afterMs } };
  }

  /** One request, which is in the log from its beginning to its end. */
  #ask(url: FetchableUrl, address: string | null): Asked {
    assert(address !== null, "a host of the web is asked at an address");
    const { hostname, pathname, search } = new URL(url);
    const target = pathname + search;
    const earlierTries = this.#countTry(`${hostname} ${target}`);
    const request = { host: hostname, method: "GET", target, headers: [], earlierTries };
    const response = this.#options.web.respond(request);
    const plan = planAnswer(response, { isHeadOnly: false, isKeptAlive: true });
    const afterMs = 20 + response.delayMs;
    const { nowMs } = this.#kernel;
    const host = hostname.replace(/\.$/, "");
    const about = { host, target, method: "GET", address, userAgent: "Judged/1", connection: 0 };
    const row = this.log.begin({ ...about, startMs: nowMs });
    const status = plan.hasAnswer ? response.status : 0;
    const isBusy = status === 429 || status === 503;
    this.log.end(row, {
      status,
      bytesSent: response.body.length,
      endMs: nowMs + afterMs,
      ending: plan.isBroken ? "broken" : "whole",
      isRetriable: plan.isBroken || status === 0 || isBusy,
      retryAfterMs: isBusy
        ? retryAfterMs(response.headers, this.#kernel.clock.wallMs() + afterMs)
        : 0,
    });
    return { response, hasAnswer: plan.hasAnswer, afterMs };
  }

  #read(ticket: Ticket, response: WebResponse): void {
    const { rules } = this.#options;
    const { status, headers, oddity } = response;
    const isWhole = oddity === null || WHOLE.has(oddity);
    const name = `${ticket.high}/${ticket.low}`;
    if (status >= 300 && status < 400) {
      const to = this.#location(ticket.url, response);
      if (to === null || ticket.redirects >= rules.redirectsMax) return;
      if (rules.seeds.includes(ticket.url)) this.#scope.push(new URL(to));
      this.#offer(to, ticket.depth, ticket.redirects + 1, ticket.url);
      return;
    }
    const body = decodeBody(response.body, headers);
    const type = (valuesOf(headers, "content-type")[0] ?? "").toLowerCase();
    if (status >= 300 || body === null || !isWhole || !type.startsWith("text/html")) return;
    const read = readPage(body, headers, { url: ticket.url, token: TOKEN });
    const isObeyed = rules.nofollow === "obey";
    if (isObeyed && read.isNofollow) return;
    const kinds = new Set<string>(rules.linkKinds);
    const links = read.links
      .slice(0, rules.linksPerPageMax)
      .filter((link) => kinds.has(link.kind) && !(isObeyed && link.isNofollow));
    this.#links.set(
      name,
      links.map(({ url }) => url),
    );
  }

  #follow(high: number, low: number, depth: number): void {
    const name = `${high}/${low}`;
    for (const url of this.#links.get(name) ?? []) this.#offer(url, depth + 1, 0);
    if (this.#options.rules.depthMax === null) this.#links.delete(name);
  }

  #offer(text: string, depth: number, redirects: number, from?: FetchableUrl): void {
    const { rules } = this.#options;
    const parsed = parseUrl(text);
    if (parsed.kind !== "accepted" || depth > (rules.depthMax ?? Number.POSITIVE_INFINITY)) return;
    const { url } = parsed;
    if (!url.startsWith("http:") || !this.#isInScope(new URL(url))) return;
    const key: string = keyOf(url, rules.url);
    // A redirect to another URL of the same page is still on its way to the page.
    const isSamePage = from !== undefined && from !== url && keyOf(from, rules.url) === key;
    const { high, low } = toyFingerprint(isSamePage ? `${key} ${redirects}` : key);
    this.frontier.offer({ url, high, low, depth, via: from ?? null, redirects, priority: 0 });
  }

  #isInScope(url: URL): boolean {
    const { scope } = this.#options.rules;
    if (scope === "any") return true;
    return this.#scope.some(({ hostname }) => bare(hostname) === bare(url.hostname));
  }

  #location(from: FetchableUrl, { headers }: WebResponse): FetchableUrl | null {
    const [location] = valuesOf(headers, "location");
    const parsed = location === undefined ? null : parseUrl(location, { base: from });
    return parsed?.kind === "accepted" ? parsed.url : null;
  }

  #countTry(name: string): number {
    const earlier = this.#tries.get(name) ?? 0;
    this.#tries.set(name, earlier + 1);
    return earlier;
  }
}

function bare(hostname: string): string {
  return hostname.replace(/\.$/, "");
}

function failure(code: string): Resolution {
  return { kind: "failed", code: code as ErrorCode };
}
