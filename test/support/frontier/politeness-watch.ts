/** Watches visits as the servers would see them, and fails at the first one that is impolite. */
import assert from "node:assert/strict";

export interface Visit {
  readonly host: string;
  readonly address: string | null;
}

interface Place {
  isVisited: boolean;
  restsUntilMs: number;
}

export class PolitenessWatch {
  readonly #hostDelayMs: number;
  readonly #addressDelayMs: number;
  readonly #hosts = new Map<string, Place>();
  readonly #addresses = new Map<string | null, Place>();
  readonly #servers = new Map<string, Place>();
  /** Further delays by host, from the end of a visit; a Crawl-delay, say. */
  delaysMs: Map<string, number> = new Map<string, number>();

  /** By host: the name of its server, whose hosts are visited as one; null: each is by itself. */
  serverOf: Map<string, string> | null = null;

  /** For visits that need no politeness. */
  isOff = false;

  constructor(hostDelayMs: number, addressDelayMs: number) {
    this.#hostDelayMs = hostDelayMs;
    this.#addressDelayMs = addressDelayMs;
  }

  began({ host, address }: Visit, nowMs: number): void {
    this.#begin(this.#hosts, host, nowMs);
    if (this.#addressDelayMs > 0) this.#begin(this.#addresses, address, nowMs);
    if (this.serverOf !== null) this.#begin(this.#servers, this.#serverOf(host), nowMs);
  }

  /** `restMs`: what the host asked for with its answer. */
  ended({ host, address }: Visit, nowMs: number, restMs = 0): void {
    const delayMs = Math.max(this.#hostDelayMs, this.delaysMs.get(host) ?? 0, restMs);
    this.#end(this.#hosts, host, nowMs + delayMs);
    if (this.#addressDelayMs > 0) {
      this.#end(this.#addresses, address, nowMs + this.#addressDelayMs);
    }
    if (this.serverOf === null) return;
    const server = this.#serverOf(host);
    this.#end(this.#servers, server, nowMs + Math.max(delayMs, this.#serverDelayMs(server)));
  }

  /** The process that made these visits is gone: to their hosts and addresses they have ended. */
  abandon(visits: Iterable<Visit & { readonly kind: string }>, nowMs: number): void {
    for (const visit of visits) {
      // What a robots.txt says is not known to a process that did not read it to its end.
      if (visit.kind === "robots") this.delaysMs.delete(visit.host);
      this.ended(visit, nowMs);
    }
  }

  #serverOf(host: string): string {
    return this.serverOf?.get(host) ?? host;
  }

  /** The longest delay of any of its hosts. */
  #serverDelayMs(server: string): number {
    const delays = [...this.delaysMs].filter(([host]) => this.#serverOf(host) === server);
    return Math.max(0, ...delays.map(([, delayMs]) => delayMs));
  }

  #begin<Name>(places: Map<Name, Place>, name: Name, nowMs: number): void {
    if (this.isOff) return;
    const place = places.get(name) ?? { isVisited: false, restsUntilMs: 0 };
    assert(!place.isVisited, `two visits of ${name} at once, at ${nowMs} ms`);
    assert(
      nowMs >= place.restsUntilMs,
      `${name} visited at ${nowMs}, not ${place.restsUntilMs} ms`,
    );
    place.isVisited = true;
    places.set(name, place);
  }

  #end<Name>(places: Map<Name, Place>, name: Name, restsUntilMs: number): void {
    if (this.isOff) return;
    const place = places.get(name);
    assert(place?.isVisited, `a visit of ${name} ended that had not begun`);
    place.isVisited = false;
    place.restsUntilMs = restsUntilMs;
  }
}
