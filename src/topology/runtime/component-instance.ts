/**
 * One instance of a component: takes batches from its inputs, lets the unit's work have them item by
 * item, and hands over what it emits. It is the barrier around an author's code: whatever that throws
 * belongs to one item of this instance, and the policy of the component says what follows.
 *
 * Invariant: an item is taken from a connector only when the work can have it at once. So an instance
 * that is suspended, removed or bound to other connectors holds no items but those in flight and those
 * that wait at its outputs, and loses none.
 */
import assert from "node:assert/strict";
import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Connector, Outlet } from "../connector/index.ts";
import type { ComponentDefinition, Emit, Taken, Work, Workplace } from "../unit/index.ts";
import { OutputPort } from "./output-port.ts";
import type { Runnable, Turns } from "./turns.ts";
import type { ComponentMetrics } from "./unit-metrics.ts";

/** Items in a batch at most. */
const BATCH = 64;
const ITEM_TEXT_MAX = 200;

/** `finished`: its inputs are drained, or it said so; everything it had went out. */
export type InstanceState = "running" | "suspended" | "finished";

export interface InstanceParts {
  /** With its number: `parser#2`. */
  readonly name: string;
  readonly component: string;
  readonly definition: ComponentDefinition;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly metrics: ComponentMetrics;
  readonly inputs: ReadonlyMap<string, Connector<unknown>>;
  readonly outputs: ReadonlyMap<string, Connector<unknown>>;
  /** Told of a failure of the author's code, which has ended one item. */
  readonly failed: (error: CrawlError) => void;
  readonly finished: () => void;
}

interface InputPort {
  readonly role: string;
  outlet: Outlet<unknown>;
  isAsking: boolean;
}

export class ComponentInstance implements Runnable, Workplace {
  isWoken = false;
  readonly emit: Readonly<Record<string, Emit<unknown>>>;
  readonly #parts: InstanceParts;
  readonly #inputs: InputPort[];
  readonly #outputs: ReadonlyMap<string, OutputPort>;
  #work: Work | null = null;
  #state: InstanceState = "suspended";
  #inFlight = 0;
  #isEnding = false;
  #isRunning = false;
  #hasItems = true;
  #isPulling = false;
  #first = 0;
  #quiet: (() => void)[] = [];

