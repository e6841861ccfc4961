/**
 * A node of a cluster: everything that an agent among others has and a single one has not, put together
 * once. Membership says what happens; here it is decided which part does what about it, what waits for
 * what while the node opens, and what may be recorded when.
 *
 * Invariant: nothing is visited before the node is open and active, and no host that is being taken over
 * (B1, B3); what the parts cannot take yet waits here, in its order.
 */
import assert from "node:assert/strict";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Done, whenDone, withValue } from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import { serveFrames, type UrlEntry } from "../delivery/index.ts";
import type { CrawlBounds, LimitName } from "../limits/index.ts";
import {
  Membership,
  type MembershipListener,
  type SharedConfiguration,
  type Told,
  type View,
} from "../membership/index.ts";
import { Messenger, type Place } from "../messages/index.ts";
import { PageIntake } from "../pages/index.ts";
import { AddressSlots } from "../slots/index.ts";
import { Termination, type Work } from "../termination/index.ts";
import {
  changedText,
  configurationIn,
  foundedBy,
  isCrawlText,
  lengthProblem,
} from "./crawl-text.ts";
import { HandingOver } from "./handing-over.ts";
import { NodeCheckpoints } from "./node-checkpoints.ts";
import { NodeLimits } from "./node-limits.ts";
import { type ClusterNodeParts, markOf } from "./node-parts.ts";
import { NodeQueries } from "./node-queries.ts";
import { NodeSeeds } from "./node-seeds.ts";
import { type NodeStatus, statusOf } from "./node-status.ts";
import { type OpenLogsParts, type OpenNode, openLogs } from "./open-logs.ts";
import { hasEnded, hasLeavers, ViewWork } from "./view-work.ts";
import { Withholding } from "./withholding.ts";

/** Pages that are taken from others at a time. */
const INTAKE_PAGES_MAX = 16;

export class ClusterNode implements Work {
  readonly #parts: ClusterNodeParts;
  readonly #messenger: Messenger;
  readonly #membership: Membership;
  readonly #termination: Termination;
  readonly #slots: AddressSlots;
  readonly #limits: NodeLimits;
  readonly #queries: NodeQueries;
  readonly #checkpoints: NodeCheckpoints;
  readonly #intake: PageIntake;
  readonly #handingOver: HandingOver;
  readonly #withholding: Withholding;
  readonly #viewWork = new ViewWork();
  readonly #seeds: NodeSeeds;
  /** What has been opened, and is being replayed; then what is open. */
  #opening: OpenNode | null = null;
  #open: OpenNode | null = null;
  #isOpening = false;
  #isClosed = false;
  /** What waits until the node is open. */
  #waiting: ((open: OpenNode) => void)[] = [];
  /** Counts what membership tells that can make work. */
  #changes = 0;

