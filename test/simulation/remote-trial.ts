/**
 * The world of a remote connector: a sender and a receiver, each with a disk, a network between them, a
 * producer that offers numbers in blocks, and a consumer that takes them now and then. Faults strike all
 * of it; both sides die and start again, or are restarted in an orderly way.
 *
 * The truth is kept outside: what the stream of the sender holds, item by item. What a crash of the
 * sender took away before it was durable is taken out of it, and is never offered again.
 */
import type { CrawlError } from "../../src/base/errors/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import type { Transport } from "../../src/base/transport/index.ts";
import {
  type Fault,
  type Kernel,
  type Life,
  planFaults,
  type RunPlan,
  type Schedule,
  SimCluster,
  STANDARD_FAULTS,
  type Trial,
} from "../../src/lab/simulator/index.ts";
import type { Inlet, Outlet } from "../../src/topology/connector/index.ts";
import type { ReceivingConnector, SendingConnector } from "../../src/topology/remote/index.ts";
import { openReceiver, openSender, type RemoteDoor } from "../support/topology/remote-rig.ts";
import { CounterDisk } from "./counter-disk.ts";

const SENDER = "sender";
const RECEIVER = "receiver";
const ITEMS = 90;
const BLOCK_MAX = 5;
const FAULT_SPAN_MS = 3000;
/** Calls of the disk may fail when it is full; then a side that starts tries again. */
const REOPEN_MS = 100;

const { "disk-loss": _lost, "bit-flip": _flipped, ...SURVIVABLE } = STANDARD_FAULTS;

export type RemoteFault =
  | Exclude<keyof typeof STANDARD_FAULTS, "disk-loss" | "bit-flip">
  | "restart";

/** Faults of all kinds, or of those named. */
export function planRemoteFaults(random: Random, names: readonly RemoteFault[] = []): Schedule {
  const all = { ...SURVIVABLE, restart: SURVIVABLE.zombie };
  const named = Object.fromEntries(names.map((name) => [name, all[name]]));
  return planFaults(random, {
    kinds: names.length === 0 ? all : named,
    nodes: [SENDER, RECEIVER],
    fromMs: 20,
    untilMs: FAULT_SPAN_MS,
    durationMsMax: 1500,
    budget: { faultsMax: 12 },
  });
}

export function remoteConnector(door: RemoteDoor): RunPlan {
  return {
    build: (kernel) => new RemoteTrial(kernel, door),
    limits: { stepsMax: 300_000, virtualMsMax: 300_000 },
  };
}

class RemoteTrial implements Trial {
  readonly #cluster: SimCluster;
  readonly #door: RemoteDoor;
  readonly #disks: Readonly<Record<string, CounterDisk>>;
  readonly #random: Random;
  /** What was offered, by its number in the stream. */
  readonly #stream: number[] = [];
  #nextItem = 0;
  #sending: SendingConnector<number> | null = null;
  #receiving: ReceivingConnector<number> | null = null;
  /** The most that was seen to be durable, and marked, in any life. */
  #durable = 0;
  #marked = 0;
  /** Items that were taken, in any life; and where the next one of this life is. */
  #taken = 0;
  #nextTaken: number | null = null;
  #markedAtStart = 0;
  /** What the receiver had taken in a life that ended in an orderly way, if the last one did. */
  #takenAtEnd: number | null = null;
  #hasToldLoss = false;
  /** Until when the disk of the sender is full. */
  #fullUntilMs = 0;
  #hasClosed = false;
  #wasDrained = false;
  #broken: string | null = null;

  readonly always: Trial["always"] = {
    "what comes out is what went in, in order": () => this.#broken,
    "what is durable stays": () => this.#watch(),
  };
  readonly atEnd: Trial["atEnd"] = {
    "nothing is lost": () =>
      this.#taken === this.#stream.length
        ? null
        : `${this.#taken} of ${this.#stream.length} items were taken`,
  };

