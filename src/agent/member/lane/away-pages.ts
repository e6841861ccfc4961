/**
 * The pages in the store, as a lane asks for them: a host that never went away has no pages but those that
 * the frontier knows, so that nothing is asked for a new host.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import type { Frontier } from "../../../frontier/front/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import type { KnownPages } from "../../../holdings/index.ts";

export class AwayPages implements KnownPages {
  readonly #isAway: Frontier["handovers"]["isAway"];
  readonly #pages: () => KnownPages;

  constructor(isAway: Frontier["handovers"]["isAway"], pages: () => KnownPages) {
    this.#isAway = isAway;
    this.#pages = pages;
  }

  has(page: Fingerprint, done: (isHad: boolean) => void): void {
    this.#pages().has(page, done);
  }

  find(page: Fingerprint, done: (page: Ticket | null) => void): void {
    this.#pages().find(page, done);
  }

  ofHost(host: string, done: (pages: readonly Ticket[]) => void): void {
    if (this.#isAway(host as HostName)) this.#pages().ofHost(host, done);
    else done([]);
  }

  ofHosts(...asked: Parameters<KnownPages["ofHosts"]>): void {
    this.#pages().ofHosts(...asked);
  }
}
