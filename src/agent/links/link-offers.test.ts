import assert from "node:assert/strict";
import { test } from "node:test";
import { linkRig } from "../../../test/support/agent/link-rig.ts";
import { parsingWith } from "../../../test/support/parse/parse-rig.ts";
import { configured } from "../../../test/support/rules/configured.ts";
import { MemoryBody } from "../../../test/support/store/store-rig.ts";
import { type FetchableUrl, parseUrl } from "../../formats/url/index.ts";
import { RecentlySeen } from "../../frontier/seen/index.ts";
import { roleDepth, type Ticket } from "../../frontier/ticket/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import { CrawlScope } from "./crawl-scope.ts";
import { dropSeen } from "./drop-seen.ts";
import { LinkOffers } from "./link-offers.ts";
import type { LinkedPage } from "./offered-links.ts";
import { ScopeGrowth } from "./scope-growth.ts";

const DEFAULTS = configured();

/** A page that is kept and followed. */
const FOLLOWED = { refresh: null, isFollowed: true, isShown: true, found: null };

function rig(depth: number | null = null) {
  const limits = { ...DEFAULTS.limits, depth };
  const offered: Ticket[] = [];
  const counts = new CrawlCounts();
  const scope = new CrawlScope("host", DEFAULTS.url);
  const { gate, resolver } = linkRig(scope, { ...DEFAULTS, limits });
  const recent = new RecentlySeen(100);
  const remembers = depth !== null;
  const deliver = (tickets: Ticket[]): void => {
    const compared = { depth: remembers, hostDepth: false };
    dropSeen(tickets, recent, { of: (ticket) => roleDepth(ticket, compared), ofHost: null });
    offered.push(...tickets);
  };
  const offers = new LinkOffers({
    resolver,
    scope,
    growth: new ScopeGrowth(scope),
    gate,
    deliver,
    counts,
    redirectsMax: 2,
    remembers,
    ...{ score: null, walk: null, countsHostSteps: false },
    besideRequisites: null,
  });
  const urls = () => offered.splice(0).map(({ url, depth: steps }) => `${steps} ${url}`);
  /** Offers a seed and hands back its ticket. */
  const seed = (text: string): Ticket => {
    offers.offerSeed(fetchable(text));
    return offered.splice(0)[0] as Ticket;
  };
  /** As the units do it for the links of a page. */
  const collected = <Found>(offer: (tickets: Ticket[]) => Found): Found => {
    const tickets: Ticket[] = [];
    const found = offer(tickets);
    deliver(tickets);
    return found;
  };
  const offerLinks = (page: LinkedPage) => collected((list) => offers.offerLinks(page, list));
  const offerRedirect = (to: FetchableUrl, ticket: Ticket) =>
    collected((list) => offers.offerRedirect(to, ticket, list));
  return { offers, offered, counts, urls, seed, offerLinks, offerRedirect };
}

function fetchable(text: string): FetchableUrl {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted", text);
  return outcome.url;
}

function parsed(ticket: Ticket, markup: string, type = "text/html"): ParsedPage {
  let page: ParsedPage | null = null;
  const source = {
    url: ticket.url,
    headers: [["Content-Type", type]] as const,
    isSitemap: type !== "text/html",
  };
  parsingWith().parse(source, new MemoryBody(Buffer.from(markup)), (read) => {
    page = read;
  });
  return page ?? assert.fail("a body in memory is parsed at once");
}

const link = (to: string): string => `<a href="${to}">x</a>`;

