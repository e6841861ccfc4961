/** robots.txt of every kind, as it is served. What each means is in `robots-model.ts`. */

import { mix } from "../model/chance.ts";
import type { RobotsKind } from "../model/host-model.ts";
import { crawlDelaySeconds } from "../model/robots-model.ts";
import { answer, errorAnswer, redirectAnswer, textAnswer } from "./answer.ts";
import type { WebResponse } from "./synthetic-web.ts";

export interface RobotsRequest {
  readonly kind: RobotsKind;
  readonly content: number;
  readonly target: string;
  readonly earlierTries: number;
  /** The crawler's name. */
  readonly token: string;
  /** The URL of the sitemap; null where there is none. */
  readonly sitemap: string | null;
}

const RULES = "Disallow: /private/\nAllow: /private/open/\n";
const HUGE_BYTES = 600 * 1024;
/** Fewer than the five that RFC 9309 asks to follow, since a bare domain may have come before. */
const REDIRECTS_MAX = 4;

/** Null when the path is not that of a robots.txt, nor one that it redirects to. */
export function robotsAnswer(request: RobotsRequest): WebResponse | null {
  const { kind, content, target } = request;
  if (target === "/robots.txt") return firstAnswer(request);
  const hop = /^\/robots-(\d{1,6})\.txt$/.exec(target)?.[1];
  if (hop === undefined) return null;
  if (kind === "lost") return hopAnswer(Number(hop) + 1);
  if (kind !== "redirected" || Number(hop) > redirectsOf(content)) return null;
  return Number(hop) === redirectsOf(content)
    ? textOf(request, `User-agent: *\n${RULES}`)
    : hopAnswer(Number(hop) + 1);
}

function firstAnswer(request: RobotsRequest): WebResponse {
  const { kind, content, token, earlierTries } = request;
  switch (kind) {
    case "missing":
      return errorAnswer(404);
    case "forbidden":
      return errorAnswer((content & 1) === 0 ? 403 : 401);
    case "broken":
      return errorAnswer((content & 1) === 0 ? 500 : 503);
    case "passing":
      return earlierTries === 0 ? errorAnswer(503) : textOf(request, `User-agent: *\n${RULES}`);
    case "redirected":
    case "lost":
      return hopAnswer(1);
    case "garbage":
      return garbage(content);
    case "open":
      return textOf(request, "User-agent: *\nDisallow:\n");
    case "closed":
      return textOf(request, "User-agent: *\nDisallow: /\n");
    case "named":
      return textOf(request, `User-agent: *\nDisallow: /\n\nUser-agent: ${token}\n${RULES}`);
    case "wildcards":
      return textOf(request, `User-agent: *\n${wildcardRules(content)}`);
    case "delay":
    case "longDelay":
      return textOf(
        request,
        `User-agent: *\nCrawl-delay: ${crawlDelaySeconds(kind, content)}\n${RULES}`,
      );
    case "huge":
      return textOf(request, hugeText());
    case "odd":
      return textOf(request, oddText(content));
    case "rules":
      return textOf(request, `User-agent: *\n${RULES}`);
  }
}

function textOf({ sitemap }: RobotsRequest, text: string): WebResponse {
  const line = sitemap === null ? "" : `\nSitemap: ${sitemap}\n`;
  return textAnswer(text + line, "text/plain");
}

function redirectsOf(content: number): number {
  return 1 + ((mix(content) >>> 0) % REDIRECTS_MAX);
}

function hopAnswer(hop: number): WebResponse {
  return redirectAnswer((hop & 1) === 0 ? 302 : 301, `/robots-${hop}.txt`);
}

function wildcardRules(content: number): string {
  const opened = (content & 1) === 0 ? "Allow: /private/open/*.html$" : "Allow: /private/open/";
  return `Disallow: /*.cgi$\nDisallow: /priv*/*.html\n${opened}\nDisallow: /*?print=\n`;
}

/** The rules come first; what would close everything comes after any limit on the length. */
function hugeText(): string {
  const filler = "# This file was made by a program that did not know when to stop.\n";
  const others = "User-agent: otherbot\nDisallow: /\n\n";
  const padding = filler.repeat(Math.ceil(HUGE_BYTES / filler.length));
  return `User-agent: *\n${RULES}\n${others}${padding}\nUser-agent: *\nDisallow: /\n`;
}

function oddText(content: number): string {
  const forms = [
    "\uFEFFUser-agent: *\nDisallow: /private/\nAllow: /private/open/\n",
    "user-AGENT : *\r\n  disallow:/private/   # not here\r\n\tALLOW:   /private/open/\r\n",
    "# hello\rUser-agent: *\rDisallow: /private/\rAllow: /private/open/\r",
    "Noindex: /x\nUser-agent: other\nUser-agent: *\nDisallow: /private/\n\nAllow: /private/open/\n",
    "User-agent: *\nDisallow: /private/*\nAllow: /private/open/*\nRequest-rate: 1/5\n",
    "User-agent: *\nDisallow: /priv%61te/\nDisallow: /private/\nAllow: /private/open/\n",
  ];
  return forms[content % forms.length] ?? "";
}

function garbage(content: number): WebResponse {
  if ((content & 1) === 0) {
    return textAnswer(
      "<!DOCTYPE html>\n<title>Welcome</title>\n<p>Nothing here.</p>\n",
      "text/html",
    );
  }
  const bytes = Buffer.from(Array.from({ length: 999 }, (_, at) => mix(content + at) & 0xff));
  return answer(200, [["Content-Type", "text/plain"]], bytes);
}
