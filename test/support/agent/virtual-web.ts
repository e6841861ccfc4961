/** The web of a virtual crawl: a graph of pages that are named `host/page`. */
import { type TableHost, type TablePage, TableWeb } from "../lab/table-web.ts";
import type { VirtualCrawlOptions } from "./virtual-crawl.ts";

export function addressOf({ addressOf }: VirtualCrawlOptions, host: string): string | null {
  return addressOf === undefined ? "127.0.0.1" : addressOf(host.replace(/\.example$/, ""));
}

export function webOf(options: VirtualCrawlOptions): TableWeb {
  const { graph, answers = {}, anchorOf, delayMsOf } = options;
  const hosts: Record<string, TableHost & { pages: Record<string, TablePage> }> = {};
  for (const page of Object.keys({ ...graph, ...answers })) {
    const { hostname, pathname } = new URL(urlOf(page));
    const links = (graph[page] ?? []).map((link) => {
      return `<a href="${urlOf(link)}">${anchorOf?.(link) ?? link}</a>`;
    });
    const body = `<title>${page}</title>${links.join("\n")}`;
    const address = addressOf(options, hostname);
    hosts[hostname] ??= { pages: {}, addresses: address === null ? [] : [address] };
    const answer = answers[page] ?? { body };
    hosts[hostname].pages[pathname] = { delayMs: delayMsOf?.(page) ?? 0, ...answer };
  }
  return new TableWeb(hosts);
}

export function urlOf(page: string): string {
  const at = page.indexOf("/");
  return `http://${page.slice(0, at)}.example${page.slice(at)}`;
}

export function pageOf(url: string): string {
  return url.slice("http://".length).replace(".example", "");
}
