/**
 * `trobar inspect robots FILE --agent A URL…`: what a robots.txt says to a crawler about each URL,
 * and which line says it; then the crawl delay and the sitemaps. Nothing is fetched. URLs are read
 * from standard input for `-`, one per line, and answered as they come.
 */
import {
  parseRobots,
  productToken,
  type RobotsDecision,
  type RobotsFile,
  robotsPath,
  sitemapUrls,
} from "../robots/index.ts";

export interface InspectRobotsArguments {
  /** The content of FILE. */
  readonly robots: Uint8Array;
  /** A product token, or a whole User-Agent header such as `Name/1.0 (…)`. */
  readonly agent: string;
  readonly urls: readonly string[];
  readonly json: boolean;
}

/** The world of the command. */
export interface InspectRobotsIo {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** To standard output. */
  readonly write: (text: string) => void | Promise<void>;
}

/** Returns the exit code, which is always 0: a URL that may not be fetched is an answer. */
export async function inspectRobots(
  args: InspectRobotsArguments,
  io: InspectRobotsIo,
): Promise<number> {
  const token = args.agent.includes("/") ? productToken(args.agent) : args.agent;
  const file = parseRobots(args.robots, token);
  const row = args.json ? jsonRow : humanRow;
  let firstUrl: string | null = null;
  for await (const url of inputs(args.urls, io.stdin)) {
    firstUrl ??= url;
    await io.write(row(url, file.rules.decide(pathOf(url))));
  }
  const summary = { crawlDelay: seconds(file), sitemaps: sitemaps(file, firstUrl) };
  await io.write(args.json ? `${JSON.stringify(summary)}\n` : humanSummary(file, summary));
  return 0;
}

/**
 * As the crawler would send it. A URL with characters outside ASCII is compared as given: by the
 * standard it has to be encoded first, and the published vectors have it so.
 */
function pathOf(url: string): string {
  const parsed = /^[\0-\x7f]*$/.test(url) ? URL.parse(url) : null;
  return parsed === null ? robotsPath(url) : robotsPath(parsed.href);
}

function seconds(file: RobotsFile): number | null {
  return file.crawlDelayMs === null ? null : file.crawlDelayMs / 1000;
}

/** The file's own URL is not known: relative sitemaps are resolved by the first URL's site. */
function sitemaps(file: RobotsFile, firstUrl: string | null): readonly string[] {
  const site = firstUrl === null ? null : URL.parse("/robots.txt", firstUrl);
  return site === null ? file.sitemaps : sitemapUrls(file, site.href);
}

function jsonRow(url: string, decision: RobotsDecision): string {
  const { allowed, rule } = decision;
  const row = { url, allowed, rule: rule?.text ?? null, line: rule?.line ?? null };
  return `${JSON.stringify(row)}\n`;
}

const WITHOUT_RULE: Readonly<Record<RobotsDecision["reason"], string>> = {
  rule: "",
  "no-rule": "no rule matches",
  "robots-file": "robots.txt itself may always be fetched",
  unreachable: "robots.txt cannot be had",
  "too-costly": "the rules take too long to compare with this URL",
};

function humanRow(url: string, decision: RobotsDecision): string {
  const { allowed, rule, reason } = decision;
  const why = rule === null ? WITHOUT_RULE[reason] : `line ${rule.line}: ${rule.text}`;
  return printable(`${allowed ? "allowed" : "refused"}  ${url}  (${why})`);
}

const FORMS: Readonly<Record<RobotsFile["form"], string>> = {
  text: "",
  html: "The file is a web page: it has no rules.\n",
  binary: "The file is not text: it has no rules.\n",
  empty: "The file is empty: it has no rules.\n",
};

interface Summary {
  readonly crawlDelay: number | null;
  readonly sitemaps: readonly string[];
}

function humanSummary(file: RobotsFile, { crawlDelay, sitemaps: found }: Summary): string {
  const delay = crawlDelay === null ? "none" : `${crawlDelay} s`;
  const cut = file.truncated ? "The end of the file is beyond the limit and was not read.\n" : "";
  const lines = found.map((sitemap) => printable(`sitemap: ${sitemap}`));
  return `${FORMS[file.form]}${cut}crawl delay: ${delay}\n${lines.join("")}`;
}

/** One line of text from the web that cannot steer a terminal. */
function printable(text: string): string {
  const escaped = (found: string) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${text.replace(/\p{Cc}/gu, escaped)}\n`;
}

async function* inputs(
  urls: readonly string[],
  stdin: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string> {
  for (const url of urls) {
    if (url === "-") yield* lines(stdin);
    else yield url;
  }
}

/** A line that goes on longer is no URL; what is beyond is dropped, so memory does not grow. */
const LINE_LENGTH_MAX = 65_536;

/** Lines without their ends, and without the empty ones. */
async function* lines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const parts = rest.split("\n");
    rest = parts.pop()?.slice(0, LINE_LENGTH_MAX) ?? "";
    for (const part of parts) if (part.trim() !== "") yield part.trim();
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield rest.trim();
}
