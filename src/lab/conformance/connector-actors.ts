/**
 * Producers and consumers for the suite of connectors. They work by callbacks alone, so that a simulated
 * world can drive them, and never inside a listener of a connector, which may only note what is to be
 * done.
 */
import type { Connector, Inlet, Outlet } from "../../topology/connector/index.ts";
import type { World } from "./world.ts";

/** Both ends of a connector of numbers; inside one thread they are ends of the same. */
export interface ConnectorSubject {
  readonly world: World;
  readonly producers: Pick<Connector<number>, "openInlet" | "capacity">;
  readonly consumers: Pick<Connector<number>, "openOutlet">;
  /** Whether it refuses when it is full; one that spills to disk may not. */
  readonly refuses: boolean;
  /** Calls back soon, outside of this call. */
  later(task: () => void): void;
  close(): Promise<void>;
}

export type ConnectorOpening = (options: {
  readonly capacity: number;
}) => Promise<ConnectorSubject>;

/** Takes items whenever there are some, until it is drained. */
export class Reader {
  readonly items: number[] = [];
  readonly #subject: ConnectorSubject;
  readonly #outlet: Outlet<number>;
  readonly #takeMax: number;
  readonly #waiting: { readonly isMet: () => boolean; readonly met: () => void }[] = [];

  constructor(subject: ConnectorSubject, consumer = "reader", takeMax = 2) {
    this.#subject = subject;
    this.#outlet = subject.consumers.openOutlet(consumer);
    this.#takeMax = takeMax;
    this.#ask();
  }

  get isDrained(): boolean {
    return this.#outlet.isDrained;
  }

  /** Waits until it has had this many items. */
  async had(count: number): Promise<number[]> {
    await this.#until(() => this.items.length >= count);
    return this.items;
  }

  async drained(): Promise<number[]> {
    await this.#until(() => this.isDrained);
    return this.items;
  }

  #ask(): void {
    this.#outlet.whenItems(() => this.#subject.later(() => this.#take()));
  }

  #take(): void {
    this.#outlet.takeInto(this.items, this.#takeMax);
    for (const { isMet, met } of this.#waiting) if (isMet()) met();
    if (!this.isDrained) this.#ask();
  }

  async #until(isMet: () => boolean): Promise<void> {
    if (isMet()) return;
    await this.#subject.world.answer<null>((done) => {
      this.#waiting.push({ isMet, met: () => done(null) });
    });
  }
}

/** Offers its blocks one after another, each as soon as it is taken in. */
export class Writer {
  readonly inlet: Inlet<number>;
  readonly #subject: ConnectorSubject;
  readonly #blocks: (readonly number[])[];
  #offered: (() => void) | null = null;

  constructor(subject: ConnectorSubject, blocks: readonly (readonly number[])[]) {
    this.inlet = subject.producers.openInlet();
    this.#subject = subject;
    this.#blocks = [...blocks];
    subject.later(() => this.#offer());
  }

  /** Waits until everything was taken in. */
  async offered(): Promise<void> {
    if (this.#blocks.length === 0) return;
    await this.#subject.world.answer<null>((done) => {
      this.#offered = () => done(null);
    });
  }

  #offer(): void {
    const [first] = this.#blocks;
    if (first === undefined) {
      this.#offered?.();
      return;
    }
    if (this.inlet.tryOffer(first)) {
      this.#blocks.shift();
      this.#subject.later(() => this.#offer());
      return;
    }
    this.inlet.whenRoom(first.length, () => this.#subject.later(() => this.#offer()));
  }
}
