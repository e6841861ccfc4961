/**
 * From one state of this agent to the next: which life it is in, and how a new one begins. Whatever ends
 * a life (a start, being given up by others, having been asleep, another process with its id), the next
 * one begins in the same way: with a larger incarnation, which is durable before anything is said, and
 * with the barrier.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import { type Place, samePlace } from "../../messages/index.ts";
import type { JoinBarrier } from "../barrier/join-barrier.ts";
import type { ClusterState } from "../cluster-state.ts";
import type { Core } from "../core.ts";
import type { Majority } from "../majority/majority.ts";
import { CONFIGURATION, REJOIN, REPLACED } from "../membership-messages.ts";
import type { ConfigurationGossip } from "../shared/configuration-gossip.ts";
import type { ClusterConfiguration, SharedConfiguration } from "../shared/shared-configuration.ts";
import type { Heartbeats } from "../view/heartbeats.ts";
import type { RingChanges } from "../view/ring-changes.ts";
import type { Activity } from "./activity.ts";
import { drawGeneration } from "./generation.ts";
import { capacityFixed, type IdProbe, idInUse, idUsedUp, type ProbeResult } from "./id-probe.ts";
import type { Leaving } from "./leaving.ts";

export interface LifeCycleParts {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly probe: IdProbe;
  readonly barrier: JoinBarrier;
  readonly leaving: Leaving;
  readonly heartbeats: Heartbeats;
  readonly configuration: ConfigurationGossip;
  readonly activity: Activity;
  readonly majority: Majority;
}

export class LifeCycle {
  readonly #parts: LifeCycleParts;
  readonly #core: Core;
  /** The latest generation of this agent that others have named. */
  #toldGeneration = 0;
  #toldIncarnation = 0;
  /** What was asked for before this agent had a place. */
  #early: (() => void)[] = [];
  #leavers: (() => void)[] = [];

  constructor(parts: LifeCycleParts) {
    this.#parts = parts;
    this.#core = parts.core;
    const { messenger } = this.#core;
    messenger.serve(REJOIN, (_, { place, incarnation }, respond) => {
      respond(null);
      this.#toldToRejoin(place, incarnation);
    });
    messenger.serve(REPLACED, (_, { place, incarnation }, respond) => {
      respond(null);
      if (place.id === this.#core.life.id) this.replaced(place.generation, incarnation);
    });
  }

  /** With what the disk has, or nothing, and what this agent founds, or nothing. */
  begin(state: ClusterState | null, founds: SharedConfiguration | null): void {
    const { life, table, clock, listener, view } = this.#core;
    if (state !== null) {
      life.restore(state);
      table.restore(state.members, clock.nowMs());
      // Whoever is told of the configuration asks whose hosts are whose.
      view.changed();
    } else if (founds !== null) {
      life.configuration = { ...founds, electors: [] };
      life.isEstablished = true;
      life.isFounder = true;
    }
    if (life.configuration !== null) listener.configured(life.configuration);
    // Whoever is told may have closed it.
    if (life.state === "closed") return;
    this.#parts.changes.repeatGivenUp();
    this.#probe();
  }

  /** Does something once this agent has a place. */
  whenPresent(act: () => void): void {
    if (this.#core.life.isPresent) act();
    else this.#early.push(act);
  }

  /** This process was asleep: others may have given it up (B5). */
  slept(): void {
    const { life, table, clock } = this.#core;
    table.forgive(clock.nowMs());
    if (life.isPresent) this.#raise();
    else if (life.state === "asking") this.#probe();
  }

  /** Somebody knows of a later life of this agent. */
  replaced(generation: number, incarnation: number): void {
    const { life } = this.#core;
    if (!life.isPresent || !life.isBefore(generation, incarnation)) return;
    this.#toldGeneration = Math.max(this.#toldGeneration, generation);
    this.#toldIncarnation = incarnation;
    this.#probe();
  }

  /** The barrier has been passed. */
  joined(): void {
    const { life } = this.#core;
    life.isSeated = true;
    if (this.#leavers.length > 0) this.#beginLeaving();
    else this.#become("active");
  }

  leave(done: () => void): void {
    const { life, clock } = this.#core;
    if (life.state === "left" || life.state === "closed") clock.after(0, done);
    else {
      this.#leavers.push(done);
      if (life.state === "active") this.#beginLeaving();
    }
  }

  /** Takes back a request to leave; if nobody else has made one, this agent is a member again. */
  stay(leaver: () => void): void {
    this.#leavers = this.#leavers.filter((done) => done !== leaver);
    if (this.#leavers.length === 0 && this.#core.life.state === "leaving") this.#raise();
  }

  /** What was handed over is lost: it joins, and leaves again. */
  leaveAgain(): void {
    this.#raise();
  }

  /** Everybody knows that this agent is gone. */
  left(): void {
    const leavers = this.#leavers;
    this.#leavers = [];
    this.#core.life.state = "left";
    this.#parts.activity.update();
    for (const done of leavers) done();
  }

  /** Ends for good. */
  refuse(error: CrawlError): void {
    this.#core.life.state = "closed";
    this.#parts.activity.update();
    this.#core.listener.refused(error);
  }

  #probe(): void {
    this.#core.life.state = "asking";
    this.#parts.activity.update();
    this.#parts.probe.begin((found) => this.#probed(found));
  }

  #probed(found: ProbeResult): void {
    const { life } = this.#core;
    const { capacity } = found;
    if (found.isInUse) this.refuse(idInUse(life.place));
    else if (capacity !== 0 && capacity !== life.capacity) {
      this.refuse(capacityFixed(life.id, life.capacity, capacity));
    } else if (life.configuration !== null) this.#settle(found, null);
    else if (found.teller !== null) this.#askConfiguration(found, found.teller);
    else this.#probe();
  }

  #askConfiguration(found: ProbeResult, teller: Place): void {
    const { messenger, life, times } = this.#core;
    messenger.ask(teller, CONFIGURATION, { body: null, timeoutMs: times.replyMs }, (replied) => {
      if (life.state !== "asking" || life.configuration !== null) return;
      const isSound = replied.kind === "reply" && this.#parts.configuration.isSound(replied.body);
      if (isSound) this.#settle(found, replied.body);
      else this.#probe();
    });
  }

  /** The id is free: draws a generation if this disk has none, or others know of a later one. */
  #settle(found: ProbeResult, configuration: ClusterConfiguration | null): void {
    const { life, clock, random } = this.#core;
    const isTold = life.isBefore(this.#toldGeneration, this.#toldIncarnation);
    if (life.generation === 0 || isTold || life.isBefore(found.generation, found.incarnation)) {
      const known = Math.max(life.generation, found.generation, this.#toldGeneration);
      // The votes of another disk are not known here.
      life.isSeated = false;
      const generation = drawGeneration(clock, random, known);
      if (generation === null) {
        this.refuse(idUsedUp(life.id));
        return;
      }
      life.generation = generation;
      life.incarnation = 0;
    }
    if (configuration !== null) this.#parts.configuration.adopt(configuration);
    if (life.state !== "closed") this.#raise();
  }

  /** Begins another life, once its incarnation is durable (D1). */
  #raise(): void {
    const { life, file } = this.#core;
    life.state = "raising";
    life.incarnation += 1;
    const { incarnation, configuration } = life;
    this.#parts.activity.update();
    this.#parts.changes.changed();
    file.whenSaved(() => {
      this.#parts.configuration.saved(configuration);
      if (life.state === "raising" && life.incarnation === incarnation) this.#join();
    });
  }

  #join(): void {
    this.#parts.majority.beginLife();
    this.#parts.barrier.begin();
    this.#become("joining");
    const early = this.#early;
    this.#early = [];
    for (const act of early) act();
  }

  #become(state: "joining" | "active" | "leaving"): void {
    const { life } = this.#core;
    life.state = state;
    this.#parts.changes.changed();
    this.#parts.heartbeats.beat();
    this.#parts.activity.update();
  }

  #beginLeaving(): void {
    this.#become("leaving");
    this.#parts.leaving.begin();
  }

  /** Told by anybody, in any state: this very life is in somebody's ring no longer (G4). */
  #toldToRejoin(place: Place, incarnation: number): void {
    const { life } = this.#core;
    if (samePlace(place, life.place) && incarnation === life.incarnation) this.#raise();
  }
}