  constructor(parts: InstanceParts) {
    const { inputs, outputs, component, metrics } = parts;
    const { emitted, blocked } = metrics;
    this.#parts = parts;
    this.#inputs = Array.from(inputs, ([role, connector]) => {
      return { role, outlet: connector.openOutlet(component), isAsking: false };
    });
    const wake = (): void => this.#wake();
    this.#outputs = new Map(
      Array.from(outputs, ([role, connector]) => {
        return [role, new OutputPort({ connector, emitted, blocked, wake })];
      }),
    );
    const emits = Array.from(this.#outputs, ([role, port]) => [role, this.#emitterOf(port)]);
    this.emit = Object.fromEntries(emits);
  }

  get name(): string {
    return this.#parts.name;
  }

  get state(): InstanceState {
    return this.#state;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waitingOut(): number {
    let waiting = 0;
    for (const port of this.#outputs.values()) waiting += port.waiting;
    return waiting;
  }

  /** The work that this instance does from now on. It has none before the first. */
  set work(work: Work) {
    this.#work = work;
    this.#hasItems = true;
  }

  /** What a successor of its work needs; the work is over. */
  async endWork(): Promise<unknown> {
    const work = this.#work;
    this.#work = null;
    const state = work?.handOver?.();
    await work?.close?.();
    return state;
  }

  resume(): void {
    if (this.#state !== "suspended") return;
    assert(this.#work !== null, "an instance runs when it has work");
    this.#state = "running";
    this.#wake();
  }

  /** Takes no more items; resolves when none is in flight. */
  async suspend(): Promise<void> {
    if (this.#state === "running") this.#state = "suspended";
    if (this.#inFlight > 0) await new Promise<void>((resolve) => this.#quiet.push(resolve));
  }

  /** Resolves when what it emitted has gone out; it must be suspended or finished. */
  async flushed(): Promise<void> {
    while (!this.#flush()) await new Promise<void>((resolve) => this.#quiet.push(resolve));
  }

  /** Gives its ends back; nothing is in flight and nothing waits. */
  close(): void {
    const isDone = this.#state === "finished";
    this.#state = "finished";
    for (const { outlet } of this.#inputs) outlet.close();
    for (const port of this.#outputs.values()) port.close(isDone);
  }

  reconnectInput(role: string, connector: Connector<unknown>): void {
    for (const port of this.#inputs) {
      if (port.role !== role) continue;
      port.outlet.close();
      port.outlet = connector.openOutlet(this.#parts.component);
      port.isAsking = false;
    }
  }

  reconnectOutput(role: string, connector: Connector<unknown>): void {
    this.#outputs.get(role)?.reconnect(connector);
  }

  hold(): void {
    this.#inFlight += 1;
  }

  letGo(): void {
    assert(this.#inFlight > 0, "what is let go of was held");
    this.#inFlight -= 1;
    this.#wake();
  }

  wake(): void {
    this.#hasItems = true;
    this.#wake();
  }

  finish(): void {
    this.#isEnding = true;
    this.#wake();
  }

  run(): void {
    this.#isRunning = true;
    const isDue = this.#flush() && this.#state === "running" && this.#runBatch();
    this.#isRunning = false;
    if (isDue) this.#wake();
    if (this.#state === "running") this.#finishIfOver();
    if (this.#state !== "running" && this.#inFlight === 0) this.#tellQuiet();
  }

  #tellQuiet(): void {
    const quiet = this.#quiet;
    this.#quiet = [];
    for (const listener of quiet) listener();
  }

  /** Says whether another batch can begin at once. */
  #runBatch(): boolean {
    const { metrics, clock } = this.#parts;
    const startedAtMs = clock.nowMs();
    const work = this.#work;
    if (work?.pull !== undefined) this.#pull(work.pull);
    else if (work?.join !== undefined) this.#joinBatch(work.join);
    else if (work?.take !== undefined) this.#takeBatch(work.take);
    metrics.busyMs.add(clock.nowMs() - startedAtMs);
    return this.#flush() && this.#state === "running" && this.#isReady();
  }

  /** From all inputs alike: each batch begins at another one. */
  #takeBatch(takes: NonNullable<Work["take"]>): void {
    const inputs = this.#inputs;
    const { metrics, definition } = this.#parts;
    let left = BATCH;
    for (let at = 0; at < inputs.length; at += 1) {
      const port = inputs[(this.#first + at) % inputs.length];
      const take = port === undefined ? undefined : takes[port.role];
      if (port === undefined || take === undefined) continue;
      while (left > 0 && this.#inFlight < definition.inFlightMax && this.#state === "running") {
        const item = port.outlet.tryTake();
        if (item === undefined) break;
        left -= 1;
        metrics.taken.add();
        this.#guard(item, take);
      }
    }
    this.#first += 1;
  }

  #joinBatch(join: NonNullable<Work["join"]>): void {
    const { metrics, definition } = this.#parts;
    const inputs = this.#inputs;
    for (let left = BATCH; left > 0 && this.#inFlight < definition.inFlightMax; left -= 1) {
      if (this.#state !== "running" || inputs.some(({ outlet }) => outlet.length === 0)) return;
      const items: Record<string, unknown> = {};
      for (const { role, outlet } of inputs) items[role] = outlet.tryTake();
      metrics.taken.add(inputs.length);
      this.#guard(items, join);
    }
  }

  #pull(pull: NonNullable<Work["pull"]>): void {
    if (this.#isPulling || this.#isEnding || !this.#hasItems) return;
    this.#hasItems = false;
    try {
      const pulled = pull(BATCH);
      if (pulled instanceof Promise) this.#pullLater(pulled);
      else this.#hasItems ||= pulled;
    } catch (thrown) {
      this.#fail(thrown, "pulling items");
    }
  }

  #pullLater(pulled: Promise<boolean>): void {
    this.#isPulling = true;
    this.hold();
    pulled
      .then((hasMore) => {
        this.#hasItems ||= hasMore;
      })
      .catch((thrown: unknown) => this.#fail(thrown, "pulling items"))
      .finally(() => {
        this.#isPulling = false;
        this.letGo();
      });
  }

  #guard<Item>(item: Item, work: (item: Item) => Taken): void {
    try {
      const taken = work(item);
      if (taken instanceof Promise) this.#await(taken, item);
    } catch (thrown) {
      this.#fail(thrown, `the item ${textOf(item)}`);
    }
  }

  #await(taken: Promise<void>, item: unknown): void {
    this.hold();
    taken
      .catch((thrown: unknown) => this.#fail(thrown, `the item ${textOf(item)}`))
      .finally(() => this.letGo());
  }

  #fail(thrown: unknown, what: string): void {
    const { name, metrics, failed } = this.#parts;
    metrics.failed.add();
    const unit = { code: "INTERNAL_UNIT", what: `the work of unit ${name} on ${what}` } as const;
    failed(faultOf(thrown, { ...unit, isOver: false }));
  }

  /** Whether another batch can begin; asks to be woken where one cannot yet. */
  #isReady(): boolean {
    const { definition } = this.#parts;
    if (this.#inFlight >= definition.inFlightMax) return false;
    if (definition.kind === "source") return this.#hasItems && !this.#isEnding;
    const isJoin = definition.kind === "join";
    let isReady = isJoin;
    for (const port of this.#inputs) {
      const hasItems = port.outlet.length > 0;
      if (!hasItems) this.#ask(port);
      isReady = isJoin ? isReady && hasItems : isReady || hasItems;
    }
    return isReady;
  }

  #ask(port: InputPort): void {
    if (port.isAsking || port.outlet.isDrained) return;
    const { outlet } = port;
    port.isAsking = true;
    outlet.whenItems(() => {
      if (port.outlet !== outlet) return;
      port.isAsking = false;
      this.#wake();
    });
  }

  #finishIfOver(): void {
    if (this.#inFlight > 0 || this.waitingOut > 0) return;
    const isJoin = this.#parts.definition.kind === "join";
    const drained = this.#inputs.filter(({ outlet }) => outlet.isDrained).length;
    // A join is over with the first input that will never have an item again.
    const isDry = drained > 0 && (isJoin || drained === this.#inputs.length);
    if (!isDry && !this.#isEnding) return;
    this.#state = "finished";
    this.#parts.finished();
  }

  #flush(): boolean {
    let isEmpty = true;
    for (const port of this.#outputs.values()) isEmpty = port.flush() && isEmpty;
    return isEmpty;
  }

  /** Emitting outside of a batch brings a run, which hands the items over. */
  #emitterOf(port: OutputPort): Emit<unknown> {
    const { emit } = port;
    return (item) => {
      emit(item);
      if (!this.#isRunning) this.#wake();
    };
  }

  #wake(): void {
    this.#parts.turns.wake(this);
  }
}

/** An item in a sentence: short, on one line, whatever it is. */
function textOf(item: unknown): string {
  try {
    const text = typeof item === "object" ? JSON.stringify(item) : String(item);
    return text.slice(0, ITEM_TEXT_MAX);
  } catch {
    return "that cannot be printed";
  }
}
