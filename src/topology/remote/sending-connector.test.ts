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
  readonly sender: SendingConnector<number>;
  readonly #hub = new InProcessHub(this.time);

  constructor(options: Parameters<typeof openSender>[2]) {
    this.sender = this.#opened((done) =>
      openSender(this.#side("sender"), "receiver", options, done),
    );
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

  #side(name: string): Side {
    return {
      ...{ clock: this.time, random: new SeededRandom(name), report: () => undefined },
      storage: new SimDisk(new SeededRandom(name)).mount(this.time),
      transport: new InProcessTransport(this.#hub, name),
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
