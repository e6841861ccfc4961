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
import { type CrawlError, faultOf } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import type { Connector } from "../../connector/index.ts";
import { type ComponentDefinition, promised, type Taken, type Work } from "../../unit/index.ts";
import { InputPort } from "../ports/input-port.ts";
import { OutputPort } from "../ports/output-port.ts";
import { droppedItem } from "../units/refusal.ts";
import type { ComponentMetrics } from "../units/unit-metrics.ts";
import { itemText } from "./item-text.ts";
import { Lives } from "./lives.ts";
import { Pulling, type PullingHost } from "./pulling.ts";
import type { Tenure, TenureHost } from "./tenure.ts";
import type { Runnable, Turns } from "./turns.ts";

/** Items in a batch at most. */
const BATCH = 64;

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
  /** Told of calls that the author's code must not make, such as of a work that has ended. */
  readonly misused: (error: CrawlError) => void;
  /** Its work is over; what the work emits while it is closed still goes out. */
  readonly finished: () => void;
}

/** A work that was made for this instance, and what it was given to call. */
export interface Employed {
  readonly work: Work;
  readonly tenure: Tenure;
}

export class ComponentInstance implements Runnable, TenureHost, PullingHost {
  isWoken = false;
  readonly outputs: ReadonlyMap<string, OutputPort>;
  readonly #parts: InstanceParts;
  readonly #inputs: readonly InputPort[];
  readonly #lives: Lives;
  #employed: Employed | null = null;
  /** Whose `close` has not come back. */
  #closing: Employed | null = null;
  /** It runs while nobody wants it to pause; whoever made it does, at first. */
  #pauses = 1;
  #hasRun = false;
  /** `ending`: there is nothing more to do, but what it emitted last may still have to go out. */
  #end: "ending" | "ended" | null = null;
  #inFlight = 0;
  #isFinishing = false;
  #isInBatch = false;
  readonly #pulling: Pulling;
  #first = 0;
  #quiet: (() => void)[] = [];

