/**
 * Makes an arbitrary state of the disk of an agent: what it knows of the others is drawn anew, and copies of
 * pages that others have come to its store. A *deep* one has earlier generations and lives of others too, and in
 * its inbox and its outboxes URLs of any host, and claims that name some of those who have a page, or a disk that
 * is gone. Everything stays true that agents rely on: whoever is said to know a URL knows it, whoever is said to
 * have a page has it as long as its disk lives, and with a page come its links (I1, I3, I5). A cluster must find
 * its way from any such state to its end, without help (self-stabilisation).
 */

import type { Random } from "../../base/seams/index.ts";
import { whenDone, withValue } from "../../base/seams/index.ts";
import { openInbox, type UrlEntry } from "../../cluster/delivery/index.ts";
import {
  CLUSTER_FILE,
  type ClusterState,
  parseState,
  printState,
} from "../../cluster/membership/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import { entryOf } from "../../holdings/index.ts";
import type { Kernel } from "../simulator/index.ts";
import { openPageLog } from "./page-log.ts";
import { type DrawnOutbox, fillOutboxes } from "./scramble-outboxes.ts";
import type { SimMachine, StoredPage } from "./sim-machine.ts";
import { type SmallWeb, ticketOf } from "./small-web.ts";

/** The pages of a place, by their URLs. */
export interface HeldPages {
  readonly place: Place;
  readonly urls: ReadonlySet<string>;
}

export interface ScrambleParts {
  readonly kernel: Kernel;
  readonly web: SmallWeb;
  /** Pages of all, of which some come here too. */
  readonly pages: readonly StoredPage[];
  /** Who has which pages, durably. */
  readonly held: readonly HeldPages[];
  readonly isDeep: boolean;
  /** Something could not be read or written. */
  readonly failed: (error: Error) => void;
}

/** One page in so many comes here; one in so many is queued here, or a link of it; one in so many is claimed. */
const COPIED_IN = 8;
const QUEUED_IN = 8;
const CLAIMED_IN = 6;
/** One page in so many that a place has is in the outbox for it, acknowledged; one place in so many has one. */
const RETAINED_IN = 6;
const TOLD_IN = 2;
/** One member in so many is known by an earlier disk, or an earlier life. */
const EARLIER_IN = 8;

/** While the machine is down; takes some milliseconds. */
export function scramble(machine: SimMachine, parts: ScrambleParts): void {
  const { kernel, failed } = parts;
  const random = kernel.random.fork(`scramble ${machine.id} ${kernel.nowMs}`);
  const storage = machine.disk.mount(kernel.clock);
  const copied = parts.pages.filter(
    ({ url }) => !machine.has(url) && random.below(COPIED_IN) === 0,
  );
  storage.readWhole(CLUSTER_FILE, (error, bytes) => {
    // An agent that has not joined knows nothing.
    if (error !== null) return;
    const state = parseState(bytes);
    if (state instanceof Error) failed(state);
    else {
      const drawn = scrambled(state, random);
      const written = parts.isDeep ? asTheyWere(drawn, random.fork("earlier")) : drawn;
      storage.replace(
        CLUSTER_FILE,
        printState(written),
        whenDone(failed, () => undefined),
      );
      if (!parts.isDeep) return;
      fillInbox(machine, parts, random.fork("inbox"));
      const outboxes = random.fork("outboxes");
      const drawnOutboxes = drawOutboxes(machine.id, parts, outboxes);
      fillOutboxes(machine, drawnOutboxes, { kernel, random: outboxes, failed });
    }
  });
  openPageLog(
    { clock: kernel.clock, random, storage },
    withValue(failed, (log) => {
      for (const { url, depth } of copied) {
        const [links, body] = [parts.web.linksOf(url), parts.web.bodyOf(url)];
        const page = { url, depth, links, body, keptAt: null, isFetched: false };
        log.add(
          ticketOf(url, depth),
          page,
          whenDone(failed, () => undefined),
        );
      }
    }),
  );
}

/** Members are forgotten, put out of the ring or into it, given up or not. */
function scrambled(state: ClusterState, random: Random): ClusterState {
  const members = state.members
    .filter(() => random.below(4) > 0)
    .map((member) => {
      const isGivenUp = random.below(3) === 0;
      return { ...member, isGivenUp, isInRing: !isGivenUp && random.below(3) > 0 };
    });
  return { ...state, members };
}

/** Some members are known by an earlier disk, or an earlier life. */
function asTheyWere(state: ClusterState, random: Random): ClusterState {
  const members = state.members.map((member) => {
    const generation = member.generation - (random.below(EARLIER_IN) === 0 ? 1 : 0);
    const isEarlier = generation < member.generation || random.below(EARLIER_IN) === 0;
    return { ...member, generation, incarnation: isEarlier ? 1 : member.incarnation };
  });
  return { ...state, members };
}

/** What the inbox has kept is taken in the next life as if it had arrived. */
function fillInbox(machine: SimMachine, parts: ScrambleParts, random: Random): void {
  const { kernel, failed } = parts;
  const { clock } = kernel;
  const entries = drawEntries(parts, random);
  const nothing = (): void => undefined;
  if (entries.length === 0) return;
  openInbox(
    {
      ...{ storage: machine.disk.mount(clock), clock, random, segmentBytesMax: 4000 },
      ...{ arrived: nothing, isBusy: () => true, report: failed, fail: failed },
    },
    null,
    withValue(failed, (inbox) => {
      inbox.keep(entries);
      inbox.commit(whenDone(failed, () => inbox.close(whenDone(failed, nothing))));
    }),
  );
}

/** Pending is anything, for any place; retained what the place knows, or what a disk knew that is gone. */
function drawOutboxes(id: string, parts: ScrambleParts, random: Random): readonly DrawnOutbox[] {
  const told = parts.held.filter(({ place }) => place.id !== id && random.below(TOLD_IN) === 0);
  return told.map(({ place: { id: to, generation }, urls }) => {
    const isGone = random.below(EARLIER_IN) === 0;
    const known = parts.pages.filter(({ url }) => isGone || urls.has(url));
    return {
      place: { id: to, generation: isGone ? generation - 1 : generation },
      pending: drawEntries(parts, random),
      retained: known
        .filter(() => random.below(RETAINED_IN) === 0)
        .map(({ url, depth }) => entryOf(ticketOf(url, depth))),
    };
  });
}

function drawEntries({ pages, web, held }: ScrambleParts, random: Random): UrlEntry[] {
  const holdersOf = (url: string): readonly Place[] =>
    held.filter(({ urls }) => urls.has(url)).map(({ place }) => place);
  const entries: UrlEntry[] = [];
  for (const { url, depth } of pages) {
    if (random.below(QUEUED_IN) === 0) entries.push(entryOf(ticketOf(url, depth)));
    if (random.below(CLAIMED_IN) === 0) {
      const holders = holdersOf(url).filter(() => random.below(3) > 0);
      const [gone] = holders;
      const isOfGone = gone !== undefined && random.below(EARLIER_IN) === 0;
      const earlier = isOfGone ? [{ ...gone, generation: gone.generation - 1 }] : [];
      entries.push(entryOf(ticketOf(url, depth), [...holders, ...earlier]));
    }
    const links = web.linksOf(url).filter((link) => web.isAllowed(link));
    for (const link of links) {
      if (random.below(2 * QUEUED_IN) === 0) entries.push(entryOf(ticketOf(link, depth + 1)));
    }
  }
  return entries;
}
