/** Remote connectors that are swapped and removed while both sides run: nothing is lost or doubled. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { freeAddress } from "../../../test/support/topology/free-address.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { LocalConnector } from "../connector/index.ts";
import type { RemoteSettings } from "../description/index.ts";
import { codec, itemType } from "../items/index.ts";
import { type ConnectorWiring, System } from "../runtime/index.ts";
import { sink, source } from "../unit/index.ts";
import { RemotePost } from "./remote-post.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-swap-"));
after(() => rmSync(root, { recursive: true }));

const Count = itemType("test/count", codec.count);
const Other = itemType("test/other", codec.count);
const DEFAULTS: RemoteSettings = {
  ...{ to: null, listen: null, capacity: 20, senders: 1, batch: 7, batchSize: 1000 },
  ...{ linger: 1, spill: 1_000_000, timeout: 10_000 },
};

/** One process: a system and its post. */
class Side {
  readonly finished: Promise<void>;
  readonly system: System;
  readonly errors: CrawlError[] = [];
  readonly #post: RemotePost;

  constructor(name: string) {
    const clock = new SystemClock();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.finished = promise;
    const report = (error: CrawlError): void => void this.errors.push(error);
    const storage = new DiskStorage(join(root, name));
    this.#post = new RemotePost({ clock, storage, report, failed: reject });
    this.system = new System({
      ...{ clock, report, failed: reject },
      finished: () => void this.#post.drain().then(resolve),
    });
  }

