/**
 * A topology that runs on several threads. The thread of the topology has a `System` of its own, each
 * named thread another; whatever is asked for goes to where the unit is. If a thread ends by itself, the
 * topology has failed.
 *
 * Without named threads this is a `System` and nothing more: no thread is started, and connectors are
 * what they would be there.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import {
  type Bindable,
  type ConnectorStatus,
  type ConnectorWiring,
  type Ending,
  type ProviderWiring,
  refused,
  System,
  type SystemParts,
  UnitSettings,
  type UnitStatus,
  type Wiring,
} from "../runtime/index.ts";
import { asked, ThreadCaller, type ThreadControl, threadEnded, threadError } from "./control.ts";
import { drainThreads } from "./drain-threads.ts";
import type { LaneEnds } from "./lane-ends.ts";
import { type LanePlan, OWN_THREAD, planLanes, threadOf, threadsAt } from "./lane-plan.ts";
import type { Port } from "./port.ts";
import { type ConnectorPart, swapParts } from "./swap-parts.ts";
import { type PlacedWiring, partOf, wiringOfThread } from "./thread-wiring.ts";
import type { RunningThread, Threads } from "./threads.ts";
import { untilSettled } from "./until-settled.ts";

const PATIENCE_MS = 30_000;

export interface PlacedUnitStatus extends UnitStatus {
  /** Null for the thread of the topology. */
  readonly thread: string | null;
}

type Method = (...args: readonly unknown[]) => unknown;

interface Placed {
  readonly running: RunningThread;
  readonly caller: ThreadCaller;
}

export class PlacedSystem<End> {
  readonly #parts: SystemParts;
  readonly #threads: Threads<End>;
  readonly #own: System;
  readonly #placed = new Map<string, Placed>();
  readonly #ownPorts: Port<unknown, unknown>[] = [];
  /** The threads of every unit, and of connectors of another thread; a provider may be on several. */
  readonly #threadsOf = new Map<string, readonly string[]>();
  /** The settings of units that are on other threads. */
  readonly #settings = new Map<string, UnitSettings>();
  readonly #unfinished = new Set<string>();
  #plans: ReadonlyMap<string, LanePlan> = new Map();
  /** The connectors that are on other threads, or join threads, as they are now. */
  readonly #connectors = new Map<string, ConnectorWiring>();
  /** The ends of lanes on this thread. */
  #lanes: ReadonlyMap<string, LaneEnds> = new Map();
  /** Swaps that concern other threads are made one after another. */
  #swapping: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #hasFinished = false;
  #isClosing = false;

