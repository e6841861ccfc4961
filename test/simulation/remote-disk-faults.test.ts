/**
 * A remote connector on a disk that fails: at whatever call either side makes, for once or until
 * somebody has told of it. A side whose log is broken says so and ends; power fails, the disk is mended,
 * and the side is opened again. Nothing that was durable, or acknowledged, may be missing then.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlError } from "../../src/base/errors/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Clock } from "../../src/base/seams/index.ts";
import { InProcessHub, InProcessTransport } from "../../src/base/transport/index.ts";
import { type DiskCall, SimDisk } from "../../src/lab/simulator/index.ts";
import type { ReceivingConnector, SendingConnector } from "../../src/topology/remote/index.ts";
import { MortalClock, SimulatedTime } from "../support/lab/simulated-world.ts";
import { openReceiver, openSender, type Side } from "../support/topology/remote-rig.ts";

type SideName = "sender" | "receiver";

const ITEMS = 60;
/** One in so many calls is tried, and every one in a full run. */
const CALLS_PER_RUN = process.env["TROBAR_FULL"] === "1" ? 1 : 7;
const STEPS_MAX = 100_000;
/** A side that could not be opened is opened again. */
const REOPEN_MS = 50;

interface Fault {
  readonly side: SideName;
  /** The first call that fails. */
  readonly call: number;
  /** Whether the calls after it fail as well, until somebody has told of it. */
  readonly lasts: boolean;
  readonly how: "broken" | "full";
}

class World {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly disks: Readonly<Record<SideName, SimDisk>> = {
    sender: new SimDisk(new SeededRandom("sender")),
    receiver: new SimDisk(new SeededRandom("receiver")),
  };
  /** What a side told before it ended, and what it told besides. */
  readonly failures: CrawlError[] = [];
  readonly reports: CrawlError[] = [];
  /** Each life of the receiver, with the items that were taken. */
  readonly taken: number[][] = [];
  /** Where a life of the receiver had to begin at the earliest. */
  readonly marked: number[] = [];
  #sender: SendingConnector<number> | null = null;
  #receiver: ReceivingConnector<number> | null = null;
  #durable = 0;
  #lives = 0;
  /** What stops the timers of a side when its power fails. */
  readonly #clocks = new Map<SideName, MortalClock>();
  readonly #transports = new Map<SideName, InProcessTransport>();
  readonly #hub = new InProcessHub(this.time);

  constructor(fault: Fault | null) {
    if (fault !== null) this.#plan(fault);
    this.#open("receiver");
    this.#open("sender");
  }

  run(): void {
    for (let steps = 0; !this.#isDone && steps < STEPS_MAX; steps += 1) {
      assert.ok(this.time.step(), "something is left to happen");
      this.#durable = Math.max(this.#durable, this.#sender?.durable ?? 0);
    }
    assert.ok(this.#isDone, `${this.#sender?.offered} offered, ${this.taken.at(-1)} taken`);
  }

  get #isDone(): boolean {
    return this.#sender?.length === 0 && this.taken.at(-1)?.at(-1) === ITEMS - 1;
  }

