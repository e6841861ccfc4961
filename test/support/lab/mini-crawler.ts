/**
 * A crawler of a few lines that does everything right, or any one thing wrong on request: a judge of
 * crawlers must tell them apart. It fetches one URL after the other, waits through a clock, and
 * knows just enough HTML for pages written by hand.
 */
import { promises } from "node:dns";
import { connect } from "node:net";
import type { Clock } from "../../../src/base/seams/index.ts";
import { parseRobots, type RobotsFile } from "../../../src/formats/robots/index.ts";

/** How the crawler behaves; `RIGHT` is how it should. */
export interface Manners {
  readonly hostDelayMs: number;
  readonly addressDelayMs: number;
  readonly retriesMax: number;
  readonly depthMax: number;
  readonly scope: RegExp;
  /** For each request, by its number. */
  readonly userAgent: (request: number) => string;
  readonly asksRobots: boolean;
  readonly obeysRobots: boolean;
  readonly obeysCrawlDelay: boolean;
  readonly obeysRetryAfter: boolean;
  readonly followsNofollow: boolean;
  /** The key by which URLs are compared. */
  readonly keyOf: (url: string) => string;
  /** URLs of every host that it asks for without a link. */
  readonly guesses: readonly string[];
  readonly skips: (url: string) => boolean;
  readonly address: (host: string, found: string) => string;
  /** Pages that are fetched together with the one before them. */
  readonly rushes: (url: string) => boolean;
}

export const RIGHT: Manners = {
  hostDelayMs: 20,
  addressDelayMs: 8,
  retriesMax: 2,
  depthMax: 2,
  scope: /\.example$/,
  userAgent: () => "Mini/1.0 (+https://mini.example/)",
  asksRobots: true,
  obeysRobots: true,
  obeysCrawlDelay: true,
  obeysRetryAfter: true,
  followsNofollow: false,
  keyOf: (url) => url.replace(/[?&]utm.*$/, ""),
  guesses: [],
  skips: () => false,
  address: (_host, found) => found,
  rushes: () => false,
};

/** The longest that it waits for a host that asks for a pause. */
const PAUSE_MS_MAX = 60;

