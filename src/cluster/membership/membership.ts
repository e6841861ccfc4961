/**
 * The membership of one agent: which life of it this is, whom it knows, and what follows from that. The
 * rules are in the files beside this one, one idea in each; this one lets them act in their order, at
 * every tick, and decides which messages count.
 *
 * Invariant: nothing is handled before it is known that this process was not asleep (B5), and nothing is
 * said in a life whose incarnation is not durable (D1).
 */
import type { Done, Timer } from "../../base/seams/index.ts";
import type { AgentId, MessageKind } from "../../base/transport/index.ts";
import type { DropReason, MessageGate, Place, Sender } from "../messages/index.ts";
import { type Assembly, assemble } from "./assembly.ts";
import { readClusterFile } from "./cluster-file.ts";
import type { ClusterState } from "./cluster-state.ts";
import { LoopWatch } from "./life/loop-watch.ts";
import type { OwnState } from "./life/own-life.ts";
import type { View } from "./membership-listener.ts";
import { CONFIGURATION, KNOWN, WHO } from "./membership-messages.ts";
import type { MembershipParts } from "./membership-parts.ts";
import { openSeedBook, type SeedBook } from "./shared/seed-book.ts";
import type { SeedsHeld } from "./shared/seed-gossip.ts";
import type { SharedConfiguration } from "./shared/shared-configuration.ts";
import type { Standing } from "./view/failure-detector.ts";

/** What is said before the sender is a member, and counts whoever it is. */
const BEFORE_JOINING: ReadonlySet<MessageKind> = new Set([WHO, KNOWN, CONFIGURATION].map(kindOf));

export class Membership implements MessageGate {
  readonly #parts: MembershipParts;
  readonly #all: Assembly;
  readonly #watch: LoopWatch;
  readonly #standings = new Map<AgentId, Standing>();
  #book: SeedBook | null = null;
  #timer: Timer | null = null;

  constructor(parts: MembershipParts) {
    this.#parts = parts;
    this.#all = assemble(parts);
    this.#watch = new LoopWatch(parts.clock, this.#all.core.times.loopSilenceMs);
    parts.messenger.attach(this);
  }