  constructor(parts: SystemParts, threads: Threads<End>) {
    this.#parts = parts;
    this.#threads = threads;
    this.#own = new System({
      ...parts,
      failed: (error) => this.#fail(error),
      finished: () => this.#finished(OWN_THREAD),
    });
  }

  /** Makes everything, on all threads; nothing runs before `start`. What was made is ended if a unit fails. */
  async open(wiring: Wiring): Promise<void> {
    this.#plans = planLanes(wiring);
    this.#learn(wiring);
    try {
      const own = this.#ownWiring(wiring, this.#startThreads(wiring));
      this.#lanes = own.lanes;
      await Promise.all([this.#own.open(own), this.#everywhere("open")]);
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
  }

  async start(): Promise<void> {
    this.#own.start();
    await this.#everywhere("start");
  }

  /**
   * Suspends what has no inputs, and lets everything inside come to its end, on all threads. Gives the
   * number of items that are left inside after too much time has passed.
   */
  async drain(): Promise<number> {
    const { clock, patienceMs = PATIENCE_MS } = this.#parts;
    return await drainThreads({ clock, patienceMs, threads: this.#placed.size }, async () => {
      const others = this.#living().map(([, { caller }]) => caller.call("drain"));
      return await Promise.all([this.#own.drain(), ...others]);
    });
  }

  /** Ends all threads at once; items that are inside are dropped. See `System.close`. */
  async close(ending: Ending = "paused"): Promise<void> {
    this.#isClosing = true;
    const threads = [...this.#placed.values()];
    await Promise.all([
      this.#own.close(ending),
      ...threads.map(({ caller }) => this.#closeThread(caller, ending)),
    ]);
    for (const port of this.#ownPorts) port.close();
    await Promise.all(threads.map(({ running }) => running.end()));
  }

  /** Fails: nothing will ever happen again by itself. Nothing in flight is waited for any more. */
  giveUp(error: CrawlError): void {
    this.#fail(error);
    this.#own.halt(false);
  }

  /** Those of threads that have died or are stuck are missing. */
  async units(): Promise<PlacedUnitStatus[]> {
    const own = this.#own.units().map((one) => ({ ...one, thread: null }));
    const others = await this.#askAll((caller) => caller.call("units"));
    const units = others.flatMap(([thread, all]) => all.map((one) => ({ ...one, thread })));
    return [...own, ...units];
  }

  /** A connector that joins threads once, with what waits at its home, and what was dropped anywhere. */
  async connectors(): Promise<ConnectorStatus[]> {
    const own: [string, ConnectorStatus[]] = [OWN_THREAD, this.#own.connectors()];
    const all = [own, ...(await this.#askAll((caller) => caller.call("connectors")))];
    const dropped = new Map<string, number>();
    for (const one of all.flatMap(([, statuses]) => statuses)) {
      dropped.set(one.id, (dropped.get(one.id) ?? 0) + one.dropped);
    }
    return all.flatMap(([thread, statuses]) =>
      statuses
        .filter(({ id }) => this.#isHome(id, thread))
        .map((one) => ({ ...one, dropped: dropped.get(one.id) ?? 0 })),
    );
  }

  /**
   * What units can be added to: what is on the thread of the topology. All other ids are taken.
   * Connectors elsewhere are there because they can be swapped.
   */
  bindable(): Bindable {
    const own = this.#own.bindable();
    const elsewhere = Array.from(
      this.#connectors,
      ([id, { form }]) => [id, form?.type ?? ""] as const,
    );
    return {
      ...own,
      connectors: new Map([...elsewhere, ...own.connectors]),
      components: [...own.components, ...this.#threadsOf.keys()],
    };
  }

  settingsOf(id: string): UnitSettings {
    return this.#settings.get(id) ?? this.#own.settingsOf(id);
  }

  async changeSettings(id: string, values: ReadonlyMap<string, unknown>): Promise<void> {
    await this.#ask(id, "changeSettings", id, values);
    this.#settings.get(id)?.change(values, id);
  }

  async suspend(id: string): Promise<void> {
    await this.#ask(id, "suspend", id);
  }

  async resume(id: string): Promise<void> {
    await this.#ask(id, "resume", id);
  }

  async setInstances(id: string, count: number): Promise<void> {
    await this.#ask(id, "setInstances", id, count);
  }

  async remove(id: string): Promise<void> {
    await this.#ask(id, "remove", id);
    this.#threadsOf.delete(id);
    this.#settings.delete(id);
  }

  async swapProvider(wiring: ProviderWiring): Promise<void> {
    this.#refuseElsewhere(wiring.id);
    await this.#own.swapProvider(wiring);
  }

  /** Of one that joins threads, every thread swaps its part; if one of them cannot, all have the old. */
  async swapConnector(wiring: ConnectorWiring): Promise<void> {
    const { id } = wiring;
    const plan = this.#plans.get(id);
    const threads = plan === undefined ? this.#threadsOf.get(id) : threadsAt(plan);
    const before = this.#connectors.get(id);
    if (threads === undefined || before === undefined) return await this.#own.swapConnector(wiring);
    const parts = threads.map((thread) => this.#partOn(thread, id));
    const swapped = this.#swapping.then(async () => {
      await swapParts(parts, { before, after: wiring });
      this.#connectors.set(id, wiring);
    });
    this.#swapping = swapped.catch(() => undefined);
    await swapped;
  }

  /** Adds units to the thread of the topology. */
  async add(wiring: Wiring): Promise<void> {
    for (const one of wiring.components) {
      if (threadOf(one) === OWN_THREAD) continue;
      throw refused(`${one.id} is to be on a thread of its own, which only a file can ask for`);
    }
    for (const { id } of [...wiring.providers, ...wiring.connectors, ...wiring.components]) {
      this.#refuseElsewhere(id);
    }
    this.#unfinished.add(OWN_THREAD);
    this.#hasFinished = false;
    await this.#own.add(wiring);
  }

  /** Remembers where every unit is, and who has not finished. */
  #learn(wiring: Wiring): void {
    const names = new Set([OWN_THREAD, ...wiring.components.map(threadOf)]);
    for (const thread of names) {
      const { components, providers, connectors } = partOf(wiring, thread);
      if (components.length > 0) this.#unfinished.add(thread);
      for (const { id, definition, settings } of [...components, ...providers]) {
        this.#threadsOf.set(id, [...(this.#threadsOf.get(id) ?? []), thread]);
        if (thread === OWN_THREAD) continue;
        this.#settings.set(id, new UnitSettings(definition, settings));
      }
      if (thread === OWN_THREAD) continue;
      for (const one of connectors) {
        this.#connectors.set(one.id, one);
        if (!this.#plans.has(one.id)) this.#threadsOf.set(one.id, [thread]);
      }
    }
  }

  /** Starts a thread for each name, with its ends of lanes, and gives the ends of this one. */
  #startThreads(wiring: Wiring): Map<string, End> {
    const ends = new Map<string, Map<string, End>>([[OWN_THREAD, new Map()]]);
    for (const thread of new Set(wiring.components.map(threadOf))) ends.set(thread, new Map());
    for (const { toHome, fromHome } of this.#plans.values()) {
      for (const { name, from, to } of [...toHome, ...fromHome]) {
        const [one, other] = this.#threads.openChannel();
        ends.get(from)?.set(name, one);
        ends.get(to)?.set(name, other);
      }
    }
    for (const [thread, lanes] of ends) if (thread !== OWN_THREAD) this.#startThread(thread, lanes);
    return ends.get(OWN_THREAD) ?? new Map();
  }

  #startThread(thread: string, lanes: ReadonlyMap<string, End>): void {
    const died = (cause: unknown): void => this.#died(thread, cause);
    const running = this.#threads.start({ thread, lanes, died });
    const { clock, report, patienceMs = PATIENCE_MS } = this.#parts;
    const caller = new ThreadCaller(running.port, {
      ...{ thread, clock, patienceMs, report },
      failed: (error) => this.#fail(error),
      finished: () => this.#finished(thread),
    });
    this.#placed.set(thread, { running, caller });
  }

  #ownWiring(wiring: Wiring, lanes: ReadonlyMap<string, End>): PlacedWiring {
    const { clock, report } = this.#parts;
    return wiringOfThread(wiring, {
      ...{ thread: OWN_THREAD, clock, report },
      failed: (error) => this.#fail(threadError(error)),
      portOf: (lane) => {
        const port = this.#threads.portOf(lanes.get(lane) as End);
        this.#ownPorts.push(port);
        return port;
      },
    });
  }

  /** A part of a connector, on one thread. */
  #partOn(thread: string, id: string): ConnectorPart {
    const caller = this.#placed.get(thread)?.caller;
    const lanes = this.#lanes.get(id);
    return {
      swap: async (wiring) => {
        const { form } = wiring;
        if (form === undefined)
          throw refused(`${id} is on several threads: only a file can say it`);
        if (caller !== undefined) await asked(caller.call("swapConnector", id, form), thread);
        else await this.#own.swapConnector(lanes?.successor(wiring) ?? wiring);
      },
      widen: async () =>
        caller === undefined ? lanes?.widen() : caller.call("widenConnector", id),
    };
  }

  #living(): [string, Placed][] {
    return [...this.#placed].filter(([, { caller }]) => !caller.isDead);
  }

  /** What every thread answers that can. */
  async #askAll<Status>(
    ask: (caller: ThreadCaller) => Promise<Status[]>,
  ): Promise<[string, Status[]][]> {
    return await Promise.all(
      this.#living().map(async ([thread, { caller }]): Promise<[string, Status[]]> => {
        const answer = ask(caller).catch((thrown: unknown) => {
          if (caller.isDead || caller.isStuck) return [];
          throw thrown;
        });
        return [thread, await answer];
      }),
    );
  }

  /** A thread that has died, is stuck or cannot close its units is ended all the same. */
  async #closeThread(caller: ThreadCaller, ending: Ending): Promise<void> {
    try {
      await caller.call("close", ending);
    } catch (thrown) {
      if (caller.isStuck) this.#parts.report(threadError(thrown));
    }
  }

  async #everywhere(name: "open" | "start"): Promise<void> {
    await Promise.all(Array.from(this.#placed.values(), ({ caller }) => caller.call(name)));
  }

  /** On every thread that has this unit; an unknown one is for this thread to refuse. */
  async #ask<Name extends "changeSettings" | "suspend" | "resume" | "setInstances" | "remove">(
    id: string,
    name: Name,
    ...args: Parameters<ThreadControl[Name]>
  ): Promise<void> {
    for (const thread of this.#threadsOf.get(id) ?? [OWN_THREAD]) {
      const placed = this.#placed.get(thread);
      if (placed !== undefined) await asked(placed.caller.call(name, ...args), thread);
      else await (this.#own[name] as Method).apply(this.#own, args);
    }
  }

  #isHome(id: string, thread: string): boolean {
    const plan = this.#plans.get(id);
    return plan === undefined || plan.home === thread;
  }

  #refuseElsewhere(id: string): void {
    const thread = this.#threadsOf.get(id)?.find((one) => one !== OWN_THREAD);
    if (thread === undefined) return;
    throw refused(`${id} is on the thread ${thread}, where only settings and instances can change`);
  }

  #died(thread: string, cause: unknown): void {
    const error = threadEnded(thread, cause);
    this.#placed.get(thread)?.caller.die(error);
    this.#fail(error);
  }

  #fail(error: CrawlError): void {
    if (this.#hasFailed || this.#isClosing) return;
    this.#hasFailed = true;
    this.#own.halt();
    // Nobody waits for threads that are busy or have died: they take nothing more when they hear of it.
    for (const [, { caller }] of this.#living()) void caller.call("halt").catch(() => undefined);
    this.#parts.failed(error);
  }

  #finished(thread: string): void {
    if (!this.#unfinished.delete(thread) || this.#unfinished.size > 0) return;
    if (this.#plans.size === 0) this.#tellFinished();
    else void untilSettled(this.#parts, () => this.#isSettled()).then(() => this.#tellFinished());
  }

  #tellFinished(): void {
    // Units may have been added meanwhile.
    if (this.#hasFinished || this.#unfinished.size > 0 || this.#isClosing) return;
    this.#hasFinished = true;
    this.#parts.finished();
  }

  /** Whether nothing is on the way between threads, or nobody cares any more. */
  async #isSettled(): Promise<boolean> {
    if (this.#hasFailed || this.#isClosing) return true;
    const own = Array.from(this.#lanes.values(), ({ isSettled }) => isSettled);
    const others = await this.#askAll(async (caller) => [await caller.call("areLanesSettled")]);
    return [...own, ...others.flatMap(([, all]) => all)].every((isSettled) => isSettled);
  }
}
