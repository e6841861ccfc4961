/**
 * `trobar inspect links FILE --base B`: what the crawler would see in a page. One row for each link,
 * in document order, its URL resolved as the crawler would; then one row about the page.
 */
import {
  documentBase,
  type Link,
  type LinkKind,
  type Page,
  PageParser,
  resolveLink,
} from "../html/index.ts";

export interface InspectLinksArguments {
  readonly html: Uint8Array;
  /** The URL of the page. */
  readonly base: string;
  /** What the server would have said; its charset counts. */
  readonly contentType?: string;
  readonly json: boolean;
  /** The kinds of `parse.links`; those that lead to pages unless given. */
  readonly kinds?: readonly LinkKind[];
}

export interface InspectLinksOutput {
  /** To standard output. */
  write(text: string): void;
  /** To standard error. */
  complain(text: string): void;
}

/** Returns the exit code: 2 when the base is no absolute URL. */
export async function inspectLinks(
  args: InspectLinksArguments,
  io: InspectLinksOutput,
): Promise<number> {
  if (!URL.canParse(args.base)) {
    const written = JSON.stringify(args.base);
    io.complain(`${written} is no absolute URL: give --base one, such as https://example.org/.\n`);
    return 2;
  }
  const parser = new PageParser(args.kinds === undefined ? {} : { kinds: args.kinds });
  const page = parser.read(args.html, { contentType: args.contentType });
  const base = documentBase(args.base, page.base, page.encoding);
  for (const link of page.links) {
    const url = resolveLink(link.url, base, page.encoding);
    // What is no URL leads nowhere, and the crawler drops it too.
    if (url !== undefined) io.write(args.json ? linkRow(link, url) : linkLine(link, url));
  }
  io.write(args.json ? pageRow(page, base) : pageLines(page, base));
  return 0;
}

function linkRow(link: Link, url: string): string {
  return `${JSON.stringify({ url, kind: link.kind, rel: link.rel, text: link.text })}\n`;
}

function linkLine(link: Link, url: string): string {
  const rel = link.rel === "" ? "" : ` [${link.rel}]`;
  const text = link.text === "" ? "" : `  ${link.text}`;
  return `${link.kind.padEnd(8)}${url}${printable(rel + text)}\n`;
}

/** Texts come from strangers: nothing in them may steer the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "\ufffd");
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
