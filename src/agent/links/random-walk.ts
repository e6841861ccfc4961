/**
 * The random walk: the one traversal that may visit a page again. A *walker* on a page follows one of
 * its links, each with the same probability, or leaves, with a small probability. It also leaves if
 * there is no link to follow, or if a fetch fails or is refused. For each walker that has left,
 * another one begins at a random seed. So there are always as many walkers as seeds, but no more than
 * connections, until a limit ends the crawl; the first ones begin at the seeds in their order.
 *
 * A step is a ticket like any other, but its fingerprint is the walker's number and the number of
 * its step: to the frontier no two steps are the same, whatever page they lead to. What a walker
 * does depends on the random seed, its number and the pages it sees, not on timing.
 */

import type { Random } from "../../base/seams/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";

export interface RandomWalkOptions {
  readonly frontier: Pick<Frontier, "offer" | "status">;
  readonly random: Random;
  readonly counts: Pick<CrawlCounts, "pages">;
  /** The most walkers at a time, however many seeds. */
  readonly walkersMax: number;
  /** Null for a new one. */
  readonly saved?: SavedWalk | null;
}

/** What a walk goes on from. */
export interface SavedWalk {
  /** Walkers that have begun. */
  readonly started: number;
  /** Those of them that have not left: their next steps are with the frontier. */
  readonly walking: number;
}

/** How a page was reached. */
type Way = Pick<Ticket, "depth" | "via" | "redirects">;

/** The surfer of PageRank gets bored with this probability (Brin and Page, 1998). */
const LEAVE_PROBABILITY = 0.15;
/** No walker begins after this many in a row, beyond those walking, have seen no page. */
const VAIN_STARTS_MAX = 100;
const SEED_WAY: Way = { depth: 0, via: null, redirects: 0 };

export class RandomWalk {
  readonly #options: RandomWalkOptions;
  readonly #seeds: FetchableUrl[] = [];
  /** May be changed; walkers beyond it are not replaced. */
  walkersMax: number;
  #started = 0;
  #offered = 0;
  #left = 0;
  #vainStarts = 0;
  #pages = 0;
  /** For the current page: its random numbers, the links seen so far, and the one chosen. */
  #random: Random;
  #links = 0;
  #chosen: { readonly url: FetchableUrl; readonly way: Way } | null = null;

  constructor(options: RandomWalkOptions) {
    this.#options = options;
    this.#random = options.random;
    this.walkersMax = options.walkersMax;
    const { saved = null } = options;
    if (saved === null) return;
    this.#started = saved.started;
    this.#offered = saved.walking + this.#refusals;
  }

  save(): SavedWalk {
    return { started: this.#started, walking: this.#walking };
  }

  addSeed(url: FetchableUrl): void {
    this.#seeds.push(url);
  }

  /** A walker's page was fetched: `consider` is called for each of its links, then `goOn`. */
  arrive({ high, low }: Ticket): void {
    this.#random = this.#options.random.fork(`${high}/${low}`);
    this.#links = 0;
    this.#chosen = null;
  }

  /** Replaces the choice with probability 1/n at the nth link, so that all are equally likely. */
  consider(url: FetchableUrl, way: Way): void {
    this.#links += 1;
    if (this.#random.below(this.#links) === 0) this.#chosen = { url, way };
  }

  /** The walker's next step, to be offered; null if it leaves. It always follows a redirect. */
  goOn({ high, low }: Ticket, isRedirect: boolean): Ticket | null {
    if (this.#chosen === null) return null;
    if (!isRedirect && this.#random.unit() < LEAVE_PROBABILITY) return null;
    const { url, way } = this.#chosen;
    this.#chosen = null;
    this.#offered += 1;
    return { url, ...way, high, low: low + 1, priority: 0 };
  }

  /** A step is over, whether it led to another or not. */
  ended(): void {
    this.#left += 1;
  }

  /** Begins walkers in place of those that left; true when any began. */
  keepUp(): boolean {
    const { counts } = this.#options;
    if (counts.pages > this.#pages) this.#vainStarts = 0;
    this.#pages = counts.pages;
    const walkers = Math.min(this.#seeds.length, this.walkersMax);
    const before = this.#started;
    for (let walking = this.#walking; walking < walkers; walking += 1) {
      if (this.#vainStarts >= VAIN_STARTS_MAX + walkers) break;
      this.#start();
    }
    return this.#started > before;
  }

  /** Steps that the frontier refused have ended without a call of `ended`. */
  get #walking(): number {
    return this.#offered - this.#left - this.#refusals;
  }

  get #refusals(): number {
    const { refused } = this.#options.frontier.status();
    let refusals = 0;
    for (const count of Object.values(refused)) refusals += count;
    return refusals;
  }

  #start(): void {
    const { random } = this.#options;
    const number = this.#started;
    const at =
      number < this.#seeds.length
        ? number
        : random.fork(`start ${number}`).below(this.#seeds.length);
    this.#started += 1;
    this.#vainStarts += 1;
    const url = this.#seeds[at] as FetchableUrl;
    this.#offered += 1;
    this.#options.frontier.offer({ url, ...SEED_WAY, high: number, low: 0, priority: 0 });
  }
}