interface Queued {
  readonly url: string;
  readonly depth: number;
  readonly tries: number;
}

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export class MiniCrawler {
  readonly #clock: Clock;
  readonly #manners: Manners;
  readonly #resolver = new promises.Resolver();
  readonly #queue: Queued[] = [];
  readonly #seen = new Set<string>();
  readonly #robots = new Map<string, RobotsFile | null>();
  /** When a host or an address may be visited again. */
  readonly #nextAtMs = new Map<string, number>();
  #requests = 0;

  constructor(clock: Clock, dnsPort: number, manners: Partial<Manners> = {}) {
    this.#clock = clock;
    this.#manners = { ...RIGHT, ...manners };
    this.#resolver.setServers([`127.0.0.1:${dnsPort}`]);
  }

  async crawl(seed: string): Promise<void> {
    this.#offer(seed, 0);
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const rushed = this.#queue.filter(({ url }) => this.#manners.rushes(url));
      for (const { url } of rushed)
        this.#queue.splice(
          this.#queue.findIndex((one) => one.url === url),
          1,
        );
      await Promise.all([this.#visit(next), ...rushed.map((one) => this.#visit(one))]);
    }
  }

  #offer(url: string, depth: number): void {
    const { keyOf, scope, depthMax, skips } = this.#manners;
    if (!scope.test(new URL(url).hostname) || depth > depthMax || skips(url)) return;
    if (this.#seen.has(keyOf(url))) return;
    this.#seen.add(keyOf(url));
    this.#queue.push({ url, depth, tries: 0 });
  }

  async #visit({ url, depth, tries }: Queued): Promise<void> {
    const manners = this.#manners;
    const robots = manners.asksRobots ? await this.#robotsOf(url) : null;
    const { pathname, search } = new URL(url);
    const isForbidden = robots !== null && !robots.rules.decide(pathname + search).allowed;
    if (isForbidden && manners.obeysRobots) return;
    const answer = await this.#fetch(url);
    const isFailure = answer.status === 0 || answer.status === 503 || answer.status === 429;
    if (isFailure && tries < manners.retriesMax) this.#queue.push({ url, depth, tries: tries + 1 });
    for (const link of this.#linksOf(url, answer)) this.#offer(link, depth + 1);
  }

  async #robotsOf(url: string): Promise<RobotsFile | null> {
    const { origin, hostname } = new URL(url);
    const known = this.#robots.get(hostname);
    if (known !== undefined) return known;
    const { status, body } = await this.#fetch(`${origin}/robots.txt`);
    const file = status === 200 ? parseRobots(Buffer.from(body), "mini") : null;
    this.#robots.set(hostname, file);
    if (file !== null && this.#manners.obeysCrawlDelay) {
      this.#postpone(hostname, file.crawlDelayMs ?? 0);
    }
    for (const guess of this.#manners.guesses) this.#offer(`${origin}${guess}`, 0);
    return file;
  }

  *#linksOf(url: string, { body }: Answer): Generator<string> {
    for (const [, rel, href = ""] of body.matchAll(/<a(?: rel=(\w+))? href="([^"]*)">/g)) {
      if (rel === "nofollow" && !this.#manners.followsNofollow) continue;
      const found = new URL(href.replace(/&(?:amp|#38|#x26);/gi, "&"), url);
      found.hash = "";
      yield found.href;
    }
  }

  async #fetch(url: string): Promise<Answer> {
    const { hostname } = new URL(url);
    const [found = ""] = await this.#resolver.resolve4(hostname);
    const address = this.#manners.address(hostname, found);
    await this.#wait(hostname, address);
    const answer = await this.#ask(url, address);
    const { hostDelayMs, addressDelayMs, obeysCrawlDelay, obeysRetryAfter } = this.#manners;
    const crawlDelayMs = obeysCrawlDelay ? (this.#robots.get(hostname)?.crawlDelayMs ?? 0) : 0;
    this.#postpone(hostname, Math.max(hostDelayMs, crawlDelayMs));
    this.#postpone(address, addressDelayMs);
    const asked = /^retry-after: (\d+)/im.exec(answer.head)?.[1];
    if (asked !== undefined && obeysRetryAfter) {
      this.#postpone(hostname, Math.min(Number(asked) * 1000, PAUSE_MS_MAX));
    }
    return answer;
  }

  #postpone(who: string, byMs: number): void {
    const atMs = this.#clock.nowMs() + byMs;
    this.#nextAtMs.set(who, Math.max(atMs, this.#nextAtMs.get(who) ?? 0));
  }

  async #wait(host: string, address: string): Promise<void> {
    const atMs = Math.max(this.#nextAtMs.get(host) ?? 0, this.#nextAtMs.get(address) ?? 0);
    const delayMs = atMs - this.#clock.nowMs();
    if (delayMs > 0) await new Promise<void>((resolve) => this.#clock.after(delayMs, resolve));
  }

  #ask(url: string, address: string): Promise<Answer> {
    const { hostname, port, pathname, search } = new URL(url);
    const userAgent = this.#manners.userAgent(this.#requests);
    this.#requests += 1;
    const agentLine = userAgent === "" ? "" : `User-Agent: ${userAgent}\r\n`;
    return new Promise((resolve) => {
      let text = "";
      const socket = connect({ host: address, port: Number(port) }, () => {
        socket.write(
          `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${agentLine}Connection: close\r\n\r\n`,
        );
      });
      socket.on("data", (bytes) => {
        text += bytes.toString("latin1");
      });
      socket.on("error", () => {});
      socket.on("close", () => {
        const end = text.indexOf("\r\n\r\n");
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
        resolve({ status, head: text.slice(0, end), body: text.slice(end + 4) });
      });
    });
  }
}
