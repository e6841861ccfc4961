/** Whether the crawler said who it is, honestly and always the same. */
import type { AccessEntry } from "../serve/access-log.ts";
import type { SinExample, SinList } from "./sin.ts";
import type { VerdictRules } from "./verdict-rules.ts";
import { urlOf } from "./visit-examiner.ts";

/** Default names of libraries. */
const LIBRARY =
  /^(?:node|node-fetch|undici|axios|got|superagent|python|python-requests|python-urllib|aiohttp|httpx|scrapy|curl|libcurl|wget|go-http-client|java|apache-httpclient|okhttp|libwww-perl|ruby|php|reqwest|hyper|guzzlehttp|dart|deno|bun)\b/i;
const BROWSER = /^Mozilla\/\d(?!.*\b(?:compatible|bot|crawler|spider)\b)/i;
const USER_AGENTS_SHOWN = 10;

export class IdentityExaminer {
  readonly #rules: VerdictRules;
  readonly #sins: SinList;
  /** Requests by user agent, in the order of first use. */
  readonly #counts = new Map<string, number>();

  constructor(rules: VerdictRules, sins: SinList) {
    this.#rules = rules;
    this.#sins = sins;
  }

  see(entry: AccessEntry): void {
    const { userAgent } = entry;
    const [first] = this.#counts.keys();
    this.#counts.set(userAgent, (this.#counts.get(userAgent) ?? 0) + 1);
    const example = (): SinExample => ({ what: urlOf(entry), detail: JSON.stringify(userAgent) });
    if (userAgent === "") this.#sins.add("no-user-agent", example);
    else if (LIBRARY.test(userAgent)) this.#sins.add("library-user-agent", example);
    else if (BROWSER.test(userAgent)) this.#sins.add("browser-user-agent", example);
    if (first !== undefined && first !== userAgent) this.#sins.add("changing-user-agent", example);
    const wanted = this.#rules.userAgent;
    if (wanted !== null && wanted !== userAgent) this.#sins.add("wrong-user-agent", example);
  }

  /** The user agents seen, the first few of them, with the number of requests of each. */
  userAgents(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].slice(0, USER_AGENTS_SHOWN));
  }
}
