/** The side with the producers, while nobody receives and afterwards. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { openReceiver, openSender, type Side } from "../../../test/support/topology/remote-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Done } from "../../base/seams/index.ts";
import { InProcessHub, InProcessTransport } from "../../base/transport/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import type { ReceivingConnector, SendingConnector } from "./index.ts";

const LINGER_MS = 1000;

class Bench {
  readonly time: SimulatedTime = new SimulatedTime();
  sender: SendingConnector<number>;
  readonly #options: Parameters<typeof openSender>[2];
  /** What outlives a process. */
  readonly #disks = new Map<string, SimDisk>();
  readonly #transports = new Map<string, InProcessTransport>();
  readonly #hub = new InProcessHub(this.time);

  constructor(options: Parameters<typeof openSender>[2]) {
    this.#options = options;
    this.sender = this.#openSender();
  }

  /** All producers are done, and the process comes to its end. */
  endSender(): void {
    this.sender.openInlet().close();
    this.#opened<undefined>((done) => this.sender.close((error) => done(error as null, undefined)));
  }

  startSender(): void {
    this.sender = this.#openSender();
  }

  receiver(): ReceivingConnector<number> {
    return this.#opened((done) => openReceiver(this.#side("receiver"), { capacity: 1000 }, done));
  }

  /** Offers numbers one by one, until one is refused or there are enough; gives how many were taken. */
  offer(countMax: number): number {
    const inlet = this.sender.openInlet();
    for (let count = 0; count < countMax; count += 1) {
      if (!inlet.tryOffer([count])) return count;
      this.pass(50);
    }
    return countMax;
  }

  pass(ms: number): void {
    let isOver = false;
    this.time.after(ms, () => {
      isOver = true;
    });
    while (!isOver) this.time.step();
  }

  #openSender(): SendingConnector<number> {
    return this.#opened((done) =>
      openSender(this.#side("sender"), "receiver", this.#options, done),
    );
  }

  #side(name: string): Side {
    const disk = this.#disks.get(name) ?? new SimDisk(new SeededRandom(name));
    this.#disks.set(name, disk);
    const transport = this.#transports.get(name) ?? new InProcessTransport(this.#hub, name);
    this.#transports.set(name, transport);
    return {
      ...{ clock: this.time, random: new SeededRandom(name), report: () => undefined },
      storage: disk.mount(this.time),
      transport,
    };
  }

  #opened<Value>(open: (done: Done<Value>) => void): Value {
    const answers: Parameters<Done<Value>>[] = [];
    open((...given) => void answers.push(given));
    while (answers.length === 0) assert.ok(this.time.step());
    const [error, value] = answers[0] ?? assert.fail();
    if (error !== null) throw error;
    return value;
  }
}

test("producers are held up when as much waits on disk as may, and go on when it has arrived", () => {
  const bench = new Bench({ spillBytes: 500, batchItems: 1 });
  const taken = bench.offer(1000);
  assert.ok(taken > 3 && taken < 100, `${taken} items`);
  const { waitingBytes } = bench.sender;
  assert.ok(waitingBytes > 500 && waitingBytes < 600, `${waitingBytes} bytes wait`);
  let isTold = false;
  bench.sender.openInlet().whenRoom(1, () => {
    isTold = true;
  });
  bench.pass(1000);
  assert.equal(isTold, false);
  const receiver = bench.receiver();
  bench.pass(5000);
  assert.deepEqual([isTold, receiver.length, bench.sender.length], [true, taken, 0]);
});

test("a batch that is not full is sent when it has waited long enough, and not before", () => {
  const bench = new Bench({ lingerMs: LINGER_MS, batchItems: 100 });
  const receiver = bench.receiver();
  bench.sender.openInlet().tryOffer([1, 2]);
  bench.pass(LINGER_MS - 100);
  assert.deepEqual([bench.sender.durable, receiver.length], [0, 0]);
  bench.pass(1000);
  assert.deepEqual([bench.sender.durable, receiver.length], [2, 2]);
  bench.sender.openInlet().tryOffer([3]);
  let isSettled = false;
  bench.sender.whenSettled(() => {
    isSettled = true;
  });
  bench.pass(LINGER_MS - 100);
  assert.deepEqual([isSettled, receiver.length], [true, 3], "who waits for all waits not so long");
});

test("a life that sends nothing does not repeat an end of which the receiver has not heard", () => {
  const bench = new Bench({ batchItems: 1 });
  const inlet = bench.sender.openInlet();
  inlet.tryOffer([1]);
  inlet.leave();
  bench.endSender();
  bench.startSender();
  const before = bench.sender.waitingBytes;
  bench.endSender();
  bench.startSender();
  assert.equal(bench.sender.waitingBytes, before, "nothing was added");
  const receiver = bench.receiver();
  bench.pass(5000);
  assert.deepEqual([receiver.isClosed, receiver.length, bench.sender.length], [true, 1, 0]);
  bench.endSender();
  bench.startSender();
  const known = bench.sender.waitingBytes;
  bench.endSender();
  bench.startSender();
  assert.ok(bench.sender.waitingBytes > known, "the end of a further life is said");
});
