/**
 * Pages with their links as text, which compresses well and is quick to write: a line with the URL of
 * the page, then one line for each of its links, which begins with a tab.
 */

/** A link of a page. */
export interface GraphLink {
  /** Absolute. */
  readonly url: string;
  readonly kind: string;
  readonly rel: string;
  readonly text: string;
}

export interface LinkedPage {
  readonly url: string;
  readonly links: readonly GraphLink[];
}

/** A link on its way into the graph. */
export interface GraphArc {
  /** Absolute. */
  readonly href: string;
  readonly kind: string;
  readonly rel: string;
  readonly anchor: string;
  /** The high half of what the target is compared by. */
  readonly high: number;
}

/** The line of a page. */
export function pageLine(url: string): string {
  return `${url}\n`;
}

/** How the line of a link begins. */
export function lineHead(kind: string, rel: string): string {
  return `\t${kind}\t${plain(rel)}\t`;
}

/** The rest of it. */
export function lineTail(anchor: string, href: string): string {
  return `${plain(anchor)}\t${href}\n`;
}

/** What is written of a link besides its URL: each page may bring its own. */
function plain(text: string): string {
  return text !== "" && SEPARATORS.test(text) ? text.replace(ALL_SEPARATORS, " ") : text;
}

const SEPARATORS = /[\t\n\r]/;
const ALL_SEPARATORS = /[\t\n\r]+/g;

/** The pages of a text, in its order; lines that are not as written are left out. */
export function* pagesIn(text: string): Generator<LinkedPage> {
  let url: string | null = null;
  let links: GraphLink[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("\t")) {
      const [, kind, rel, words, target] = line.split("\t");
      if (kind !== undefined && rel !== undefined && words !== undefined && target !== undefined) {
        links.push({ url: target, kind, rel, text: words });
      }
      continue;
    }
    if (url !== null) yield { url, links };
    url = line === "" ? null : line;
    links = [];
  }
  if (url !== null) yield { url, links };
}
