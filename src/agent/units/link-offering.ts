/**
 * Selects what a page leads to, by scope, limits and filters: its links, or the target of its redirect.
 * The visit carries the tickets on to the seen test and the sieve.
 */
import type { ParsedPage } from "../../parse/page/index.ts";
import { LinkLines } from "../../store/links/index.ts";
import type { ComponentDefinition, Unit } from "../../topology/unit/index.ts";
import { NO_LINKS, type OfferedLinks } from "../links/offered-links.ts";
import { ROLES } from "../topology/roles.ts";
import { isSuccess, type ReadPage } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { pageUnit } from "./page-unit.ts";

const PROVIDERS = {
  ...{ links: ROLES.links, web: ROLES.web, rules: ROLES.rules, ledger: ROLES.ledger },
};

export const LINK_OFFERING: ComponentDefinition = pageUnit({
  name: "offers",
  code: "INTERNAL_LINKS",
  providers: PROVIDERS,
  wants: ({ page }) => page !== null,
  create: (unit) => {
    const offering = new Offering(unit);
    return (visit) => offering.offer(visit);
  },
});

class Offering {
  readonly #unit: Unit<typeof PROVIDERS>;

  constructor(unit: Unit<typeof PROVIDERS>) {
    this.#unit = unit;
  }

  offer(visit: PageVisit): void {
    const { page } = visit;
    if (page === null) return;
    const { status } = page.outcome;
    if (status >= 300 && status < 400) this.#redirected(visit, page);
    else if (page.parsed !== null) this.#follow(visit, page, page.parsed);
    else if (isSuccess(status)) this.#remember(visit, NO_LINKS, -1);
    else visit.leave();
  }

  #redirected(visit: PageVisit, { outcome }: ReadPage): void {
    const { links, web, ledger } = this.#unit.providers;
    const { record } = visit;
    const { ticket } = visit.errand;
    const target = web.answers.leadsTo(outcome, ticket.url);
    if (target.kind !== "redirected") {
      ledger.seeds.redirected(ticket, null, false);
      if (target.kind === "refused") ledger.counts.refused.add(target.reason);
      visit.leave();
      return;
    }
    record.redirectTo = target.to;
    record.notes.push(["redirect", target.to]);
    const offered = links.offers.offerRedirect(target.to, ticket, visit.newTickets());
    ledger.seeds.redirected(ticket, target.to, offered.offered > 0);
    this.#remember(visit, offered, ticket.redirects);
  }

  #follow(visit: PageVisit, page: ReadPage, parsed: ParsedPage): void {
    const { links, web, rules } = this.#unit.providers;
    const { offers } = links;
    const { ticket } = visit.errand;
    // Damaged content may hold links that nobody wrote.
    const isSound = !page.isDamaged;
    const isFollowed = isSound && (rules.follow?.accepts(page.facts) ?? true);
    const leads = isFollowed ? web.answers.leadsTo(page.outcome, ticket.url) : null;
    const refresh = leads?.kind === "refreshed" ? leads.to : null;
    const isShown = !(rules.obeysNoarchive && parsed.directives.noarchive);
    const isOffered = isFollowed || (isSound && offers.takesRequisites);
    const found =
      links.graph === null || !isSound || visit.record.isSitemap ? null : new LinkLines();
    visit.record.links = found;
    const linked = { ticket, parsed, refresh, isFollowed, isShown, found };
    const offered = isOffered ? offers.offerLinks(linked, visit.newTickets()) : NO_LINKS;
    if (!isOffered) offers.readLinks(linked);
    found?.pack();
    visit.record.notes.push(["links", String(offered.offered)]);
    this.#remember(visit, offered, -1);
  }

  /**
   * With a depth limit the links are kept in case the page turns out to be nearer to a seed; those of
   * a requisite always are, in case it turns out to be a page.
   */
  #remember(visit: PageVisit, offered: OfferedLinks, redirects: number): void {
    const { memory, failed } = this.#unit.providers.links;
    const { high, low, url, depth, hostDepth } = visit.errand.ticket;
    const { remembered: links, requisites, isSheet } = offered;
    const { isRequisite } = visit.record;
    if (memory === null || (links.length === 0 && !isRequisite)) visit.leave();
    else {
      const isCounted = isRequisite && redirects < 0;
      const facts = { url, redirects, depth, isRequisite: isCounted, isSheet };
      const steps = hostDepth === undefined ? {} : { hostDepth };
      const page = { ...facts, ...steps, links, requisites };
      memory.keep(high, low, page, (error) =>
        visit.guard(() => {
          if (error !== null) failed(error);
          visit.leave();
        }),
      );
    }
  }
}
