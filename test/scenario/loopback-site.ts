/** A small web site on loopback, for programs that use the library. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { CrawlOptions } from "../../src/index.ts";

export interface LoopbackSite extends AsyncDisposable {
  /** Ends with a slash. */
  readonly url: string;
  /** The paths that were asked for, robots.txt left out. */
  readonly asked: readonly string[];
  /** Options for a crawl of it that does not wait between fetches. */
  readonly options: CrawlOptions;
}

/** What a path answers with; null for 404. */
export type Answer = (path: string) => string | null;

export async function openSite(answer: Answer, media = "text/html"): Promise<LoopbackSite> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path !== "/robots.txt") asked.push(path);
    const text = path === "/robots.txt" ? null : answer(path);
    response.writeHead(text === null ? 404 : 200, { "Content-Type": media });
    response.end(text ?? "");
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  assert(typeof address === "object" && address !== null, "a server that listens has an address");
  const url = `http://127.0.0.1:${address.port}/`;
  return {
    ...{ url, asked },
    options: {
      seeds: [url],
      fetch: { allowAddresses: ["127.0.0.0/8"], ports: "any" },
      politeness: { hostDelay: 0, ipDelay: 0 },
    },
    [Symbol.asyncDispose]: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

/** Page `n` leads to `2n + 1` and `2n + 2`, up to `last`; each has a price. */
export function treeSite(last: number): Answer {
  return (path) => {
    const number = path === "/" ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (!(number <= last)) return null;
    const links = [2 * number + 1, 2 * number + 2]
      .filter((one) => one <= last)
      .map((one) => `<a href="/p${one}">page ${one}</a>`);
    const text = `This is page ${number} of a small site. `.repeat(3 + number);
    return `<title>Page ${number}</title><b class="price">${number}.50</b>${links.join("")}<p>${text}</p>`;
  };
}