  #plan({ side, call, lasts, how }: Fault): void {
    const disk = this.disks[side];
    const isTold = (): boolean => this.failures.length + this.reports.length > 0;
    if (how === "broken") {
      disk.failWhen = ({ number }: DiskCall) =>
        number === call || (lasts && number > call && !isTold());
      return;
    }
    disk.failWhen = ({ number }: DiskCall) => {
      const isFull = number >= call && !isTold() && number < call + 100;
      disk.capacityBytes = isFull ? 0 : 2 ** 40;
      return false;
    };
  }

  #open(name: SideName): void {
    this.#lives += 1;
    const [clock, life] = [new MortalClock(this.time), this.#lives];
    this.#clocks.set(name, clock);
    const side: Side = {
      ...{ clock, random: new SeededRandom(`${name} ${life}`) },
      storage: this.disks[name].mount(clock),
      transport: this.#transportOf(name),
      report: (error) => void this.reports.push(error),
      fail: (error) => {
        this.failures.push(error);
        this.#restart(name, clock);
      },
    };
    const again = (error: CrawlError): void => {
      this.reports.push(error);
      clock.after(REOPEN_MS, () => this.#crash(name));
    };
    if (name === "sender") {
      const options = { spillBytes: 2000, capacity: 20, segmentBytesMax: 300, pieceBytesMax: 4 };
      openSender(side, "receiver", options, (error, opened) =>
        error === null ? this.#produce(clock, opened) : again(error),
      );
    } else {
      const options = { capacity: 12, markAfterMs: 200, segmentBytesMax: 150 };
      openReceiver(side, options, (error, opened) =>
        error === null ? this.#consume(clock, opened) : again(error),
      );
    }
  }

  /** A life of a side answers as long as it lives; a new one takes its address. */
  #transportOf(name: SideName): InProcessTransport {
    this.#transports.get(name)?.close();
    const transport = new InProcessTransport(this.#hub, name);
    this.#transports.set(name, transport);
    return transport;
  }

  /** Ends a side that has failed as a program does, and begins another life. */
  #restart(name: SideName, clock: Clock): void {
    clock.after(0, () => {
      const connector = name === "sender" ? this.#sender : this.#receiver;
      assert.ok(connector !== null);
      connector.close(() => this.#crash(name));
    });
  }

  #crash(name: SideName): void {
    this.#clocks.get(name)?.die();
    this.disks[name].crash();
    if (name === "sender") this.#sender = null;
    else {
      this.marked.push(this.#receiver?.marked ?? this.marked.at(-1) ?? 0);
      this.#receiver = null;
    }
    this.time.after(1, () => this.#open(name));
  }

  /** Items are the numbers of their places in the stream. */
  #produce(clock: Clock, sender: SendingConnector<number>): void {
    const { offered } = sender;
    assert.ok(offered >= this.#durable, `${this.#durable} were durable, ${offered} are there`);
    this.#sender = sender;
    const inlet = sender.openInlet();
    const go = (): void => {
      const item = sender.offered;
      if (item === ITEMS) return;
      if (inlet.tryOffer([item])) clock.after(3, go);
      else inlet.whenRoom(1, () => void clock.after(1, go));
    };
    go();
  }

  #consume(clock: Clock, receiver: ReceivingConnector<number>): void {
    this.#receiver = receiver;
    const items: number[] = [];
    this.taken.push(items);
    const outlet = receiver.openOutlet("reader");
    const go = (): void => {
      outlet.takeInto(items, 3);
      outlet.whenItems(() => void clock.after(5, go));
    };
    go();
  }
}

function run(fault: Fault): World {
  const world = new World(fault);
  try {
    world.run();
    let next = 0;
    for (const [life, items] of world.taken.entries()) {
      const [first = next] = items;
      assert.ok(first <= next, `life ${life} begins with ${first}, ${next} is the next`);
      assert.ok(first >= (world.marked[life - 1] ?? 0), `life ${life} begins with ${first}`);
      assert.deepEqual(
        items,
        items.map((_, at) => first + at),
      );
      next = Math.max(next, first + items.length);
    }
    assert.equal(next, ITEMS);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`${JSON.stringify(fault)}: ${why}`, { cause: thrown });
  }
  return world;
}

for (const side of ["sender", "receiver"] as const) {
  for (const how of ["broken", "full"] as const) {
    test(`a disk of the ${side} that is ${how} at any call loses nothing`, () => {
      const calm = new World(null);
      calm.run();
      const told = new Set<string>();
      const { calls } = calm.disks[side];
      assert.ok(calls > 50, `${calls} calls`);
      for (let call = side.length % CALLS_PER_RUN; call <= calls; call += CALLS_PER_RUN) {
        for (const lasts of how === "full" ? [true] : [false, true]) {
          const { failures, reports } = run({ side, call, lasts, how });
          assert.ok(failures.length <= 1, "a side tells its end once");
          for (const { code, message } of failures) {
            told.add(code);
            assert.match(message, /^The log connectors\/numbers\/(?:in|out) is broken: /);
          }
          for (const { code, message } of reports) {
            told.add(code);
            if (code === "TOPOLOGY_ITEM_LOST") assert.match(message, /numbers .*its log is broken/);
          }
        }
      }
      const lost = side === "sender" ? ["TOPOLOGY_ITEM_LOST"] : [];
      const expected =
        how === "full" ? ["STORAGE_FULL"] : ["LOG_BROKEN", "STORAGE_FAILED", ...lost];
      assert.deepEqual([...told].sort(), expected);
    });
  }
}
