/**
 * A topology that runs on several threads. The thread of the topology has a `System` of its own, each
 * named thread another; whatever is asked for goes to where the unit is. If a thread ends by itself, the
 * topology has failed.
 *
 * Without named threads this is a `System` and nothing more: no thread is started, and connectors are
 * what they would be there.
 */
import { CrawlError } from "../../base/errors/index.ts";
import {
  type Bindable,
  type ConnectorStatus,
  type ConnectorWiring,
  type ProviderWiring,
  refused,
  System,
  type SystemParts,
  UnitSettings,
  type UnitStatus,
  type Wiring,
} from "../runtime/index.ts";
import { ThreadCaller, type ThreadControl, threadError } from "./control.ts";
import { type LanePlan, OWN_THREAD, planLanes, threadOf } from "./lane-plan.ts";
import type { Port } from "./port.ts";
import { partOf, wiringOfThread } from "./thread-wiring.ts";
import type { RunningThread, Threads } from "./threads.ts";

const PATIENCE_MS = 30_000;
/** How often it is looked whether everything has come to rest. */
const LOOK_MS = 10;

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
  #hasFailed = false;
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
    const endsAtMs = clock.nowMs() + patienceMs;
    // An item may pass from a thread that is looked at later to one that was looked at before; but not
    // through all threads in as many rounds.
    for (let quiet = 0; ; quiet += 1) {
      const others = this.#living().map(([, { caller }]) => caller.call("drain"));
      const inside = await Promise.all([this.#own.drain(), ...others]);
      const left = inside.reduce((sum, one) => sum + one, 0);
      if (left > 0) quiet = 0;
      if (quiet > this.#placed.size || clock.nowMs() >= endsAtMs) return left;
      await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    }
  }

  /** Ends all threads at once; items that are inside are dropped. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const threads = [...this.#placed.values()];
    await Promise.all([
      this.#own.close(),
      ...threads.map(({ caller }) => this.#closeThread(caller)),
    ]);
    for (const port of this.#ownPorts) port.close();
    await Promise.all(threads.map(({ running }) => running.end()));
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

  /** What units can be added to: what is on the thread of the topology. All other ids are taken. */
  bindable(): Bindable {
    const own = this.#own.bindable();
    return { ...own, components: [...own.components, ...this.#threadsOf.keys()] };
  }

  settingsOf(id: string): UnitSettings {
    return this.#settings.get(id) ?? this.#own.settingsOf(id);
  }

  async changeSettings(id: string, values: ReadonlyMap<string, unknown>): Promise<void> {
    await this.#ask(id, "changeSettings", id, values);
    this.#settings.get(id)?.change(values);
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

  /**
   * Not one that joins threads: each of them has a part of it, with items that are on the way between
   * them, and a part can only be opened by its own thread, from the file that it has read.
   */
  async swapConnector(wiring: ConnectorWiring): Promise<void> {
    const { id } = wiring;
    const plan = this.#plans.get(id);
    if (plan !== undefined) {
      const ends = [...plan.toHome, ...plan.fromHome].flatMap(({ from, to }) => [from, to]);
      const threads = Array.from(new Set(ends), (thread) => thread || "of the topology");
      throw refused(
        `${id} joins the threads ${threads.join(", ")}, and cannot be exchanged while they run; ` +
          "drain the topology, change its file and start it again, or put the components at both " +
          "ends on one thread",
      );
    }
    this.#refuseElsewhere(id);
    await this.#own.swapConnector(wiring);
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
        this.#settings.set(id, new UnitSettings(definition.settings, settings ?? new Map()));
      }
      if (thread === OWN_THREAD) continue;
      for (const { id } of connectors) if (!this.#plans.has(id)) this.#threadsOf.set(id, [thread]);
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

  #ownWiring(wiring: Wiring, lanes: ReadonlyMap<string, End>): Wiring {
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
  async #closeThread(caller: ThreadCaller): Promise<void> {
    try {
      await caller.call("close");
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
    const why = cause instanceof Error ? cause.message : String(cause);
    const error = new CrawlError(
      "TOPOLOGY_THREAD_ENDED",
      `The thread ${thread} of the topology ended: ${why}. Items that were there are lost; if memory ` +
        "ran out, give the process more, or spread its components over more threads.",
      { thread, why },
      cause,
    );
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
    if (!this.#isClosing) this.#parts.finished();
  }
}

/** Values that cannot be given to another thread are refused like others. */
async function asked(answer: Promise<unknown>, thread: string): Promise<void> {
  try {
    await answer;
  } catch (thrown) {
    if (!(thrown instanceof DOMException)) throw thrown;
    throw refused(`the values cannot be given to the thread ${thread}: ${thrown.message}`);
  }
}
