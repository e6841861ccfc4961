/**
 * A site of a few hundred pages, a process of its own. As a tree a page leads to four others and back to
 * the first ones; as a chain only to the next, so that nothing is known of a page before the one in
 * front of it was read. It says where it is, and at the end when it was first asked for something.
 */
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

export const SMALL_SITE: string = fileURLToPath(import.meta.url);

export const SHAPES = ["tree", "chain"] as const;

export interface SmallSite {
  readonly shape: (typeof SHAPES)[number];
  readonly pages: number;
}

/** What was asked for, and when for the first time and for the last, in milliseconds since 1970. */
export interface SiteSeen {
  readonly pages: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

const CHILDREN = 4;
const NAVIGATION = 10;
const PARAGRAPH = `<p>${"Words of a page that has something to say about nothing. ".repeat(8)}</p>\n`;

function linksOf({ shape, pages }: SmallSite, page: number): number[] {
  if (shape === "chain") return page + 1 < pages ? [page + 1] : [];
  const children = Array.from({ length: CHILDREN }, (_none, at) => page * CHILDREN + at + 1);
  const first = Array.from({ length: NAVIGATION }, (_none, at) => at);
  return [...first, ...children].filter((other) => other < pages);
}

function pageOf(site: SmallSite, page: number): string {
  const links = linksOf(site, page).map((other) => `<li><a href="/${other}">Page ${other}</a>`);
  const head = `<!DOCTYPE html><html lang="en"><title>Page ${page}</title>`;
  return `${head}<ul>${links.join("\n")}</ul>\n${PARAGRAPH.repeat(40)}`;
}

function serve(site: SmallSite): void {
  const bodies = Array.from({ length: site.pages }, (_none, page) => pageOf(site, page));
  let seen: SiteSeen = { pages: 0, firstAtMs: Number.NaN, lastAtMs: Number.NaN };
  const server = createServer((request, response) => {
    const body = bodies[Number(request.url?.slice(1) || 0)];
    const nowMs = Date.now();
    const { pages, firstAtMs } = seen;
    seen = {
      pages: pages + (body === undefined ? 0 : 1),
      firstAtMs: pages === 0 ? nowMs : firstAtMs,
      lastAtMs: nowMs,
    };
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html" });
    response.end(body ?? "");
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(address !== null && typeof address === "object" ? address.port : 0);
  });
  process.on("message", () => {
    process.send?.(seen);
    seen = { ...seen, pages: 0 };
  });
  process.on("disconnect", () => process.exit());
}

const given = process.argv[1] === SMALL_SITE ? process.argv[2] : undefined;
if (given !== undefined) serve(JSON.parse(given) as SmallSite);
