/** The log of a crawl: one line for each URL that has ended. What was not synced may be lost. */
import assert from "node:assert/strict";
import type { Random } from "../../src/base/seams/index.ts";
import type { Ticket } from "../../src/frontier/ticket/index.ts";

export interface Line {
  readonly ticket: Ticket;
  /** Whether it counts as a page of its host. */
  readonly isPage: boolean;
}

export class CrawlLines {
  readonly #lines: Line[] = [];
  readonly #byUrl = new Map<string, Line>();
  #synced = 0;

  get all(): readonly Line[] {
    return this.#lines;
  }

  has(url: string): boolean {
    return this.#byUrl.has(url);
  }

  of(url: string): Line | undefined {
    return this.#byUrl.get(url);
  }

  append(line: Line): void {
    const { url } = line.ticket;
    assert.ok(!this.#byUrl.has(url), `${url} has one line`);
    this.#lines.push(line);
    this.#byUrl.set(url, line);
  }

  sync(): void {
    this.#synced = this.#lines.length;
  }

  /** Power has failed: some lines that were not synced are gone. */
  crash(random: Random): void {
    const left = this.#synced + random.below(this.#lines.length - this.#synced + 1);
    for (const { ticket } of this.#lines.splice(left)) this.#byUrl.delete(ticket.url);
    this.sync();
  }
}
