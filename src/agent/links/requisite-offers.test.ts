import assert from "node:assert/strict";
import { test } from "node:test";
import { linkRig } from "../../../test/support/agent/link-rig.ts";
import { configured } from "../../../test/support/rules/configured.ts";
import { type FetchableUrl, parseUrl } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { FollowedLink } from "../../parse/page/index.ts";
import { FetchableView } from "../../rules/filter/index.ts";
import { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import { CrawlScope } from "./crawl-scope.ts";
import { RequisiteOffers } from "./requisite-offers.ts";

const PAGE = fetchable("http://a.example/");

function rig(kinds: readonly string[] | null = ["a"]) {
  const offered: string[] = [];
  const counts = new CrawlCounts();
  const scope = new CrawlScope("host", configured().url);
  scope.add(PAGE);
  const { gate, resolver } = linkRig(scope);
  const link = (text: string, kind: string, rel = ""): FollowedLink => {
    const resolved = resolver.resolve(text, resolver.base(PAGE));
    assert(typeof resolved !== "string", text);
    const origin = { source: new FetchableView(PAGE), depth: 1, isNofollow: false };
    return new FollowedLink(resolved, origin, { kind, rel, text: "" });
  };
  const requisites = new RequisiteOffers({
    ...{ resolver, gate, counts, besideRequisites: kinds === null ? null : new Set(kinds) },
    lead: (to) => link(to, "redirect"),
    reaches: (one) => gate.beyond(one) === null,
    offer: ({ url }, { requisite, redirects }) => offered.push(`${requisite} ${redirects} ${url}`),
  });
  return { requisites, offered, counts, link };
}

function fetchable(text: string): FetchableUrl {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted", text);
  return outcome.url;
}

function ticketOf(requisite: number): Ticket {
  const place = { url: PAGE, high: 1, low: 2, depth: 0, via: null, redirects: 0, priority: 0 };
  return requisite === 0 ? place : { ...place, requisite };
}

test("what a page needs is one step beyond it, wherever it is", () => {
  const { requisites, offered, link } = rig();
  requisites.begin(ticketOf(0), "html", true);
  requisites.take(link("http://elsewhere.example/logo.png", "img"));
  requisites.take(link("/style.css", "link", "stylesheet"));
  requisites.take(link("/next", "a"));
  assert.deepEqual(offered, [
    "1 0 http://elsewhere.example/logo.png",
    "1 0 http://a.example/style.css",
  ]);
  assert.deepEqual(requisites.needed, []);
});

test("nothing is needed for a page that is not shown", () => {
  const { requisites, offered, link } = rig();
  requisites.begin(ticketOf(0), "html", false);
  requisites.take(link("/logo.png", "img"));
  assert.deepEqual(offered, []);
});

test("among requisites only style sheets need others, and chains of them end", () => {
  const { requisites, offered, link, counts } = rig();
  requisites.begin(ticketOf(1), "html", true);
  requisites.take(link("/in-frame.png", "img"));
  assert.deepEqual(offered, []);
  assert.deepEqual(requisites.needed, ["http://a.example/in-frame.png"], "it is remembered");
  for (const steps of [1, 4, 5]) {
    requisites.begin(ticketOf(steps), "css", true);
    requisites.take(link("/more.png", "img"));
  }
  assert.deepEqual(offered, ["2 0 http://a.example/more.png", "5 0 http://a.example/more.png"]);
  assert.deepEqual(counts.refused.toObject(), { "requisite-depth": 1 });
});

test("an image that is listed among links is a page where it may be followed", () => {
  const { requisites, link } = rig(["a", "img"]);
  assert.equal(requisites.leadsToPage(link("/photo.jpg", "img")), true);
  assert.equal(requisites.leadsToPage(link("http://elsewhere.example/b.jpg", "img")), false);
  assert.equal(requisites.leadsToPage(link("/next", "a")), true);
  assert.equal(rig().requisites.leadsToPage(link("/photo.jpg", "img")), false);
  assert.equal(rig(null).requisites.isOn, false);
});

test("a requisite that redirects is as far from its page as before", () => {
  const { requisites, offered } = rig();
  const to = fetchable("http://elsewhere.example/logo.png");
  const found = requisites.redirect(to, ticketOf(2), 3);
  assert.deepEqual(offered, ["2 3 http://elsewhere.example/logo.png"]);
  assert.deepEqual(found, { offered: 1, remembered: [], requisites: [to], isSheet: false });
});

test("remembered requisites are offered again, at most five steps from a page", () => {
  const { requisites, offered } = rig();
  const page = {
    ...{ url: PAGE, depth: 0, redirects: -1, isRequisite: true, isSheet: true, links: [] },
    requisites: ["http://a.example/1.png", "mailto:a@a.example"],
  };
  for (const steps of [0, 2, 6]) requisites.offerAgain(page, steps);
  assert.deepEqual(offered, ["2 0 http://a.example/1.png"]);
});
