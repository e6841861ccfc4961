/**
 * Seeds as a lane sees them. What becomes of a seed is followed at the desk, since where it redirects
 * may belong to another lane; a lane tells what happens to seeds, to where they lead, and to whole
 * hosts. Errors and instants are turned into what the desk understands.
 */
import { carry, rebuild } from "../../base/background/index.ts";
import { type CrawlError, type ErrorCode, isCrawlError } from "../../base/errors/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { RefusedSeed, Settlement } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { SavedSeeds, SeedCause, SeedFailure, Seeds } from "../seeds/seed-watch.ts";
import type { DeskLink } from "./desk-link.ts";
import type { CarriedError } from "./lane-messages.ts";

type CarriedCause = Exclude<SeedCause, CrawlError> | { readonly carried: CarriedError };

/** One call of the seed watch, as plain values. */
export type SeedCall =
  | { readonly what: "add"; readonly url: FetchableUrl }
  | { readonly what: "turnedAway"; readonly url: string; readonly reason: string }
  | { readonly what: "hostFailing"; readonly host: string; readonly cause: CarriedCause }
  | { readonly what: "hostFailed"; readonly host: string; readonly settlement: Settlement }
  | {
      readonly what: "failed";
      readonly ticket: Ticket;
      readonly error: CarriedError;
      readonly settlement: Settlement;
    }
  | {
      readonly what: "answered";
      readonly ticket: Ticket;
      readonly status: number;
      readonly settlement: Settlement;
    }
  | {
      readonly what: "redirected";
      readonly ticket: Ticket;
      readonly to: FetchableUrl | null;
      readonly isOffered: boolean;
    }
  | { readonly what: "unfetched"; readonly ticket: Ticket; readonly code: ErrorCode }
  | { readonly what: "refused"; readonly refused: RefusedSeed };

export interface LaneSeedsParts {
  readonly desk: Pick<DeskLink, "post">;
  /** What must be added to this lane's clock to get the desk's. */
  readonly clockOffsetMs: number;
}

export class LaneSeeds implements Seeds {
  readonly #parts: LaneSeedsParts;
  readonly #watched = new Set<string>();

  constructor(parts: LaneSeedsParts) {
    this.#parts = parts;
  }

  /** A seed, or where one leads, that another lane or another run has led here. */
  watch(url: string): void {
    this.#watched.add(url);
  }

  /** Whether what becomes of this URL is told. */
  isWatched(url: string): boolean {
    return this.#watched.size > 0 && this.#watched.has(url);
  }

  /** The desk knows them. */
  get failures(): readonly SeedFailure[] {
    return [];
  }

  save(): SavedSeeds {
    return { watched: [], failures: [] };
  }

  restore(): void {}

  add(url: FetchableUrl): void {
    this.#watched.add(url);
    this.#tell({ what: "add", url });
  }

  turnedAway(url: string, reason: string): void {
    this.#tell({ what: "turnedAway", url, reason });
  }

  hostFailing(host: string, cause: SeedCause): void {
    if (this.#watched.size === 0) return;
    this.#tell({
      ...{ what: "hostFailing", host },
      cause: isCrawlError(cause) ? { carried: carry(cause) } : (cause as CarriedCause),
    });
  }

  hostFailed(host: string, settlement: Settlement): void {
    if (this.#watched.size === 0) return;
    this.#tell({ what: "hostFailed", host, settlement: this.#atDesk(settlement) });
  }

  failed(ticket: Ticket, error: CrawlError, settlement: Settlement): void {
    if (!this.#watched.has(ticket.url)) return;
    this.#tell({
      ...{ what: "failed", ticket, error: carry(error) },
      settlement: this.#atDesk(settlement),
    });
  }

  answered(ticket: Ticket, status: number, settlement: Settlement): void {
    if (!this.#watched.has(ticket.url)) return;
    this.#tell({ what: "answered", ticket, status, settlement: this.#atDesk(settlement) });
  }

  redirected(ticket: Ticket, to: FetchableUrl | null, isOffered: boolean): void {
    if (!this.#watched.has(ticket.url)) return;
    if (to !== null && isOffered) this.#watched.add(to);
    this.#tell({ what: "redirected", ticket, to, isOffered });
  }

  unfetched(ticket: Ticket, code: ErrorCode): void {
    if (this.#watched.has(ticket.url)) this.#tell({ what: "unfetched", ticket, code });
  }

  refused(refused: RefusedSeed): void {
    this.#tell({ what: "refused", refused });
  }

  #tell(call: SeedCall): void {
    this.#parts.desk.post({ kind: "seed", call });
  }

  #atDesk(settlement: Settlement): Settlement {
    if (settlement.kind === "final") return settlement;
    return { kind: "again", atMs: settlement.atMs + this.#parts.clockOffsetMs };
  }
}

/** Makes the call at the desk. */
export function callSeeds(seeds: Seeds, call: SeedCall): void {
  switch (call.what) {
    case "add":
      seeds.add(call.url);
      break;
    case "turnedAway":
      seeds.turnedAway(call.url, call.reason);
      break;
    case "hostFailing":
      seeds.hostFailing(call.host, causeOf(call.cause));
      break;
    case "hostFailed":
      seeds.hostFailed(call.host, call.settlement);
      break;
    case "failed":
      seeds.failed(call.ticket, rebuild(call.error), call.settlement);
      break;
    case "answered":
      seeds.answered(call.ticket, call.status, call.settlement);
      break;
    case "redirected":
      seeds.redirected(call.ticket, call.to, call.isOffered);
      break;
    case "unfetched":
      seeds.unfetched(call.ticket, call.code);
      break;
    case "refused":
      seeds.refused(call.refused);
  }
}

function causeOf(cause: CarriedCause): SeedCause {
  return typeof cause === "object" && cause !== null ? rebuild(cause.carried) : cause;
}
