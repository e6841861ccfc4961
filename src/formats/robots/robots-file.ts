/**
 * Reads a robots.txt for one product token (RFC 9309 §2.2): finds the groups that name the token,
 * merges them, and falls back to the groups of `*` when there is none.
 *
 * A group is one or more User-agent lines and the rules behind them. Only a rule ends the list of
 * User-agent lines: Sitemap, Crawl-delay and unknown lines must not. A Crawl-delay holds for the
 * User-agent lines directly above it, as its readers always had it.
 */
import { type Directive, directiveOf } from "./directive.ts";
import { RobotRules, type WrittenRule } from "./robot-rules.ts";
import { eachLine, type RobotsLine, robotsText } from "./robots-lines.ts";

/** What a robots.txt says to one crawler. */
export interface RobotsFile {
  readonly rules: RobotRules;
  /** Between two fetches; the longest that was asked for, at most a year. Null when not given. */
  readonly crawlDelayMs: number | null;
  /** As written, each once; `sitemapUrls` resolves them. */
  readonly sitemaps: readonly string[];
  /** Content-Signal and Content-Usage lines that concern this crawler, as written. */
  readonly signals: readonly ContentSignal[];
  readonly form: RobotsForm;
  /** The end of the file was not read: too long, or the transfer broke off. */
  readonly truncated: boolean;
}

export interface ContentSignal {
  readonly name: "content-signal" | "content-usage";
  readonly value: string;
  readonly line: number;
}

/** `html`: a web page was sent instead, it has no rules. `binary`: not text, and no rule in it. */
export type RobotsForm = "text" | "html" | "binary" | "empty";

const CRAWL_DELAY_MS_MAX = 365 * 24 * 3600 * 1000;

/**
 * `token` is compared without case; `complete` is false when the transfer broke off. Any bytes are
 * taken, and nothing is thrown.
 */
export function parseRobots(body: Uint8Array, token: string, complete = true): RobotsFile {
  const { text, truncated } = robotsText(body, complete);
  if (isHtml(text)) return { ...NOTHING, form: "html", truncated };
  const reader = new GroupReader(token);
  let pairs = 0;
  eachLine(text, (line) => {
    const directive = directiveOf(line.key);
    if (directive !== null) pairs += 1;
    reader.take(directive, line);
  });
  const form = pairs > 0 ? "text" : formWithoutLines(text);
  return { ...reader.result(), form, truncated };
}

const NOTHING: Omit<RobotsFile, "form" | "truncated"> = {
  rules: RobotRules.ALLOW_ALL,
  crawlDelayMs: null,
  sitemaps: [],
  signals: [],
};

/** Only the sitemaps, which are for everybody: reading the rules takes most of the time. */
export function robotsSitemaps(body: Uint8Array): Pick<RobotsFile, "sitemaps"> {
  const { text } = robotsText(body, true);
  const sitemaps = new Set<string>();
  if (!isHtml(text)) {
    eachLine(text, ({ key, value }) => {
      if (value !== "" && directiveOf(key) === "sitemap") sitemaps.add(readable(value));
    });
  }
  return { sitemaps: [...sitemaps] };
}

/** The sitemaps as absolute URLs, by the URL that the robots.txt was fetched for. */
export function sitemapUrls(file: Pick<RobotsFile, "sitemaps">, robotsUrl: string): string[] {
  const urls = file.sitemaps
    .map((sitemap) => URL.parse(sitemap, robotsUrl))
    .filter((url) => url !== null && /^https?:$/.test(url.protocol))
    .map((url) => String(url?.href));
  return [...new Set(urls)];
}

/** A page begins with a tag; a robots.txt may begin with a comment of HTML, but not with a tag. */
function isHtml(text: string): boolean {
  return /^[\s\xef\xbb\xbf]{0,1024}<(?:[a-z?]|!doctype)/i.test(text);
}

function formWithoutLines(text: string): RobotsForm {
  const trimmed = text.trim();
  for (let at = 0; at < trimmed.length; at += 1) {
    if (trimmed.charCodeAt(at) < 0x20 && !/\s/.test(trimmed.charAt(at))) return "binary";
  }
  return trimmed === "" ? "empty" : "text";
}