  /** Reads what the disk knows, and joins. */
  start(): void {
    readClusterFile(this.#parts.storage, (error, state) => {
      if (error !== null) this.#all.cycle.refuse(error);
      else this.#openBook(state, null);
    });
  }

  get view(): View {
    return this.#all.core.view;
  }

  get state(): OwnState {
    return this.#all.core.life.state;
  }

  /** The crawl, and its configuration; null until they are known. */
  get configuration(): SharedConfiguration | null {
    return this.#all.core.life.configuration;
  }

  /** How many more agents are waited for before the crawl begins; known to its founder. */
  get awaited(): number {
    return this.#all.barrier.awaited;
  }

  /** Whether a visit may begin at this moment. */
  get mayFetch(): boolean {
    return this.#all.activity.isAllowed && !this.#watch.wasSilent;
  }

  /** How many agents wait for something to be handed over (B2); the crawl does not end meanwhile. */
  get openRequests(): number {
    return this.#all.answers.open;
  }

  /** How many have asked for that in all, in this process. */
  get requests(): number {
    return this.#all.answers.begun;
  }

  /** Whether hosts are being taken over (B3). */
  get isTakingOver(): boolean {
    return this.#all.takeover.isUp;
  }

  /** `done` when every member of the view that is not dead holds the seeds, and how many those are. */
  addSeeds(seeds: readonly string[], done: SeedsHeld): void {
    this.#all.cycle.whenPresent(() => this.#all.seeds.add(seeds, done));
  }

  /**
   * Changes the configuration of the crawl, as it is known now; `done` with how many agents have the change,
   * or that it was lost against one that another agent has made at the same moment.
   */
  setConfiguration(text: string, done: Done<number>): void {
    const base = this.configuration?.text ?? null;
    this.#all.cycle.whenPresent(() => this.#all.configuration.setText(text, base, done));
  }

  /** A record or a claim names this place (G2, G3): to be called for each that is not alive. */
  mention(place: Place): void {
    this.#all.cycle.whenPresent(() => this.#all.changes.mention(place));
  }

  /** A place that had been given up has told all owners again what it holds (G5). */
  announced(place: Place): void {
    this.#all.changes.announced(place);
  }

  /** `done` when everything is handed over, and everybody knows that this agent is gone (L1). */
  leave(done: () => void): void {
    this.#all.cycle.leave(done);
  }

  /** The crawl has ended, and this agent ends with it, whatever comes (T2); `done` when it may stop. */
  end(done: () => void): void {
    this.#all.ending.begin(done);
  }

  /** Gives a dead agent up by command (G7); `done` with how many agents have. */
  forget(id: AgentId, done: Done<number>): void {
    this.#all.cycle.whenPresent(() => this.#all.forgetting.forget(id, done));
  }

  /** The disk of this agent is full, or no longer. */
  setFull(isFull: boolean): void {
    this.#all.fullDisk.setFull(isFull);
  }

  /** Stops without a word to anybody, as if the process had died. */
  close(done: () => void): void {
    const { core, activity } = this.#all;
    core.life.state = "closed";
    core.file.close();
    this.#timer?.cancel();
    activity.update();
    if (this.#book === null) core.clock.after(0, done);
    else this.#book.close(done);
  }

  /** For the messenger: how this agent signs. */
  self(kind: MessageKind): Sender | null {
    const { life } = this.#all.core;
    const maySpeak = life.isPresent || (life.state === "asking" && BEFORE_JOINING.has(kind));
    return maySpeak ? life.sender : null;
  }

  /** For the messenger: whether a message counts. */
  refuses(sender: Sender, kind: MessageKind): DropReason | null {
    const { life } = this.#all.core;
    if (life.state === "left" || life.state === "closed" || this.#hasSlept()) return "closed";
    const isOurs = sender.crawl === life.crawl;
    // Who joins does not know yet which one it is.
    const isNone = sender.crawl === "" || life.crawl === "";
    if (!isOurs && !isNone) this.#all.otherCrawls.heard(sender);
    if (BEFORE_JOINING.has(kind)) return isOurs || isNone ? null : "crawl";
    if (!isOurs) return "crawl";
    // Before it has drawn a generation, an agent says nothing else.
    if (sender.place.generation === 0) return "stale";
    return life.isPresent ? this.#all.attendance.judge(sender) : "closed";
  }

  /** For the messenger: an agent speaks a version that is not read here. */
  hearsOther(from: AgentId, major: number): void {
    const { state } = this.#all.core.life;
    if (state !== "left" && state !== "closed") this.#all.otherVersions.heard(from, major);
  }

  /** A disk without room is waited for; `told` is what was said about it. */
  #openBook(state: ClusterState | null, told: string | null): void {
    const { storage, clock, random, seedsFrom: from, listener, settings } = this.#parts;
    const { cycle } = this.#all;
    const { heartbeatMs: retryMs } = settings;
    const arrived = listener.seedsArrived.bind(listener);
    const trouble = listener.trouble.bind(listener);
    const book = { storage, clock, random, from, retryMs, arrived, trouble };
    openSeedBook(book, (error, opened) => {
      if (this.state === "closed") opened?.close(() => undefined);
      else if (error === null) this.#begin(state, opened);
      else if (error.code !== "STORAGE_FULL") cycle.refuse(error);
      else {
        if (told !== error.code) trouble(error);
        clock.after(retryMs, () => this.#openBook(state, error.code));
      }
    });
  }

  #begin(state: ClusterState | null, book: SeedBook): void {
    const { cycle, seeds } = this.#all;
    this.#book = book;
    seeds.attach(book);
    this.#watch.runs();
    cycle.begin(state, this.#parts.founds);
    this.#tick();
  }

  readonly #tick = (): void => {
    const { core, probe, activity } = this.#all;
    if (core.life.state === "left" || core.life.state === "closed") return;
    this.#timer = core.clock.after(core.times.tickMs, this.#tick);
    if (this.#hasSlept()) return;
    if (core.life.state === "asking") probe.tick();
    if (core.life.isPresent) this.#act();
    activity.update();
  };

  /** Everything that depends on time, while this agent takes part. */
  #act(): void {
    const { core, changes, majority, heartbeats, answers, barrier, takeover } = this.#all;
    heartbeats.tick();
    majority.condemn();
    for (const entry of majority.lost()) changes.giveUp(entry);
    this.#watchStandings();
    answers.tick();
    takeover.tick();
    this.#all.seeds.tick();
    this.#all.configuration.tick();
    this.#all.forgetting.tick();
    this.#all.fullDisk.tick();
    this.#all.leaving.tick();
    this.#all.ending.tick();
    if (core.life.state === "joining") barrier.tick();
    else this.#all.absentees.tick();
  }

  #watchStandings(): void {
    const { core } = this.#all;
    let isAnother = false;
    for (const entry of core.table.entries()) {
      const standing = core.detector.standingOf(entry, core.clock.nowMs());
      isAnother ||= this.#standings.get(entry.id) !== standing;
      this.#standings.set(entry.id, standing);
    }
    if (!isAnother) return;
    core.view.changed();
    core.listener.viewChanged(core.view);
  }

  /** Whether this process was asleep until now; then another life has begun (B5). */
  #hasSlept(): boolean {
    const { wasSilent } = this.#watch;
    this.#watch.runs();
    if (wasSilent) this.#all.cycle.slept();
    return wasSilent;
  }
}

function kindOf({ kind }: { readonly kind: MessageKind }): MessageKind {
  return kind;
}
