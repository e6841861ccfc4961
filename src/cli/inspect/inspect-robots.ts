/**
 * `trobar inspect robots [FILE] --agent A URL…`: what a robots.txt says to a crawler about each
 * URL, and which line says it; then the crawl delay and the sitemaps. Without a file the robots.txt
 * of the first URL's site is fetched, as a crawl would, and nothing else. URLs are read from
 * standard input for `-`, one per line, and answered as they come.
 */
import { visitRobotsOf } from "../../agent/index.ts";
import { printable } from "../../base/text/index.ts";
import {
  parseRobots,
  productToken,
  RobotRules,
  type RobotsDecision,
  type RobotsFile,
  robotsPath,
  sitemapUrls,
} from "../../formats/robots/index.ts";
import { assumedUrl, type FetchableUrl } from "../../formats/url/index.ts";
import { type ConfiguredWords, readConfigured } from "../crawl/crawl-arguments.ts";
import { needWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import { readArgumentFile } from "../shell/named-files.ts";
import type { Terminal } from "../shell/terminal.ts";
import { lookUp, tellFailure, urlMeant, webUrl } from "./look-up.ts";
import { textsGiven, urlLines } from "./text-lines.ts";

/** Who asks, by default. */
const DEFAULT_AGENT = "trobar";

/** A crawler reads 500 KiB; the rest of a larger file is reported to be beyond the limit. */
const FILE_BYTES_MAX = 1024 * 1024;

/** The exit code is 0 for every answer: a URL that may not be fetched is an answer. */
export async function inspectRobots(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readConfigured("inspect robots", args, { wordsMin: 1, terminal });
  const [first = ""] = given.words;
  const site = urlMeant(first, terminal);
  if (site === null) needWords("inspect robots", given.words, 2);
  const agent = given.text("agent") ?? DEFAULT_AGENT;
  const token = agent.includes("/") ? productToken(agent) : agent;
  const file =
    site === null
      ? parseRobots(readArgumentFile(first, FILE_BYTES_MAX), token)
      : await fetchedFile(webUrl(site), { given, token, terminal });
  const rules = file?.rules ?? RobotRules.UNREACHABLE;
  const others = given.words.slice(1);
  // The URL of the file itself is not judged.
  const urls = site === null || isRobotsUrl(site) ? others : [site, ...others];
  const row = given.has("json") ? jsonRow : humanRow;
  let firstUrl: string | null = site;
  for await (const batch of textsGiven(urls, urlLines(terminal.input))) {
    firstUrl ??= batch[0]?.text ?? null;
    const rows = batch.map(({ text: url }) => row(url, rules.decide(pathOf(url)))).join("");
    if (!(await terminal.write(rows))) break;
  }
  // There is nothing to say about a file that could not be fetched.
  if (file === null) return EXIT.nothingFetched;
  const summary = { crawlDelay: seconds(file), sitemaps: sitemaps(file, firstUrl) };
  terminal.out(given.has("json") ? `${JSON.stringify(summary)}\n` : humanSummary(file, summary));
  return EXIT.finished;
}

/** The robots.txt of a site; null if it cannot be fetched, which has been reported. */
async function fetchedFile(
  url: FetchableUrl,
  {
    given,
    token,
    terminal,
  }: { readonly given: ConfiguredWords; readonly token: string; readonly terminal: Terminal },
): Promise<RobotsFile | null> {
  const answer = await lookUp(url, given, visitRobotsOf);
  if (answer.kind === "had") {
    if (answer.bytes === null)
      terminal.err("note: there is no robots.txt: everything is allowed\n");
    return parseRobots(answer.bytes ?? new Uint8Array(0), token);
  }
  tellFailure(answer.failure, terminal);
  return null;
}

function isRobotsUrl(url: string): boolean {
  return URL.parse(url)?.pathname === "/robots.txt";
}

/**
 * As the crawler would send it. A URL with characters outside ASCII is compared as given: the
 * standard leaves encoding to the caller, and the published test vectors rely on that.
 */
function pathOf(url: string): string {
  const parsed = /^[\0-\x7f]*$/.test(url) ? URL.parse(assumedUrl(url) ?? url) : null;
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
  unreachable: "robots.txt cannot be fetched",
  "too-costly": "the rules take too long to compare with this URL",
};

function humanRow(url: string, decision: RobotsDecision): string {
  const { allowed, rule, reason } = decision;
  const why = rule === null ? WITHOUT_RULE[reason] : `line ${rule.line}: ${rule.text}`;
  return `${printable(`${allowed ? "allowed" : "refused"}  ${url}  (${why})`)}\n`;
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
  const lines = found.map((sitemap) => `${printable(`sitemap: ${sitemap}`)}\n`);
  return `${FORMS[file.form]}${cut}crawl delay: ${delay}\n${lines.join("")}`;
}