  remote(settings: Partial<RemoteSettings>, type = Count): ConnectorWiring {
    const given = { ...DEFAULTS, ...settings };
    return { id: "numbers", open: () => this.#post.kind.open(type, given, "numbers") };
  }

  async start(connector: ConnectorWiring, component: ReturnType<typeof numbers | typeof reader>) {
    await this.system.open({ providers: [], connectors: [connector], components: [component] });
    this.system.start();
  }

  async close(): Promise<void> {
    await this.system.close();
    await this.#post.close();
  }
}

function numbers(total: number, each: (number: number) => void = () => undefined) {
  const definition = source({
    name: "numbers-in",
    output: Count,
    create(unit) {
      let next = 0;
      return {
        pull(_countMax, emit) {
          if (next === total) unit.finish();
          else emit(next);
          each(next);
          next += 1;
          return next <= total;
        },
      };
    },
  });
  return { id: "numbers-in", definition, outputs: { output: "numbers" } };
}

function reader(into: number[], each: (taken: number) => void = () => undefined) {
  const definition = sink({
    name: "reader",
    input: Count,
    create: () => (number) => {
      into.push(number);
      each(into.length);
    },
  });
  return { id: "reader", definition, inputs: { input: "numbers" } };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test("both sides are swapped again and again while items flow", async () => {
  const address = await freeAddress();
  const [sender, receiver] = [new Side("flow-sender"), new Side("flow-receiver")];
  const taken: number[] = [];
  const changes: Promise<void>[] = [];
  const swapAt = (count: number): void => {
    if (count % 500 !== 250) return;
    const capacity = 10 + Math.floor((count % 700) / 10);
    const batch = 1 + Math.floor((count % 900) / 50);
    changes.push(sender.system.swapConnector(sender.remote({ to: address, capacity, batch })));
    changes.push(receiver.system.swapConnector(receiver.remote({ listen: address, capacity })));
  };
  await receiver.start(receiver.remote({ listen: address }), reader(taken, swapAt));
  await sender.start(sender.remote({ to: address }), numbers(2500));
  await Promise.all([sender.finished, receiver.finished]);
  await Promise.all(changes);
  assert.deepEqual(taken, upTo(2500));
  assert.equal(changes.length, 10);
  for (const side of [sender, receiver]) await side.close();
});

test("the receiver moves to another address, and the sender follows it", async () => {
  const [before, later] = [await freeAddress(), await freeAddress()];
  const [sender, receiver] = [new Side("move-sender"), new Side("move-receiver")];
  const taken: number[] = [];
  const changes: Promise<void>[] = [];
  const move = (count: number): void => {
    if (count !== 700) return;
    changes.push(receiver.system.swapConnector(receiver.remote({ listen: later })));
    changes.push(sender.system.swapConnector(sender.remote({ to: later })));
  };
  await receiver.start(receiver.remote({ listen: before }), reader(taken, move));
  await sender.start(sender.remote({ to: before }), numbers(1200));
  await Promise.all([sender.finished, receiver.finished]);
  await Promise.all(changes);
  assert.deepEqual(taken, upTo(1200));
  // Nobody listens at the old address any more.
  const third = new Side("move-third");
  await third.start(third.remote({ listen: before }), reader([]));
  for (const side of [sender, receiver, third]) await side.close();
});

test("what one receiver has not acknowledged goes to the next, and nothing that it has", async () => {
  const addresses = [await freeAddress(), await freeAddress()];
  const sender = new Side("two-sender");
  const receivers = [new Side("two-first"), new Side("two-second")];
  const taken: number[][] = [[], []];
  const { promise: hasSome, resolve } = Promise.withResolvers<void>();
  const [first, second] = receivers;
  assert.ok(first !== undefined && second !== undefined);
  await first.start(
    first.remote({ listen: addresses[0] ?? "" }),
    reader(taken[0] ?? [], (count) => count === 300 && resolve()),
  );
  const pauseAt = (number: number): void => {
    if (number === 350) void sender.system.suspend("numbers-in");
  };
  await sender.start(sender.remote({ to: addresses[0] ?? "" }), numbers(1000, pauseAt));
  await hasSome;
  // Everything that was sent is acknowledged, so nothing is in doubt.
  while (sender.system.connectors()[0]?.length !== 0) {
    await new Promise((done) => setImmediate(done));
  }
  await sender.system.swapConnector(sender.remote({ to: addresses[1] ?? "" }));
  await second.start(second.remote({ listen: addresses[1] ?? "" }), reader(taken[1] ?? []));
  sender.system.resume("numbers-in");
  await Promise.all([sender.finished, second.finished]);
  assert.deepEqual(taken.flat(), upTo(1000));
  for (const side of [sender, ...receivers]) await side.close();
});

test("a swap that fails leaves the connector as it was", async () => {
  const [address, taken] = [await freeAddress(), [] as number[]];
  const [sender, receiver] = [new Side("fail-sender"), new Side("fail-receiver")];
  const { promise: hasSome, resolve } = Promise.withResolvers<void>();
  await receiver.start(
    receiver.remote({ listen: address }),
    reader(taken, (count) => count === 10 && resolve()),
  );
  await sender.start(sender.remote({ to: address }), numbers(1000));
  await hasSome;
  const local = { id: "numbers", open: () => new LocalConnector(Count, { capacity: 5 }) };
  const refused = (side: Side, wiring: ConnectorWiring, code: string, message: RegExp) =>
    assert.rejects(side.system.swapConnector(wiring), { code, message });
  await refused(sender, local, "TOPOLOGY_REFUSED", /only a connector that sends opens/);
  await refused(receiver, local, "TOPOLOGY_REFUSED", /only a connector that receives opens/);
  await refused(sender, sender.remote({ to: address }, Other), "TOPOLOGY_REFUSED", /carries/);
  const taken1 = receiver.remote({ listen: "192.0.2.1:1" });
  await refused(receiver, taken1, "TRANSPORT_LISTEN_FAILED", /Cannot listen/);
  await Promise.all([sender.finished, receiver.finished]);
  assert.deepEqual(taken, upTo(1000));
  for (const side of [sender, receiver]) await side.close();
});

test("a local connector is followed by one that sends, which takes its items and its end", async () => {
  const [address, taken] = [await freeAddress(), [] as number[]];
  const [sender, receiver] = [new Side("local-sender"), new Side("local-receiver")];
  const local = { id: "numbers", open: () => new LocalConnector(Count, { capacity: 50 }) };
  await sender.start(local, numbers(40));
  await sender.finished;
  const receives = sender.remote({ listen: address });
  await assert.rejects(sender.system.swapConnector(receives), { code: "TOPOLOGY_REFUSED" });
  await sender.system.swapConnector(sender.remote({ to: address }));
  await receiver.start(receiver.remote({ listen: address }), reader(taken));
  await receiver.finished;
  assert.deepEqual(taken, upTo(40));
  for (const side of [sender, receiver]) await side.close();
});

test("a connector that is removed has no file and no address open, and its id can be used again", async () => {
  const address = await freeAddress();
  const side = new Side("removed");
  for (let round = 0; round < 3; round += 1) {
    await side.system.add({
      ...{ providers: [], connectors: [side.remote({ listen: address })] },
      components: [reader([])],
    });
    assert.ok(openFilesOf("removed").length > 0, "its log is open");
    await side.system.remove("reader");
    await side.system.remove("numbers");
    assert.deepEqual(openFilesOf("removed"), []);
    const other = new Side(`removed-other-${round}`);
    await other.start(other.remote({ listen: address }), reader([]));
    await other.close();
  }
  await side.close();
});

test("a connector that could not be added is closed again", async () => {
  const [address, side] = [await freeAddress(), new Side("not-added")];
  const component = reader([]);
  const failing = {
    ...component,
    definition: {
      ...component.definition,
      create: () => {
        throw new Error("planted");
      },
    },
  };
  const wiring = { providers: [], connectors: [side.remote({ listen: address })] };
  await assert.rejects(side.system.add({ ...wiring, components: [failing] }), /planted/);
  assert.deepEqual(openFilesOf("not-added"), []);
  await side.system.add({ ...wiring, components: [component] });
  await side.close();
});

/** What this process has open below a folder of the test. */
function openFilesOf(name: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(`${join(root, name)}/`) ? [path] : [];
    } catch {
      // The one that lists them is gone.
      return [];
    }
  });
}

test("a connector that is open is not opened again, and can be when it has been removed", async () => {
  const side = new Side("twice");
  const wiring = side.remote({ to: await freeAddress() });
  const first = await wiring.open();
  await assert.rejects(async () => await wiring.open(), {
    ...{ code: "TOPOLOGY_REFUSED", message: /remote connector numbers is open already/ },
  });
  await first.retire?.(false);
  await wiring.open();
  await side.close();
});
