/**
 * `trobar inspect links URL` or `FILE --base B`: what the crawler would see in a page. A URL is
 * fetched as a crawl would fetch it, robots.txt first. One row for each link, in document order,
 * its URL resolved as the crawler would; then one row about the page. The kinds of links are those
 * of the key `parse.links`.
 */
import { visitPage } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import { encodingOfLabel } from "../../formats/charset/index.ts";
import {
  documentBase,
  type Link,
  type Page,
  PageParser,
  resolveLink,
} from "../../formats/html/index.ts";
import { headerValue, headerValues, parseContentType } from "../../formats/http/index.ts";
import type { LinkKind } from "../../formats/link/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { type ConfiguredWords, readConfigured } from "../crawl/crawl-arguments.ts";
import { EXIT } from "../shell/exit-code.ts";
import { readArgumentFile } from "../shell/named-files.ts";
import type { Terminal } from "../shell/terminal.ts";
import { lookUp, tellFailure, urlMeant, webUrl } from "./look-up.ts";

/** More than any `fetch.maxBody` that makes sense; a larger file is cut. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;

export async function inspectLinks(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readConfigured("inspect links", args, { wordsMin: 1, terminal });
  const [word = ""] = given.words;
  const site = urlMeant(word, terminal);
  const source =
    site === null
      ? { ...NOT_FETCHED, html: readArgumentFile(word, FILE_BYTES_MAX) }
      : await fetchedPage(webUrl(site), given, terminal);
  if (source === null) return EXIT.nothingFetched;
  const { parse, limits } = given.configuration;
  const address = baseOf(given.text("base") ?? source.url, word);
  const parser = new PageParser({ kinds: kindsOf(parse), linksMax: limits.linksPerPage });
  const contentType = given.text("content-type") ?? source.contentType;
  const page = parser.read(source.html, {
    headerEncoding: encodingOfLabel(parseContentType(contentType).charset),
  });
  const base = documentBase(address, page.base, page.encoding);
  const json = given.has("json");
  for (const link of page.links) {
    const url = resolveLink(link.url, base, page.encoding);
    // What is not a URL leads nowhere; the crawler drops it too.
    if (url !== undefined) terminal.out(json ? linkRow(link, url) : linkLine(link, url));
  }
  const facts = { page, base, robots: robotsOf(page, source.robots) };
  terminal.out(json ? pageRow(facts) : pageLines(facts));
  return EXIT.finished;
}

interface PageSource {
  readonly html: Uint8Array;
  /** Of the page; null when it was not fetched. */
  readonly url: string | null;
  readonly contentType: string | undefined;
  /** What its `X-Robots-Tag` headers say. */
  readonly robots: readonly string[];
}

const NOT_FETCHED = { url: null, contentType: undefined, robots: [] };

/** Null if it could not be fetched, which has been reported. */
async function fetchedPage(
  url: FetchableUrl,
  given: ConfiguredWords,
  terminal: Terminal,
): Promise<PageSource | null> {
  const answer = await lookUp(url, given, visitPage);
  if (answer.kind === "failed") {
    tellFailure(answer.failure, terminal);
    return null;
  }
  const { status, headers, isCut } = answer;
  if (answer.url !== url) terminal.err(`note: it redirects to ${printable(answer.url)}\n`);
  if (status < 200 || status >= 300) {
    terminal.err(`note: the answer is ${status}: a crawl follows no links of such a page\n`);
  }
  if (isCut)
    terminal.err("note: the page is cut: its end did not come, or is beyond fetch.maxBody\n");
  return {
    html: answer.bytes,
    url: answer.url,
    contentType: headerValue(headers, "content-type"),
    robots: headerValues(headers, "x-robots-tag"),
  };
}

function baseOf(address: string | null, file: string): string {
  if (address === null) {
    throw new CrawlError(
      "USAGE_BAD_ARGUMENT",
      `--base is missing: ${quoted(file)} is a file, and its links are relative to the page's own ` +
        "URL. Add it, as in --base https://example.org/.",
    );
  }
  if (URL.canParse(address)) return address;
  throw new CrawlError(
    "USAGE_BAD_FLAG_VALUE",
    `--base ${quoted(address)} is not an absolute URL: give the page's own, such as https://example.org/.`,
  );
}

function kindsOf(parse: Configuration["parse"]): readonly LinkKind[] {
  return parse.scripts ? [...parse.links, "string"] : parse.links;
}

function linkRow(link: Link, url: string): string {
  return `${JSON.stringify({ url, kind: link.kind, rel: link.rel, text: link.text })}\n`;
}

function linkLine(link: Link, url: string): string {
  const rel = link.rel === "" ? "" : ` [${link.rel}]`;
  const text = link.text === "" ? "" : `  ${link.text}`;
  return `${link.kind.padEnd(8)}${printable(`${url}${rel}${text}`)}\n`;
}

interface PageFacts {
  readonly page: Page;
  readonly base: string;
  readonly robots: string;
}

function pageRow({ page, base, robots }: PageFacts): string {
  return `${JSON.stringify({ base, charset: page.encoding, title: page.title, robots })}\n`;
}

function pageLines({ page, base, robots }: PageFacts): string {
  return (
    `\nbase     ${base}\ncharset  ${page.encoding} (${page.encodingSource})\n` +
    `title    ${printable(page.title)}\nrobots   ${printable(robots)}\n`
  );
}

/** Everything that the page says to robots, in the form of the `X-Robots-Tag` header. */
function robotsOf(page: Page, headers: readonly string[]): string {
  const elements = page.robots.map(({ name, content }) =>
    name === "robots" ? content : `${name}: ${content}`,
  );
  return [...headers, ...elements].join(", ");
}