  constructor(parts: InstanceParts) {
    const { inputs, outputs, component, metrics } = parts;
    const { emitted, blocked } = metrics;
    this.#parts = parts;
    this.#pulling = new Pulling(this, parts.clock);
    this.#inputs = Array.from(
      inputs,
      ([role, connector]) => new InputPort(role, component, connector),
    );
    this.#lives = new Lives(parts.definition, this.#inputs);
    const wake = (): void => this.#wake();
    this.outputs = new Map(
      Array.from(outputs, ([role, connector]) => {
        return [role, new OutputPort({ connector, emitted, blocked, wake })];
      }),
    );
  }

  get name(): string {
    return this.#parts.name;
  }

  get state(): InstanceState {
    if (this.#end === "ended") return "finished";
    return this.#pauses === 0 || this.#end === "ending" ? "running" : "suspended";
  }

  /** Whether it will take nothing more, ever. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waitingOut(): number {
    let waiting = 0;
    for (const port of this.outputs.values()) waiting += port.waiting;
    return waiting;
  }

  /** What a successor of its work needs to go on where that stopped. */
  handOver(): unknown {
    return this.#employed?.work.handOver?.();
  }

  /** Closes the present work, if there is any, and goes on with another. */
  async employ(next: Employed): Promise<void> {
    await this.endWork();
    this.#employed = next;
    this.#pulling.expectItems();
    this.#wake();
  }

  /**
   * Closes the work; a promise if that takes time. What it emits meanwhile waits at the outputs;
   * afterwards it can emit nothing.
   */
  endWork(): void | Promise<void> {
    const employed = this.#employed;
    this.#employed = null;
    if (employed === null) return;
    try {
      const closing = employed.work.close?.();
      if (closing !== undefined) return this.#awaitClose(employed, closing);
    } catch (thrown) {
      this.#fail(thrown, "closing");
    }
    employed.tenure.end();
  }

  /** Takes no more items until whoever asked for it says `unpause`. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses === 1 && this.#end === null) for (const port of this.#inputs) port.stepBack();
  }

  unpause(): void {
    assert(this.#pauses > 0, "a pause has one end");
    this.#pauses -= 1;
    if (this.#pauses > 0 || this.#end !== null) return;
    assert(this.#employed !== null, "an instance runs when it has work");
    this.#hasRun = true;
    // For those who waited for the end of a suspension that is over: it has been called off.
    this.#tellQuiet();
    this.#wake();
  }

  /** Resolves when nothing is in flight, or when it runs again. */
  async quiet(): Promise<void> {
    if (this.#inFlight > 0) await this.#nextQuiet();
  }

  /** Resolves when what it emitted has gone out; it must be paused or over. */
  async flushed(): Promise<void> {
    while (!this.#flush()) await this.#nextQuiet();
  }

  /** Gives its ends back; what waits for room is dropped. `isDone`: see `Inlet.close` and `leave`. */
  close(isDone: (outputRole: string) => boolean): void {
    if (this.#end === "ended") return;
    this.#end = "ended";
    this.#closing?.tenure.end();
    for (const port of this.#inputs) port.close();
    for (const [role, port] of this.outputs) port.close(isDone(role));
    this.#tellQuiet();
  }

  reconnectInput(role: string, connector: Connector<unknown>): void {
    if (this.#end === "ended") return;
    for (const port of this.#inputs) if (port.role === role) port.reconnect(connector);
    this.#lives.reconnected();
  }

  reconnectOutput(role: string, connector: Connector<unknown>): void {
    if (this.#end === "ended") return;
    this.outputs.get(role)?.reconnect(connector);
    this.#wake();
  }

  hold(): void {
    this.#inFlight += 1;
  }

  letGo(): void {
    this.#inFlight -= 1;
    this.#wake();
  }

  wake(): void {
    this.#pulling.expectItems();
    this.#wake();
  }

  failed(thrown: unknown): void {
    this.#fail(thrown, "pulling items");
  }

  finish(): void {
    this.#isFinishing = true;
    this.#wake();
  }

  mayEmit(item: unknown): boolean {
    if (!this.#isInBatch) this.#wake();
    return !this.#lives.hasWatched || this.#lives.mayEmit(item);
  }

  misused(problem: string): void {
    this.#parts.misused(this.#fault(new Error(`it ${problem}`), "something outside of its calls"));
  }

  run(): void {
    // What is emitted before the start waits for it: consumers may still have to be made.
    if (this.#hasRun) {
      this.#isInBatch = true;
      const isDue = this.#flush() && this.#mayTake && this.#runBatch();
      this.#isInBatch = false;
      if (isDue) this.#wake();
      if (this.#mayTake) this.#finishIfOver();
    }
    if (!this.#mayTake && this.#inFlight === 0) this.#tellQuiet();
  }

  get #mayTake(): boolean {
    return this.#pauses === 0 && this.#end === null;
  }

  async #awaitClose(employed: Employed, closing: Promise<void>): Promise<void> {
    this.#closing = employed;
    try {
      await closing;
    } catch (thrown) {
      this.#fail(thrown, "closing");
    } finally {
      employed.tenure.end();
      this.#closing = null;
    }
  }

  #nextQuiet(): Promise<void> {
    return new Promise((resolve) => this.#quiet.push(resolve));
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
    const work = this.#employed?.work;
    if (work?.pull !== undefined) {
      if (!this.#isFinishing) this.#pulling.pull(work.pull, BATCH);
    } else if (work?.join !== undefined) this.#joinBatch(work.join);
    else if (work?.take !== undefined) this.#takeBatch(work.take);
    metrics.busyMs.add(clock.nowMs() - startedAtMs);
    return this.#flush() && this.#mayTake && this.#isReady();
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
      while (left > 0 && this.#inFlight < definition.inFlightMax && this.#mayTake) {
        const item = port.tryTake();
        if (item === undefined) break;
        left -= 1;
        metrics.taken.add();
        this.#guard(item, take, port.role);
      }
    }
    this.#first += 1;
  }

  #joinBatch(join: NonNullable<Work["join"]>): void {
    const { metrics, definition } = this.#parts;
    const inputs = this.#inputs;
    for (let left = BATCH; left > 0 && this.#inFlight < definition.inFlightMax; left -= 1) {
      if (!this.#mayTake || inputs.some(({ hasItems }) => !hasItems)) return;
      const items: Record<string, unknown> = {};
      for (const port of inputs) items[port.role] = port.tryTake();
      metrics.taken.add(inputs.length);
      this.#guard(items, join, null);
    }
  }

  /** `role` is that of the input; null for the items of all inputs of a join. */
  #guard<Item>(item: Item, work: (item: Item) => Taken, role: string | null): void {
    if (this.#lives.hasWatched) this.#lives.begin(item, role);
    let promise: Promise<void> | null;
    try {
      promise = promised(work(item));
    } catch (thrown) {
      this.#lose(item, role, thrown);
      return;
    }
    if (promise !== null) this.#await(promise, item, role);
    else if (this.#lives.hasWatched) this.#loseDropped(item, role);
  }

  #await(taken: Promise<void>, item: unknown, role: string | null): void {
    this.hold();
    const done = (): void => this.#loseDropped(item, role);
    const failed = (thrown: unknown): void => this.#lose(item, role, thrown);
    taken.then(done, failed).finally(() => this.letGo());
  }

  #lose(item: unknown, role: string | null, thrown: unknown): void {
    const error = this.#fault(thrown, `the item ${itemText(item)}`);
    this.#parts.failed(error);
    this.#lives.lose(item, role, error);
  }

  #loseDropped(item: unknown, role: string | null): void {
    const { name, metrics, misused } = this.#parts;
    const holds = this.#employed?.tenure.holds === true;
    if (!this.#lives.hasDropped(item, role, holds)) return;
    metrics.failed.add();
    const error = droppedItem(name, itemText(item));
    misused(error);
    this.#lives.lose(item, role, error);
  }

  #fail(thrown: unknown, what: string): void {
    this.#parts.failed(this.#fault(thrown, what));
  }

  #fault(thrown: unknown, what: string): CrawlError {
    const { name, metrics } = this.#parts;
    metrics.failed.add();
    const unit = { code: "INTERNAL_UNIT", what: `the work of unit ${name} on ${what}` } as const;
    return faultOf(thrown, { ...unit, isOver: false });
  }

  /** Whether another batch can begin; asks to be woken where one cannot yet. */
  #isReady(): boolean {
    const { definition } = this.#parts;
    if (this.#inFlight >= definition.inFlightMax) return false;
    if (definition.kind === "source") return this.#pulling.isDue && !this.#isFinishing;
    const isJoin = definition.kind === "join";
    let isReady = isJoin;
    for (const port of this.#inputs) {
      const { hasItems } = port;
      if (!hasItems) port.ask(() => this.#wake());
      isReady = isJoin ? isReady && hasItems : isReady || hasItems;
    }
    return isReady;
  }

  #finishIfOver(): void {
    if (this.#inFlight > 0 || this.waitingOut > 0) return;
    const isJoin = this.#parts.definition.kind === "join";
    const drained = this.#inputs.filter(({ isDrained }) => isDrained).length;
    // A join is over with the first input that will never have an item again.
    const isDry = drained > 0 && (isJoin || drained === this.#inputs.length);
    if (!isDry && !this.#isFinishing) return;
    this.#end = "ending";
    this.#parts.finished();
  }

  #flush(): boolean {
    if (this.#end === "ended") return true;
    let isEmpty = true;
    for (const port of this.outputs.values()) isEmpty = port.flush() && isEmpty;
    return isEmpty;
  }

  #wake(): void {
    if (this.#end !== "ended") this.#parts.turns.wake(this);
  }
}
