/** The node of an agent as one of its lanes sees it, in the same thread or behind messages. */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import type { UrlEntry } from "../../../cluster/delivery/index.ts";
import type { Frontier } from "../../../frontier/front/index.ts";
import type { KnownPages } from "../../../holdings/index.ts";
import type { NumberedPage } from "../../../store/index/index.ts";

/** What a visit needs before it begins. */
export interface Entrance {
  /** Null where none is known, as for a file. */
  readonly address: string | null;
  /** Whether a page may come of it that counts for the limits. */
  readonly isPage: boolean;
}

export interface NodeSide {
  /** Whether a visit may begin at this moment. */
  readonly mayFetch: boolean;
  /** Whether there may be a token for another page. */
  readonly hasTokens: boolean;
  /** Whether a host is this agent's, and not about to leave, as far as is known. */
  isHere(host: string): boolean;
  /**
   * A visit is about to begin: calls back when its address may be asked, or with false if there is no token
   * for it. What this returns is called when the visit is over, or is given up. Calls back inside the call only
   * if there is nothing to wait for.
   */
  enter(visit: Entrance, entered: (mayBegin: boolean) => void): () => void;
  /** A link to a host of another agent that was not found here before, or a URL whose host has gone. */
  found(entry: UrlEntry): void;
  ledTo(url: string): void;
  /** Has the owner of the host that has a robots.txt fetch it, in its turn; `done` is called once, later. */
  askRobots(...robots: Parameters<Frontier["fetchRobots"]>): void;
  /** A page has its line. */
  logged(entry: UrlEntry): void;
  /** A page that was replayed has its line. */
  foundAgain(entry: UrlEntry): void;
  /** A shorter way to a URL of a host that is here, whose page may be elsewhere. */
  nearer(entry: UrlEntry): void;
  /** The pages in the store. */
  readonly stored: KnownPages;
  /** The row of a page; null if it has none. */
  rowOf(page: Fingerprint, done: Done<NumberedPage | null>): void;
}
