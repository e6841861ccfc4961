/**
 * Everything that a crawler can do wrong in a synthetic web, by name. A verdict counts each sin and
 * keeps a few examples; a crawl is clean when there is none.
 */

export const SINS = {
  "missed-page": "a page that was due was never fetched completely",
  "gave-up-early": "a failure that should be retried was not retried often enough",
  "fetched-again": "a page was fetched again although it had been fetched completely",
  "retried-too-often": "a failure was retried more often than the rules say",
  "forbidden-by-robots": "a page was fetched that robots.txt forbids",
  "followed-nofollow": "a page was fetched to which only links lead that must not be followed",
  "left-scope": "a page outside the scope was fetched",
  "went-too-deep": "a page beyond the depth limit was fetched",
  "forbidden-address": "a page was fetched from an address that the rules forbid",
  "exceeded-limit": "a page was fetched that a limit excludes, or more pages than the limit",
  "made-up-url": "a URL was fetched that nothing in this web leads to",
  "wrong-address": "a host was asked at an address that is not one of its own",
  "host-too-soon": "a host was visited again before its delay was over",
  "host-two-at-once": "a host was asked again before it had answered",
  "address-too-soon": "an address was visited again before its delay was over",
  "address-two-at-once": "an address was asked again before it had answered",
  "ignored-crawl-delay": "a host was visited again sooner than its robots.txt asks",
  "ignored-retry-after": "a host was visited again sooner than it had asked in an answer",
  "robots-not-first": "a page of a host was fetched before its robots.txt",
  "robots-stale": "a page was fetched by a robots.txt that was too old",
  "malformed-request": "something was sent that is not an HTTP request",
  "no-user-agent": "a request did not say who asks",
  "changing-user-agent": "requests gave different names for who asks",
  "library-user-agent": "a request gave the name of a library for who asks",
  "browser-user-agent": "a request pretended to come from a browser",
  "wrong-user-agent": "a request gave a name other than the one in the rules",
  "wrong-body": "a stored body is not what the web serves",
  "wrong-status": "a stored answer does not have the status or headers that the web sends",
  "missing-record": "a page that was due has no record",
  "superfluous-record": "there is a record of a page that must not be stored, or a second one",
  "stored-twice": "a body that was stored before was stored again instead of being referred to",
  "dangling-revisit": "a record refers to one that is not there, or that has another body",
  "damaged-record": "a record is damaged, or its digest is wrong",
} as const;

export type Sin = keyof typeof SINS;

export interface SinExample {
  /** The URL, or whatever else it was done to. */
  readonly what: string;
  /** The facts of this case, in words. */
  readonly detail: string;
}

export interface SinReport {
  readonly sin: Sin;
  readonly meaning: string;
  readonly count: number;
  readonly examples: readonly SinExample[];
}

const EXAMPLES_MAX = 5;

export class SinList {
  readonly #found = new Map<Sin, { count: number; examples: SinExample[] }>();

  /** The example is made only if it is kept. */
  add(sin: Sin, example: () => SinExample): void {
    let found = this.#found.get(sin);
    if (found === undefined) {
      found = { count: 0, examples: [] };
      this.#found.set(sin, found);
    }
    found.count += 1;
    if (found.examples.length < EXAMPLES_MAX) found.examples.push(example());
  }

  /** In the order of the table. */
  reports(): SinReport[] {
    return (Object.keys(SINS) as Sin[]).flatMap((sin) => {
      const found = this.#found.get(sin);
      return found === undefined ? [] : [{ sin, meaning: SINS[sin], ...found }];
    });
  }
}
