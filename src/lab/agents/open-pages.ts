/**
 * Pages of a simulated agent whose links are on their way between its lanes. Links to hosts of other lanes
 * take a while; until all of them are there, and the line of the page is durable, the page is open, and the
 * pages of a checkpoint end before it: after a crash its links are found again.
 */
import type { Position } from "../../base/log/index.ts";
import type { Clock, Random } from "../../base/seams/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { hostNameOf } from "./small-web.ts";

export interface OpenPagesParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly laneOf: (host: string) => number;
  readonly found: (lane: number, ticket: Ticket) => void;
}

/** Links get to another lane within this time. */
const WAY_MS_MAX = 6;

export class OpenPages {
  readonly #parts: OpenPagesParts;
  /** Where their lines begin. */
  readonly #lines = new Map<object, Position>();

  constructor(parts: OpenPagesParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#lines.size;
  }

  /** Where the first of them begins; `end` if none is open. */
  begin(end: Position): Position {
    return Math.min(end, ...this.#lines.values());
  }

  /**
   * Sends the links of a page to their lanes. The page is open until all are there and the function that
   * this returns was called.
   */
  open(page: Ticket, line: Position, links: readonly Ticket[], over: () => void): () => void {
    const { clock, random, laneOf, found } = this.#parts;
    const key = {};
    let left = links.length + 1;
    const settle = (): void => {
      left -= 1;
      if (left > 0) return;
      this.#lines.delete(key);
      over();
    };
    this.#lines.set(key, line);
    const own = laneOf(hostNameOf(page.url));
    for (const link of links) {
      const lane = laneOf(hostNameOf(link.url));
      const take = (): void => {
        found(lane, link);
        settle();
      };
      if (lane === own) take();
      else clock.after(random.below(WAY_MS_MAX * 1000) / 1000, take);
    }
    return settle;
  }
}