  constructor(kernel: Kernel, door: RemoteDoor) {
    this.#cluster = new SimCluster(kernel);
    this.#door = door;
    this.#random = kernel.random.fork("actors");
    this.#disks = {
      [SENDER]: new CounterDisk(kernel, SENDER),
      [RECEIVER]: new CounterDisk(kernel, RECEIVER),
    };
    this.#cluster.add(RECEIVER, (life, transport) => this.#bootReceiver(life, transport));
    this.#cluster.add(SENDER, (life, transport) => this.#bootSender(life, transport));
  }

  strike(fault: Fault): void {
    const [node = ""] = fault.nodes;
    const disk = this.#disks[node];
    if (fault.kind === "restart") this.#restart(node, fault.durationMs);
    else if (fault.kind === "disk-full") {
      const untilMs = this.#cluster.kernel.nowMs + fault.durationMs;
      if (node === SENDER) this.#fullUntilMs = Math.max(this.#fullUntilMs, untilMs);
      disk?.fill(fault.durationMs);
    } else if (fault.kind === "slow-disk") {
      disk?.slowDown(fault.parameters["factor"] ?? 1, fault.durationMs);
    } else if (!this.#cluster.strike(fault)) throw new Error(`unknown fault ${fault.kind}`);
  }

  isDone(): boolean {
    return this.#wasDrained && this.#nextItem === ITEMS && this.#taken === this.#stream.length;
  }

  describe(): string {
    return (
      `${this.#nextItem} of ${ITEMS} were offered, ${this.#stream.length} are in the stream, ` +
      `${this.#durable} durable; ${this.#taken} were taken, ${this.#marked} marked; ` +
      `${this.#hasClosed ? "" : "not "}closed, ${this.#wasDrained ? "" : "not "}drained; ` +
      `waiting ${this.#sending?.length}, ${this.#receiving?.length}`
    );
  }

  #bootSender(life: Life, transport: Transport): void {
    const side = this.#side(SENDER, life, transport);
    life.onEnd(() => {
      this.#sending = null;
    });
    const open = (): void =>
      openSender(
        side,
        RECEIVER,
        { spillBytes: 2000, capacity: 20, segmentBytesMax: 300, pieceBytesMax: 4 },
        (error, connector) => {
          if (error !== null) life.clock.after(REOPEN_MS, open);
          else this.#startProducer(life, connector);
        },
        this.#door,
      );
    open();
  }

  #startProducer(life: Life, connector: SendingConnector<number>): void {
    const { offered } = connector;
    if (offered < this.#durable || offered > this.#stream.length) {
      this.#break(`the stream has ${offered} items, ${this.#durable} were durable`);
    }
    // What was offered in the last moments before the crash is gone.
    this.#stream.length = Math.min(offered, this.#stream.length);
    this.#sending = connector;
    const inlet = connector.openInlet();
    const go = (): void =>
      void life.clock.after(this.#random.below(40), () => this.#offer(inlet, go));
    go();
  }

  #offer(inlet: Inlet<number>, go: () => void): void {
    if (this.#sending === null) return;
    const left = ITEMS - this.#nextItem;
    if (left === 0) {
      this.#hasClosed = true;
      inlet.close();
      return;
    }
    const count = Math.min(left, 1 + this.#random.below(BLOCK_MAX));
    const block = Array.from({ length: count }, (_, at) => this.#nextItem + at);
    if (inlet.tryOffer(block)) {
      this.#nextItem += count;
      this.#stream.push(...block);
      go();
    } else inlet.whenRoom(count, go);
  }

  #bootReceiver(life: Life, transport: Transport): void {
    const report = (error: CrawlError): void => this.#report(error);
    const switchboard = new this.#door.Switchboard(transport, report);
    const side = { ...this.#side(RECEIVER, life, transport), switchboard };
    const takenBefore = this.#takenAtEnd;
    this.#takenAtEnd = null;
    life.onEnd(() => {
      this.#receiving = null;
    });
    const open = (): void =>
      openReceiver(
        side,
        { capacity: 12, markAfterMs: 200, segmentBytesMax: 150 },
        (error, connector) => {
          if (error !== null) life.clock.after(REOPEN_MS, open);
          else this.#startConsumer(life, connector, takenBefore);
        },
        this.#door,
      );
    open();
  }

  #startConsumer(
    life: Life,
    connector: ReceivingConnector<number>,
    takenBefore: number | null,
  ): void {
    if (takenBefore !== null && connector.marked !== takenBefore) {
      this.#break(`after an orderly end ${connector.marked} are marked, ${takenBefore} were taken`);
    }
    this.#receiving = connector;
    this.#nextTaken = null;
    this.#markedAtStart = connector.marked;
    const outlet = connector.openOutlet("reader");
    const go = (): void => {
      if (this.#receiving !== connector) return;
      if (outlet.isDrained) this.#drained(connector);
      else
        outlet.whenItems(() =>
          life.clock.after(this.#random.below(60), () => this.#take(outlet, go)),
        );
    };
    go();
  }

  #take(outlet: Outlet<number>, go: () => void): void {
    if (this.#receiving === null) return;
    const items: number[] = [];
    outlet.takeInto(items, 1 + this.#random.below(10));
    for (const item of items) this.#taking(item);
    go();
  }

  #taking(item: number): void {
    const number = this.#nextTaken ?? this.#stream.indexOf(item);
    const isFirst = this.#nextTaken === null;
    if (this.#stream[number] !== item) {
      this.#break(`${item} was taken instead of ${this.#stream[number]}, number ${number}`);
    } else if (isFirst && (number > this.#taken || number < this.#marked)) {
      this.#break(
        `a life of the receiver begins with number ${number}; ${this.#taken} were taken, ` +
          `${this.#marked} marked`,
      );
    }
    this.#nextTaken = number + 1;
    this.#taken = Math.max(this.#taken, number + 1);
  }

  #drained(connector: ReceivingConnector<number>): void {
    connector.whenSettled(() => undefined);
    if (!this.#hasClosed) this.#break("it is drained before its producer has closed");
    this.#wasDrained = true;
  }

  /** Ends a side as a program does that is told to stop, and starts it again. */
  #restart(node: string, durationMs: number): void {
    const connector = node === SENDER ? this.#sending : this.#receiving;
    if (connector === null) return;
    const before = connector;
    // Nobody offers or takes from now on.
    if (node === SENDER) this.#sending = null;
    else this.#receiving = null;
    const [offered, life] = [this.#stream.length, this.#cluster.node(node).life];
    const taken = this.#nextTaken ?? this.#markedAtStart;
    this.#hasToldLoss = false;
    before.close((error) => {
      if (this.#cluster.node(node).life !== life) return;
      if (node === SENDER && error === null && !this.#hasToldLoss) this.#durable = offered;
      if (node === RECEIVER && error === null) this.#takenAtEnd = taken;
      const restart = this.#cluster.takeDown(node);
      this.#cluster.kernel.schedule(durationMs, restart);
    });
  }

  #watch(): string | null {
    this.#durable = Math.max(this.#durable, this.#sending?.durable ?? 0);
    this.#marked = Math.max(this.#marked, this.#receiving?.marked ?? 0);
    const tooMuch = this.#durable > this.#stream.length;
    return tooMuch ? `${this.#durable} items are durable of ${this.#stream.length}` : null;
  }

  #side(node: string, life: Life, transport: Transport) {
    const disk = this.#disks[node];
    if (disk === undefined) throw new Error(`there is no disk of ${node}`);
    const report = (error: CrawlError): void => this.#report(error);
    const { clock, random } = life;
    return { clock, random, transport, storage: disk.mount(life), report };
  }

  /** That nobody answers, or a disk is full, is to be expected here; nothing else is. */
  #report(error: CrawlError): void {
    const isExpected = ["TOPOLOGY_REMOTE_AWAY", "STORAGE_FULL"].includes(error.code);
    const isLoss = error.code === "TOPOLOGY_ITEM_LOST" && "items" in error.facts;
    const isFullAtEnd = isLoss && this.#cluster.kernel.nowMs < this.#fullUntilMs + REOPEN_MS;
    this.#hasToldLoss ||= isFullAtEnd;
    if (!isExpected && !isFullAtEnd) this.#break(error.message);
  }

  #break(what: string): void {
    this.#broken ??= what;
  }
}