test("links are one step deeper than their page, and remembered if only the depth refuses them", () => {
  const { offers, urls, seed, counts, offerLinks } = rig(1);
  const ticket = seed("http://a.test/");
  const page = parsed(ticket, link("/x") + link("http://b.test/"));
  const { offered, remembered } = offerLinks({ ticket, parsed: page, ...FOLLOWED });
  assert.deepEqual([offered, remembered, urls()], [1, ["http://a.test/x"], ["1 http://a.test/x"]]);
  const deeper = { ...ticket, depth: 1 };
  const none = offerLinks({ ticket: deeper, parsed: page, ...FOLLOWED });
  assert.deepEqual([none.offered, none.remembered], [0, ["http://a.test/x"]]);
  assert.deepEqual(counts.refused.toObject(), { depth: 1, scope: 2 });
  const links = [...none.remembered, "http://a.test/y"];
  const errand = {
    kind: "expand",
    high: ticket.high,
    low: ticket.low,
    depth: 0,
    requisite: 0,
  } as const;
  const rest = { redirects: -1, depth: 1, requisites: [], isRequisite: false, isSheet: false };
  offers.offerAgain({ url: ticket.url, links, ...rest }, errand);
  // What was offered a moment ago, at no greater depth, is not offered again.
  assert.deepEqual(urls(), ["1 http://a.test/y"]);
});

test("only a seed, or the target of its redirect, widens the scope", () => {
  const { offers, offered, urls, seed, counts, offerRedirect } = rig();
  const first = seed("http://a.test/");
  offerRedirect(fetchable("http://b.test/"), first);
  offers.ended(first);
  const second = offered.splice(0)[0] as Ticket;
  assert.deepEqual([second.url, second.depth, second.redirects], ["http://b.test/", 0, 1]);
  offers.ended(second);
  const page = { ...second, url: fetchable("http://b.test/page"), depth: 0, redirects: 0, low: 77 };
  offerRedirect(fetchable("http://c.test/"), page);
  assert.deepEqual(urls(), []);
  assert.deepEqual(counts.refused.toObject(), { scope: 1 });
});

test("a chain of redirects has a limit", () => {
  const { seed, counts, urls, offerRedirect } = rig();
  const ticket = seed("http://a.test/");
  offerRedirect(fetchable("http://a.test/3"), { ...ticket, redirects: 1 });
  offerRedirect(fetchable("http://a.test/4"), { ...ticket, redirects: 2 });
  assert.deepEqual(urls(), ["0 http://a.test/3"]);
  assert.deepEqual(counts.refused.toObject(), { "too-many-redirects": 1 });
});

test("what a requisite redirects to is one too, but keeps to the ports", () => {
  const { offered, seed, counts, offerRedirect } = rig();
  const ticket = { ...seed("http://a.test/logo.png"), requisite: 1 };
  offerRedirect(fetchable("http://b.test/logo.png"), ticket);
  assert.deepEqual(
    offered.splice(0).map(({ url, requisite }) => [url, requisite]),
    [["http://b.test/logo.png", 1]],
  );
  const refused = offerRedirect(fetchable("http://b.test:22/logo.png"), ticket);
  assert.deepEqual([refused.offered, offered.length], [0, 0]);
  assert.deepEqual(counts.refused.toObject(), { port: 1 });
});

test("the entries of a named sitemap are as near as seeds, those of any other are not", () => {
  const { offers, offered, urls, seed, offerLinks } = rig();
  seed("http://a.test/");
  offers.offerSitemaps([fetchable("http://a.test/s.xml")], fetchable("http://a.test/robots.txt"));
  const ticket = offered.splice(0)[0] as Ticket;
  assert.equal(offers.sitemaps.levelOf(ticket), 1);
  const markup = "<urlset><url><loc>http://a.test/deep</loc></url></urlset>";
  const page = parsed(ticket, markup, "application/xml");
  offerLinks({ ticket, parsed: page, ...FOLLOWED });
  assert.deepEqual(urls(), ["0 http://a.test/deep"]);
  offers.ended(ticket);
  const other = parsed(ticket, markup.replace("deep", "deeper"), "application/xml");
  offerLinks({ ticket, parsed: other, ...FOLLOWED });
  assert.deepEqual(urls(), ["1 http://a.test/deeper"]);
});
