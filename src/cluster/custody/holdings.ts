/**
 * What an agent has of the crawl, as custody sees it: the hosts that it crawls, in the frontiers of its
 * lanes, and the pages in its store. Lanes may be threads: nothing here is a question that must be
 * answered inside the call.
 *
 * Which state lives where: custody knows the view, the claims and the hosts on the move, and asks; lanes
 * know which hosts are here and which were given away, what waits and what is known of each; the store
 * knows the pages. Custody does not know where a host is: it asks for what the view says, and the holdings
 * do what that takes. An ask about a host that was given away brings it back first.
 *
 * Contract for implementers:
 * - *Order.* Asks about one host are carried out in the order of the calls, those about all hosts (`lost`,
 *   `pagesOf`, `withhold`, `admit`) after every earlier one. Answers come never inside the call.
 * - *Coming back.* An ask about a host that is not here makes it be here, from then on: the pages of it that
 *   are in the store are known, and are not fetched; URLs that waited when it went away are not known.
 *   Asks that follow wait meanwhile. A checkpoint has all of this, or nothing of it.
 * - *Pages.* One is had when its line is durable, and its links are recorded with it. The depth of its entry
 *   is the smallest that its links were found from.
 * - *Checkpoints.* Everything asked before a checkpoint begins is part of it; after a crash the agent is as
 *   its last checkpoint says, and what came after it is asked again. A checkpoint is one moment of all
 *   lanes, of the claims and of the inbox: at that moment every ask is carried out, no entry is on its
 *   way from a lane to custody, nor read from a disk for that, and custody holds nothing in memory (`Custody.held` is 0). It is recorded when
 *   everything that outboxes were given until that moment is durable in them: a lane forgets what it has
 *   given away.
 * - Where lanes have moments of their own: claims and the mark of the inbox are taken first, and recorded
 *   only when every lane has recorded a checkpoint that began after the asks which came before the mark. An
 *   entry that a lane found, passed on or gave away must be durable in an outbox, or be in a recorded
 *   checkpoint of the lane that it went to, before the checkpoint is recorded in which its giver does not
 *   have it any more. `again` may then be asked twice for one URL, which costs a fetch and loses nothing.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import type { Place } from "../messages/index.ts";

/** What a page is found by. */
export interface PageName extends Fingerprint {
  readonly host: string;
}

/** Whose hosts are withheld, as plain data: of all, or of those that are taken over or absent. */
export type WithheldHosts =
  | "all"
  | {
      /** Agents whose hosts are being taken over. */
      readonly takeover: readonly AgentId[];
      /** Agents that are absent, and the ring in which hosts were theirs. */
      readonly absences: readonly {
        readonly absent: readonly AgentId[];
        readonly ring: readonly AgentId[];
      }[];
    };

/** What a lane in another thread is told is `hosts`, from which it decides with its copy of the ring. */
export interface Withheld {
  readonly hosts: WithheldHosts;
  has(host: string): boolean;
}

/** Whether the page is in the store. */
export type Found = (isHad: boolean) => void;

export interface Holdings {
  /** Takes a URL: it is queued, unless it is known since its host came here. */
  take(entry: UrlEntry): void;

  /** The page of a URL is elsewhere, as nobody said before: the URL is known, and is not fetched. */
  end(entry: UrlEntry, done: Found): void;

  /** It is not elsewhere after all: it is fetched, unless it is in the store. */
  again(entry: UrlEntry): void;

  /** What came with a host. */
  adopt(host: string, record: Uint8Array): void;

  /** Looks for a page. Does not bring its host back. */
  find(page: PageName, done: Found): void;

  /**
   * Names the hosts that are here and that `isOwn` does not want; the next one when `next` is called, which
   * may be inside the call. A host that comes meanwhile may be left out.
   */
  lost(
    isOwn: (host: string) => boolean,
    each: (host: string, next: () => void) => void,
    done: () => void,
  ): void;

  /**
   * Ends the visits of a host, and then gives every URL of it that waits; `done` gets what goes with the
   * host. Nothing of it is here any more by then, but pages in the store. A host that is not here has
   * nothing to give. No ask about the host comes before `done`.
   */
  giveAway(host: string, each: (entry: UrlEntry) => void, done: (record: Uint8Array) => void): void;

  /** The pages in the store of hosts that are wanted. */
  pagesOf(
    isWanted: (host: string) => boolean,
    each: (entry: UrlEntry) => void,
    done: Acknowledge,
  ): void;

  /**
   * There is a way of this depth to a page: if it is in the store, and its links count from a greater depth,
   * they are found again from this one; if its URL waits to be fetched, it goes out at this depth (U6). Does
   * not bring its host back.
   */
  nearer(page: Fingerprint, depth: number): void;

  /** Another place has the visible copy of this page; for a page that is not in the store, nothing. */
  hide(page: PageName, toward: Place): void;

  /** The place is given up: the pages hidden toward it are visible again. */
  show(toward: Place, each: (entry: UrlEntry) => void, done: Acknowledge): void;

  /** These hosts are not visited. Those that were withheld until now rest first (B4). */
  withhold(withheld: Withheld): void;

  /** No host is withheld any more. Those that were rest for their delays first. */
  admit(): void;

  /** Calls back when a checkpoint is recorded that was begun after this call. */
  whenSaved(done: () => void): void;
}
