/**
 * What an agent has of the crawl, as custody sees it: the hosts that it crawls, in its frontier, and the
 * pages in its store.
 *
 * Contract for implementers:
 * - Everything custody asks for is part of the agent's next checkpoint, with everything that was asked
 *   before it; after a crash the agent is as its last checkpoint says, and what came after it is asked
 *   again. Callbacks come never inside the call.
 * - A page counts as had (`has`, `pagesOf`) when its line is durable, and its links are recorded with it.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import type { Place } from "../messages/index.ts";

export interface Holdings {
  /** Takes a URL of a host that is here: it is queued, unless it is known since the host came here. */
  take(entry: UrlEntry): void;

  /** The page of a URL is elsewhere: the URL is known, and is not fetched. */
  end(entry: UrlEntry): void;

  /** It is not elsewhere after all: it is fetched, unless it was fetched here meanwhile. */
  again(entry: UrlEntry): void;

  has(page: Fingerprint): boolean;

  /** The hosts that are here: all that were taken and not given away. */
  hosts(): Iterable<string>;

  /** Whether a host was here and was given away. */
  isAway(host: string): boolean;

  /**
   * Ends the visits of a host, and then gives every URL of it that waits; `done` gets what goes with the
   * host. Nothing of it is here any more by then, but pages in the store.
   */
  giveAway(host: string, each: (entry: UrlEntry) => void, done: (record: Uint8Array) => void): void;

  /**
   * A host comes here, or comes back. The pages of it that are in the store are known, and not fetched;
   * URLs that waited when it went are not known.
   */
  takeBack(host: string, done: () => void): void;

  /** What went with a host that is here now. */
  adopt(host: string, record: Uint8Array): void;

  /** The pages in the store of hosts that are wanted. */
  pagesOf(
    isWanted: (host: string) => boolean,
    each: (entry: UrlEntry) => void,
    done: Acknowledge,
  ): void;

  /** Another place has the visible copy of this page. Answers when that is durable. */
  hide(page: Fingerprint, toward: Place, done: Acknowledge): void;

  /** The place is given up: the pages hidden toward it are visible again. */
  show(toward: Place, each: (entry: UrlEntry) => void, done: Acknowledge): void;

  /** Hosts are not visited while this says so. */
  withhold(isWithheld: (host: string) => boolean): void;

  /** No host is withheld any more. Those that were rest for their delays first. */
  admit(): void;

  /** Calls back when a checkpoint is recorded that was begun after this call. */
  whenSaved(done: () => void): void;
}