/** What one crawler is told: collected for the token and for `*` side by side. */
class Groups {
  readonly rules: WrittenRule[] = [];
  readonly signals: ContentSignal[] = [];
  crawlDelayMs: number | null = null;
  /** A User-agent line named it. */
  seen = false;
  /** The rules that follow are for it. */
  inGroup = false;
  /** It is named by the User-agent lines directly above. */
  inRun = false;
}

class GroupReader {
  readonly #token: string;
  readonly #own = new Groups();
  readonly #everybody = new Groups();
  readonly #global: ContentSignal[] = [];
  readonly #sitemaps = new Set<string>();
  #agentSeen = false;
  /** A rule has come since the last User-agent line: the next one begins another group. */
  #groupEnded = false;
  /** Anything has come since the last User-agent line. */
  #runEnded = false;

  constructor(token: string) {
    this.#token = token.toLowerCase();
  }

  take(directive: Directive | null, line: RobotsLine): void {
    this.#runEnded ||= directive !== "user-agent";
    if (directive === "user-agent") this.#takeAgent(line.value);
    else if (directive === "allow" || directive === "disallow") this.#takeRule(directive, line);
    else if (directive === "crawl-delay") this.#takeDelay(line.value);
    else if (directive === "sitemap") this.#sitemaps.add(readable(line.value));
    else if (directive !== null) this.#takeSignal(directive, line);
  }

  result(): Omit<RobotsFile, "form" | "truncated"> {
    const groups = this.#own.seen ? this.#own : this.#everybody;
    return {
      rules: RobotRules.of(groups.rules),
      crawlDelayMs: groups.crawlDelayMs,
      sitemaps: [...this.#sitemaps].filter((sitemap) => sitemap !== ""),
      signals: [...this.#global, ...groups.signals],
    };
  }

  #takeAgent(value: string): void {
    for (const groups of [this.#own, this.#everybody]) {
      if (this.#groupEnded) groups.inGroup = false;
      if (this.#runEnded) groups.inRun = false;
    }
    this.#groupEnded = false;
    this.#runEnded = false;
    this.#agentSeen = true;
    const named = isEverybody(value) ? this.#everybody : this.#own;
    if (named === this.#own && !names(value, this.#token)) return;
    named.seen = true;
    named.inGroup = true;
    named.inRun = true;
  }

  #takeRule(directive: "allow" | "disallow", line: RobotsLine): void {
    if (!this.#agentSeen) return;
    this.#groupEnded = true;
    const { value, head, number } = line;
    const allow = directive === "allow";
    const rule = { allow, value, head, text: head + value, line: number };
    for (const groups of this.#current()) groups.rules.push(rule);
  }

  #takeDelay(value: string): void {
    const delayMs = Number.parseFloat(value.replace(",", ".")) * 1000;
    if (!(delayMs >= 0)) return;
    const cappedMs = Math.min(delayMs, CRAWL_DELAY_MS_MAX);
    for (const groups of [this.#own, this.#everybody]) {
      if (groups.inRun) groups.crawlDelayMs = Math.max(groups.crawlDelayMs ?? 0, cappedMs);
    }
  }

  #takeSignal(name: ContentSignal["name"], line: RobotsLine): void {
    const signal = { name, value: readable(line.value), line: line.number };
    if (!this.#agentSeen) this.#global.push(signal);
    for (const groups of this.#current()) groups.signals.push(signal);
  }

  #current(): Groups[] {
    return [this.#own, this.#everybody].filter((groups) => groups.inGroup);
  }
}

function isEverybody(value: string): boolean {
  return /^\*(?:[ \t]|$)/.test(value);
}

/**
 * By the RFC a token has letters, `-` and `_` only, and what follows in the line is a version or a
 * remark. A crawler whose name has other characters is meant too when the first word is its name.
 */
function names(value: string, token: string): boolean {
  const line = value.toLowerCase();
  const byStandard = line.match(/^[a-z_-]+/)?.[0];
  const firstWord = line.match(/^[^\s/,;]+/)?.[0];
  return token !== "" && (token === byStandard || token === firstWord);
}

function readable(octets: string): string {
  return Buffer.from(octets, "latin1").toString("utf8");
}