  constructor(parts: ClusterNodeParts) {
    const { id, capacity, clock, random, storage, transport, settings, agent } = parts;
    this.#parts = parts;
    const mark = markOf(parts);
    this.#seeds = new NodeSeeds({
      upTo: mark.seeds,
      found: (seeds) => agent.seedsFound(seeds),
      changed: () => this.#changed(),
    });
    const founds = parts.founds === null ? null : foundedBy(parts.founds);
    const messenger = new Messenger(transport, clock);
    this.#messenger = messenger;
    this.#membership = new Membership({
      ...{ id, capacity, founds, clock, random, storage, messenger },
      ...{ settings: settings.membership, seedsFrom: mark.seeds, listener: this.#listener() },
      expect: parts.expect ?? 1,
    });
    const { view } = this.#membership;
    this.#checkpoints = new NodeCheckpoints({
      open: () => this.#open,
      whenOpen: (act) => this.#whenOpen(act),
      seedsUpTo: () => this.#seeds.upTo,
    });
    this.#withholding = new Withholding(view, () => this.#withheld());
    serveFrames(
      messenger,
      () => this.#open?.inbox ?? null,
      (place) => !view.isGivenUp(place),
    );
    this.#intake = new PageIntake({
      ...{ clock, messenger, pagesMax: INTAKE_PAGES_MAX },
      store: () => this.#open?.pages ?? null,
      isWelcome: (place) => !view.isGivenUp(place),
      stored: (entry, from) => this.#open?.custody.stored(entry, from),
      dropAfterMs: settings.shipping.timeoutMs * 8,
      failed: (error) => parts.agent.failed(error),
    });
    this.#termination = new Termination({
      ...{ clock, messenger, view, work: this, settings: settings.termination },
      listener: {
        finished: (limit) => agent.finished(limit as LimitName | null),
        concluded: () => agent.concluded(),
        resumed: () => agent.resumed(),
      },
    });
    this.#slots = new AddressSlots({ clock, messenger, view, settings: settings.slots });
    this.#limits = new NodeLimits({
      ...{ clock, storage, messenger, view, agent, settings: settings.limits },
      mayFetch: () => this.mayFetch,
      changed: () => this.#wake(),
    });
    this.#handingOver = new HandingOver({
      withBodies: settings.migrate,
      isLeaving: () => this.#membership.state === "leaving",
      handOverLimits: (done) => this.#limits.handOver(done),
    });
    this.#queries = new NodeQueries({
      ...{ clock, messenger, view, settings: settings.queries, status: () => this.status },
      desk: agent.desk ?? null,
    });
  }

  /** Reads what the disk knows, and joins. */
  start(): void {
    const { agent, founds } = this.#parts;
    const failed = agent.failed.bind(agent);
    this.#limits.open(
      founds === null ? null : foundedBy(founds),
      withValue(failed, () => {
        if (!this.#isClosed) this.#membership.start();
      }),
    );
  }

  get view(): View {
    return this.#membership.view;
  }

  /** Leaving, forgetting others, seeds: what people ask of a cluster. */
  get membership(): Pick<
    Membership,
    "state" | "awaited" | "addSeeds" | "leave" | "forget" | "setFull"
  > {
    return this.#membership;
  }

  /** Changes the configuration and the limits of the crawl; `done` with how many agents have the change. */
  configure(change: { text: string; bounds: CrawlBounds }, done: Done<number>): void {
    const { configuration } = this.#membership;
    assert(configuration !== null, "the crawl is known before it is changed");
    const text = changedText(configuration, this.view.self, change);
    const problem = lengthProblem(text);
    if (problem === null) this.#membership.setConfiguration(text, done);
    else this.#parts.clock.after(0, () => done(problem, undefined));
  }

  /** A fetch takes a token here before it begins, and says here what came of it (M1). */
  get limits(): NodeLimits["door"] {
    return this.#limits.door;
  }

  /** What users ask of all agents together (Q1, Q2). */
  get queries(): Pick<
    NodeQueries,
    "get" | "stream" | "linksTo" | "statuses" | "call" | "callOwner"
  > {
    return this.#queries;
  }

  /** Who says to have the page of a URL whose host is here, if it is elsewhere; never inside the call. */
  holdersOf(page: Fingerprint, done: (holders: readonly Place[]) => void): void {
    const { clock } = this.#parts;
    const answer = (holders: readonly Place[]): void => void clock.after(0, () => done(holders));
    if (this.#opening === null) answer([]);
    else this.#opening.custody.holdersOf(page, answer);
  }

  /** Fetches ask here before they begin (A1). Who waits is cancelled when its host leaves (`isHere`). */
  get slots(): Pick<AddressSlots, "acquire"> {
    return this.#slots;
  }

  /** Whether everything of the last life has been replayed. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Whether a visit may begin at this moment. */
  get mayFetch(): boolean {
    return this.#open !== null && this.#membership.mayFetch;
  }

  /** Whether the crawl has ended, as far as is known here. */
  get isFinished(): boolean {
    return this.#termination.isFinished;
  }

  /**
   * T1: active, nothing to be fetched, on its way, to be sent, not durable, withheld, on probation, asked
   * of this agent or of others by it.
   */
  get isIdle(): boolean {
    const { agent } = this.#parts;
    const open = this.#open;
    if (open === null || !this.#withholding.isActive || this.#isClosed) return false;
    const told = (): readonly Place[] => open.outboxes.places();
    const isSure = this.view.onProbation === 0 && !hasLeavers(this.view, told);
    const isReady = isSure && !this.#withholding.isPartialBut((id) => hasEnded(this.view, id));
    const isAsked = this.#membership.openRequests > 0 || this.#membership.isTakingOver;
    const isQuiet = !open.inbox.isBehind && open.custody.isIdle && agent.work.isIdle;
    const isTold = this.#seeds.areTold && this.#intake.coming === 0;
    return isReady && !isAsked && isQuiet && isTold && this.#limits.isIdle;
  }

  /** The work counter (T1): grows with everything that can make work here, or end being idle. */
  get changes(): number {
    const { work } = this.#parts.agent;
    const opening = this.#opening;
    const come = (opening?.inbox.received ?? 0) + this.#intake.begun + this.#membership.requests;
    const made = (opening?.custody.work ?? 0) + this.#limits.changes + work.changes;
    return this.#changes + this.#viewWork.changes + come + made;
  }

  /** Which limit has left nothing to be done (T1). */
  get limit(): LimitName | null {
    return this.limits.reached;
  }

  get status(): NodeStatus {
    return statusOf({
      ...{ membership: this.#membership, messenger: this.#messenger, slots: this.#slots },
      ...(this.#open ?? { outboxes: null, custody: null, inbox: null }),
      ...{ isIdle: this.isIdle, isFinished: this.isFinished, changes: this.changes },
      left: this.limits.left,
    });
  }

  /** Whether URLs of this host go to our frontier; else they are `found`, once each. */
  isHere(host: string): boolean {
    return this.#opening?.custody.isHere(host) === true;
  }

  /**
   * A link or seed of a host that is not here, which was not found here before, or a URL of a host that has
   * gone and came out of the frontier. The lane that gives it has forgotten it: it is logged first.
   */
  found(entry: UrlEntry): void {
    const isForeign = this.#opening?.custody.isForeign(entry.host) === true;
    if (!isForeign) this.#changes += 1;
    if (isForeign) this.#opening?.custody.found(entry);
    else this.#opening?.inbox.keep([entry]);
  }

  /** Told of every page that is durable, before it is in a checkpoint; null before there is any. */
  get pages(): Pick<OpenNode["custody"], "fetched" | "replayed"> | null {
    return this.#opening?.custody ?? null;
  }

  /**
   * U6: a shorter way to a URL of a host that is here, whose page may be elsewhere. It is logged first, as
   * what is found is, and then goes to whoever owns the host by that time.
   */
  nearer(entry: UrlEntry): void {
    const { high, low, depth } = entry;
    this.#changes += 1;
    this.#opening?.inbox.keep([entry, { kind: "nearer", high, low, depth }]);
  }

  /** The agent has less or more to do: termination may find an end, or undo it. */
  workChanged(): void {
    this.#limits.workChanged();
    this.#termination.changed();
  }

  /** Nothing goes on here by itself: what others are to be told of should not wait. */
  hurry(): void {
    this.#opening?.outboxes.hurry();
  }

  /** The part of the node in the checkpoints of its agent. */
  get checkpoints(): NodeCheckpoints {
    return this.#checkpoints;
  }

  /** The crawl has ended, and this agent with it, whatever comes from now on (T2); `done` when it may be closed. */
  end(done: () => void): void {
    this.#termination.close();
    this.#membership.end(done);
  }

  /** Stops without a word to anybody; what is durable stays. */
  close(done: () => void): void {
    const { agent, clock } = this.#parts;
    if (this.#isClosed) {
      clock.after(0, done);
      return;
    }
    this.#isClosed = true;
    this.#termination.close();
    this.#slots.close();
    this.#limits.close();
    this.#queries.close();
    const open = this.#open;
    this.#membership.close(() => {
      if (open === null) done();
      else {
        const { inbox, outboxes, custody } = open;
        const failed = agent.failed.bind(agent);
        inTurn(
          [inbox, outboxes, custody],
          (part, next) => part.close(next),
          whenDone(failed, done),
        );
      }
    });
  }

  #listener(): MembershipListener {
    const { agent, settings } = this.#parts;
    return {
      understands: isCrawlText,
      configured: (shared) => {
        this.#limits.configured(shared);
        const configuration = configurationIn(shared);
        if (this.#isOpening) agent.configured(configuration);
        else this.#openHoldings(configuration);
      },
      viewChanged: (view) => {
        agent.viewChanged(view);
        this.#open?.custody.viewChanged();
        if (settings.migrate && this.#withholding.isActive) this.#open?.shipper.migrate();
        if (this.#open !== null) this.#slots.viewChanged();
        this.#limits.viewChanged();
        this.#viewWork.changed(view);
        this.#termination.changed();
      },
      gaveUp: (place) =>
        this.#whenOpen(({ custody, shipper }) => {
          custody.gaveUp(place);
          shipper.gaveUp(place);
          this.#handingOver.gaveUp();
        }),
      returned: (place) => this.#whenOpen(({ custody }) => custody.returned(place)),
      handOver: (to, done) => this.#whenOpen(({ custody }) => custody.handOver(to, done)),
      handOverAll: (done) => this.#whenOpen((open) => this.#handingOver.begin(open, done)),
      takeover: (places) => this.#withholding.takeOver(places),
      takeoverOver: () => this.#withholding.takeOver([]),
      absent: (absences) => this.#withholding.awaitAbsent(absences),
      activated: () => {
        this.#open?.shipper.stop();
        this.#withholding.setActive(true);
        // The view may have changed for the last time while it was fenced.
        if (settings.migrate) this.#open?.shipper.migrate();
      },
      deactivated: () => this.#withholding.setActive(false),
      seedsArrived: (seeds, upTo) => {
        agent.seedsHeld(seeds);
        this.#seeds.arrived(seeds, upTo);
      },
      elapsedMs: () => this.#limits.door.elapsedMs,
      ranFor: (elapsedMs) => this.#limits.ranFor(elapsedMs),
      toldTo: (place) => this.#toldTo(place),
      cameTooLate: () => agent.cameTooLate(),
      trouble: (error) => agent.trouble(error),
      refused: (error) => agent.failed(error),
    };
  }

  #toldTo(place: Place): Told | null {
    const { outboxes } = this.#open ?? {};
    if (outboxes === undefined) return null;
    return { entries: outboxes.toldTo(place), isTaken: outboxes.pendingAt(place) === 0 };
  }

  /** An end may be found or undone, and something may be begun. */
  #wake(): void {
    this.#termination.changed();
    this.#parts.agent.woken();
  }

  #changed(): void {
    this.#changes += 1;
    this.#termination.changed();
  }

  #whenOpen(act: (open: OpenNode) => void): void {
    if (this.#open === null) this.#waiting.push(act);
    else act(this.#open);
  }

  /** Which hosts may be visited is another. */
  #withheld(): void {
    this.#changed();
    this.#limits.workChanged();
    this.#parts.agent.woken();
  }

  #openHoldings(configuration: SharedConfiguration): void {
    const { agent } = this.#parts;
    this.#isOpening = true;
    agent.open(configuration, (holdings, pages) => {
      if (this.#isClosed) return;
      this.#withholding.begin(holdings);
      const parts: OpenLogsParts = {
        ...{ node: this.#parts, messenger: this.#messenger, view: this.view },
        named: (place) => this.#membership.mention(place),
        announced: (place) => this.#membership.announced(place),
        changed: () => this.#wake(),
      };
      openLogs(parts, { holdings, pages }, (opening) => this.#replay(opening));
    });
  }

  /** What the last life knew and no checkpoint has: first its pages, then what it was told. */
  #replay(opening: OpenNode): void {
    const { agent } = this.#parts;
    const failed = agent.failed.bind(agent);
    this.#opening = opening;
    const { inbox } = opening;
    agent.replay(
      whenDone(failed, () => inbox.replay(whenDone(failed, () => this.#opened(opening)))),
    );
  }

  #opened(open: OpenNode): void {
    if (this.#isClosed) return;
    this.#open = open;
    open.custody.viewChanged();
    open.custody.resume(markOf(this.#parts).custody);
    this.#slots.start();
    // What has changed while the agent opened is told only now.
    this.#slots.viewChanged();
    this.#limits.opened();
    this.#queries.start(this.#parts.agent.local);
    this.#termination.start();
    this.#withholding.opened();
    this.#seeds.open();
    for (const act of this.#waiting.splice(0)) act(open);
    this.#parts.agent.woken();
  }
}
