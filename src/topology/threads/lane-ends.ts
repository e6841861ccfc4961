/**
 * The ends of lanes that one connector has on one thread. They outlive the connector: a successor goes on
 * with them, on each thread by itself, while the others go on as they are.
 *
 * Room must be there before it is promised. So a successor has at least the room of the old one, and
 * senders have the smaller of both capacities, until all threads have theirs and `widen` is called.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Connector, ItemsByConsumer } from "../connector/index.ts";
import { type AcrossThreads, type ConnectorWiring, refused } from "../runtime/index.ts";
import type { CreditIntake } from "./credit-intake.ts";
import { LaneConnector } from "./lane-connector.ts";
import { LaneForwarder } from "./lane-forwarder.ts";
import { type Lane, type LanePlan, resized } from "./lane-plan.ts";
import { LaneReceiver } from "./lane-receiver.ts";
import { LaneSender } from "./lane-sender.ts";
import type { LaneCredit, LaneLoad, Port } from "./port.ts";

export interface ThreadSurroundings {
  readonly thread: string;
  readonly clock: Clock;
  /** This thread's end of a lane, by the lane's name. */
  readonly portOf: (lane: string) => Port<unknown, unknown>;
  /** Told of an item that cannot be encoded. */
  readonly report: (error: CrawlError) => void;
  /** Told of items that cannot be decoded. */
  readonly failed: (error: unknown) => void;
}

/** A way on from the home. */
interface Onward {
  readonly to: string;
  readonly sender: LaneSender<unknown>;
  readonly forwarder: LaneForwarder<unknown>;
}

type Sending = LaneSender<unknown> | CreditIntake<unknown>;

export class LaneEnds {
  readonly #id: string;
  readonly #surroundings: ThreadSurroundings;
  #across: AcrossThreads;
  #plan: LanePlan;
  #receiving: LaneReceiver<unknown> | null = null;
  #sending: Sending | null = null;
  #onward: readonly Onward[] = [];

  constructor(
    id: string,
    across: AcrossThreads,
    { plan, surroundings }: { plan: LanePlan; surroundings: ThreadSurroundings },
  ) {
    this.#id = id;
    this.#across = across;
    this.#plan = plan;
    this.#surroundings = surroundings;
  }

  /** Whether nothing is on the way from here, and nothing waits here. */
  get isSettled(): boolean {
    const sending = this.#sending === null ? [] : [this.#sending];
    const lengths = [...sending, ...this.#onward.map(({ sender }) => sender)];
    return lengths.every(({ length }) => length === 0) && !this.#receiving?.inner.length;
  }

  /** The first connector; called once. */
  open(): Connector<unknown> {
    const { thread } = this.#surroundings;
    const { toHome, fromHome, ownShare, homeCapacity } = this.#plan;
    if (this.#isHome) {
      const receiver = this.#receiver(homeCapacity, toHome);
      this.#receiving = receiver;
      this.#onward = fromHome.map((lane) => this.#forwarding(lane, receiver));
      if (ownShare > 0) this.#sending = receiver.joinLocal(ownShare);
    } else {
      const [receives] = fromHome.filter(({ to }) => to === thread);
      const [sends] = toHome.filter(({ from }) => from === thread);
      if (receives !== undefined) this.#receiving = this.#receiver(receives.capacity, [receives]);
      if (sends !== undefined) this.#sending = this.#sender(sends);
    }
    return this.#connector(this.#across, (items) => this.#receiving?.inner.takeOver(items));
  }

  /** A connector that goes on with these ends, once it takes over what the present one hands over. */
  successor({ id, across, form }: ConnectorWiring): ConnectorWiring {
    const open = (): Connector<unknown> => {
      if (across === undefined) {
        throw refused(`${id} joins threads, which a ${form?.kind ?? "such a"} connector cannot`);
      }
      const plan = resized(this.#plan, across.capacity);
      const room = this.#receivesOf(plan);
      const inner = this.#receiving && across.open(Math.max(this.#receiving.inner.capacity, room));
      return this.#connector(across, (items) => {
        inner?.takeOver(items);
        this.#across = across;
        this.#plan = plan;
        if (inner !== null) this.#receiving?.moveTo(inner, room);
        this.#resize(Math.min);
        for (const { to, forwarder } of this.#onward) {
          if (this.#receiving) forwarder.moveTo(this.#receiving.openOutlet(consumerOn(to)));
        }
      });
    };
    return { id, open };
  }

  /** For senders: the other ends have room for the whole capacity now. */
  widen(): void {
    this.#resize((_before, planned) => planned);
  }

  get #isHome(): boolean {
    return this.#plan.home === this.#surroundings.thread;
  }

  #connector(
    across: AcrossThreads,
    takeOver: (items: ItemsByConsumer<unknown>) => void,
  ): LaneConnector<unknown> {
    const { type, capacity } = across;
    return new LaneConnector({
      ...{ id: this.#id, type, capacity, isTee: across.open(1).isTee, takeOver },
      sendsOn: this.#onward.length > 0,
      ...{ sending: this.#sending, receiving: this.#receiving },
    });
  }

  #resize(capacityOf: (before: number, planned: number) => number): void {
    const { fromHome } = this.#plan;
    for (const [at, { sender }] of this.#onward.entries()) {
      sender.resize(capacityOf(sender.capacity, fromHome[at]?.capacity ?? sender.capacity));
    }
    const sending = this.#sending;
    sending?.resize(capacityOf(sending.capacity, this.#sendsOf(this.#plan)));
  }

  #receivesOf({ fromHome, homeCapacity }: LanePlan): number {
    const lane = fromHome.find(({ to }) => to === this.#surroundings.thread);
    return this.#isHome ? homeCapacity : (lane?.capacity ?? 1);
  }

  #sendsOf({ toHome, ownShare }: LanePlan): number {
    const lane = toHome.find(({ from }) => from === this.#surroundings.thread);
    return this.#isHome ? ownShare : (lane?.capacity ?? 1);
  }

  #receiver(capacity: number, lanes: readonly Lane[]): LaneReceiver<unknown> {
    const inner = this.#across.open(capacity);
    const receiver = new LaneReceiver({ inner, failed: this.#surroundings.failed });
    for (const { name } of lanes) receiver.joinPort(this.#port(name));
    return receiver;
  }

  #forwarding(lane: Lane, receiver: LaneReceiver<unknown>): Onward {
    const { to } = lane;
    const sender = this.#sender(lane);
    const outlet = receiver.openOutlet(consumerOn(to));
    return { to, sender, forwarder: new LaneForwarder(outlet, sender, this.#surroundings.clock) };
  }

  #sender({ name, capacity }: Lane): LaneSender<unknown> {
    const { clock, report } = this.#surroundings;
    const { type } = this.#across;
    const port: Port<LaneLoad, LaneCredit> = this.#port(name);
    return new LaneSender({ type, capacity, port, clock, report });
  }

  /** Both ends of a lane are opened by the same plan, so that what one posts the other understands. */
  #port<Posted, Received>(lane: string): Port<Posted, Received> {
    return this.#surroundings.portOf(lane) as unknown as Port<Posted, Received>;
  }
}

/** What consumers on another thread are called at home. */
function consumerOn(thread: string): string {
  return `thread ${thread}`;
}
