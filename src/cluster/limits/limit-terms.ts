/**
 * The limits of a crawl as all agents know them, a part of the shared configuration. When they are
 * changed while the crawl runs, the agent that changes them *issues* the difference (M7): what each
 * place has issued is in the terms, so that it counts exactly as long as the change does. If two agents
 * change the configuration at once, one of the changes is dropped everywhere, and so is what its author
 * has issued for it.
 */
import { type Place, parsePlace, placeText, samePlace } from "../messages/index.ts";
import {
  type Amounts,
  amountsOf,
  CURRENCIES,
  isNothing,
  minus,
  NO_AMOUNTS,
  plus,
} from "./amounts.ts";

/** Null for no limit. */
export interface CrawlBounds {
  readonly pages: number | null;
  readonly bytes: number | null;
  /** From the founder's start. */
  readonly timeMs: number | null;
}

/** What a place has issued; negative if the limit was lowered. */
export interface Issue {
  readonly place: Place;
  readonly amounts: Amounts;
}

export interface LimitTerms extends CrawlBounds {
  /** What the founder has issued. */
  readonly founded: Amounts;
  /** What others have, and it has later: one for each place. */
  readonly issues: readonly Issue[];
}

/** Whether something that another agent has sent is terms. Throws for what is not even an object. */
export function areTerms({ pages, bytes, timeMs, founded, issues }: LimitTerms): boolean {
  const isBound = (bound: unknown): boolean => bound === null || Number.isFinite(bound);
  const areAmounts = (amounts: Amounts): boolean =>
    CURRENCIES.every((currency) => Number.isSafeInteger(amounts[currency]));
  const isIssue = ({ place, amounts }: Issue): boolean =>
    parsePlace(placeText(place)) !== null && areAmounts(amounts);
  return [pages, bytes, timeMs].every(isBound) && areAmounts(founded) && issues.every(isIssue);
}

/** The terms of a crawl that is founded with these limits. */
export function foundingTerms(bounds: CrawlBounds): LimitTerms {
  const founded = amountsOf((currency) => bounds[currency] ?? 0);
  return { ...bounds, founded, issues: [] };
}

/** The terms with which this place changes the limits. */
export function changedTerms(terms: LimitTerms, self: Place, bounds: CrawlBounds): LimitTerms {
  const all = terms.issues.reduce((sum, { amounts }) => plus(sum, amounts), terms.founded);
  const wanted = amountsOf((currency) => bounds[currency] ?? all[currency]);
  const amounts = plus(
    issuedBy(terms, (place) => samePlace(place, self)),
    minus(wanted, all),
  );
  const others = terms.issues.filter(({ place }) => !samePlace(place, self));
  const issues = isNothing(amounts) ? others : [...others, { place: self, amounts }];
  return { founded: terms.founded, ...bounds, issues };
}

export function issuedBy(terms: LimitTerms, isOwn: (place: Place) => boolean): Amounts {
  const own = terms.issues.filter(({ place }) => isOwn(place));
  return own.reduce((sum, { amounts }) => plus(sum, amounts), NO_AMOUNTS);
}
