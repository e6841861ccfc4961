/** A link as a score sees it, made from a few words. */

import type { FetchableUrl } from "../../../src/formats/url/index.ts";
import { FetchableView } from "../../../src/rules/filter/index.ts";
import type { ScoredLink, ScoredPage } from "../../../src/rules/score/index.ts";

export function scoredLink(number: number, href = `http://a.example/${number}`): ScoredLink {
  return withAnchor(number, href, "");
}

export function withAnchor(number: number, href: string, anchor: string): ScoredLink {
  const view = new FetchableView(href as FetchableUrl);
  const { scheme, host, port, path, query, domain } = view;
  return {
    ...{ href, scheme, host, port, path, query, domain, anchor },
    ...{ source: undefined, depth: 1, kind: "a", rel: "", nofollow: false },
    ...{ high: number, low: Math.imul(number, 0x85ebca6b) >>> 0 },
  };
}

export function scoredPage(number: number, links: number, isSeed = false): ScoredPage {
  const { href: url, high, low } = scoredLink(number);
  return { url, high, low, depth: isSeed ? 0 : 1, isSeed, links };
}
