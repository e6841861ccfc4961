/**
 * `trobar inspect links FILE --base B`: what the crawler would see in a page. One row for each link,
 * in document order, its URL resolved as the crawler would; then one row about the page. The kinds
 * of links are those of the key `parse.links`.
 */
import type { Configuration } from "../config/index.ts";
import { CrawlError } from "../errors/index.ts";
import {
  documentBase,
  type Link,
  type LinkKind,
  type Page,
  PageParser,
  resolveLink,
} from "../html/index.ts";
import { printable, quoted } from "../text/index.ts";
import { readWords } from "./command-words.ts";
import { readConfigured } from "./crawl-arguments.ts";
import { EXIT } from "./exit-code.ts";
import { INSPECT_LINKS_FLAGS } from "./flag-table.ts";
import { readNamedFile } from "./named-files.ts";
import type { Terminal } from "./terminal.ts";

/** More than any `fetch.maxBody` that makes sense; a larger file is cut. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;

export async function inspectLinks(args: readonly string[], terminal: Terminal): Promise<number> {
  // The configuration first: its mistakes are told together with those of the flags.
  const { parse, limits } = readConfigured(args, INSPECT_LINKS_FLAGS, terminal).configuration;
  const given = readWords("inspect links", args, 1);
  const address = given.value("base") ?? "";
  if (!URL.canParse(address)) {
    throw new CrawlError(
      "USAGE_BAD_FLAG_VALUE",
      `--base ${quoted(address)} is no absolute URL: give the page's own, such as https://example.org/.`,
    );
  }
  const html = readNamedFile(given.words[0] ?? "", FILE_BYTES_MAX);
  const parser = new PageParser({ kinds: kindsOf(parse), linksMax: limits.linksPerPage });
  const page = parser.read(html, { contentType: given.value("content-type") ?? undefined });
  const base = documentBase(address, page.base, page.encoding);
  const json = given.has("json");
  for (const link of page.links) {
    const url = resolveLink(link.url, base, page.encoding);
    // What is no URL leads nowhere, and the crawler drops it too.
    if (url !== undefined) terminal.out(json ? linkRow(link, url) : linkLine(link, url));
  }
  terminal.out(json ? pageRow(page, base) : pageLines(page, base));
  return EXIT.finished;
}

function kindsOf(parse: Configuration["parse"]): LinkKind[] {
  const kinds = parse.links as LinkKind[];
  return parse.scripts ? [...kinds, "string"] : kinds;
}

function linkRow(link: Link, url: string): string {
  return `${JSON.stringify({ url, kind: link.kind, rel: link.rel, text: link.text })}\n`;
}

function linkLine(link: Link, url: string): string {
  const rel = link.rel === "" ? "" : ` [${link.rel}]`;
  const text = link.text === "" ? "" : `  ${link.text}`;
  return `${link.kind.padEnd(8)}${printable(`${url}${rel}${text}`)}\n`;
}

function pageRow(page: Page, base: string): string {
  const robots = robotsOf(page);
  return `${JSON.stringify({ base, charset: page.encoding, title: page.title, robots })}\n`;
}

function pageLines(page: Page, base: string): string {
  return (
    `\nbase     ${base}\ncharset  ${page.encoding} (${page.encodingSource})\n` +
    `title    ${printable(page.title)}\nrobots   ${printable(robotsOf(page))}\n`
  );
}

/** All that is said to robots, in the form of the `X-Robots-Tag` header. */
function robotsOf(page: Page): string {
  return page.robots
    .map(({ name, content }) => (name === "robots" ? content : `${name}: ${content}`))
    .join(", ");
}
