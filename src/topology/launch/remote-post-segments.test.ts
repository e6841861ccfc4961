/** Logs of remote connectors that have grown beyond their segments. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { freeAddress } from "../../../test/support/topology/free-address.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import type { RemoteSettings } from "../description/index.ts";
import { codec, itemType } from "../items/index.ts";
import { type ComponentWiring, System } from "../runtime/index.ts";
import { sink, source } from "../unit/index.ts";
import { RemotePost } from "./remote-post.ts";

const MIB = 1024 * 1024;
const Page = itemType("test/page", codec.struct({ number: codec.count, body: codec.bytes }));
const SETTINGS: RemoteSettings = {
  ...{ to: null, listen: null, capacity: 4, senders: 1, batch: 100, batchSize: 65_536 },
  ...{ linger: 1, spill: 24 * MIB, timeout: 10_000 },
};
const AT_ONCE = { callMsMin: 0, callMsMax: 0, syncMsMin: 0, syncMsMax: 0 };

/** A process with its disk, which outlives it. */
async function run(disk: SimDisk, given: Partial<RemoteSettings>, component: ComponentWiring) {
  const clock = new SystemClock();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // That the other side is not there yet may be told.
  const report = (): void => undefined;
  const post = new RemotePost({ clock, storage: disk.mount(clock), report, failed: reject });
  const finished = (): void => void post.drain().then(resolve);
  const system = new System({ clock, report, failed: reject, finished });
  const open = () => post.kind.open(Page, { ...SETTINGS, ...given }, "pages");
  await system.open({
    providers: [],
    connectors: [{ id: "pages", open }],
    components: [component],
  });
  system.start();
  await promise;
  await system.close();
  await post.close();
}

function pages(from: number, to: number, bytes: number): ComponentWiring {
  const definition = source({
    name: "pages-in",
    output: Page,
    create(unit) {
      let number = from;
      return {
        pull(_countMax, emit) {
          if (number === to) unit.finish();
          else emit({ number, body: new Uint8Array(bytes).fill(number) });
          number += 1;
          return number <= to;
        },
      };
    },
  });
  return { id: "pages-in", definition, outputs: { output: "pages" } };
}

function reader(numbers: number[]): ComponentWiring {
  const definition = sink({
    name: "reader",
    input: Page,
    create:
      () =>
      ({ number, body }) => {
        assert.deepEqual([body[0], body.at(-1)], [number, number]);
        numbers.push(number);
      },
  });
  return { id: "reader", definition, inputs: { input: "pages" } };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

test("segments of 16 MiB are removed when they are not needed, and the next lives go on", async () => {
  const address = await freeAddress();
  const disks = {
    out: new SimDisk(new SeededRandom("out")),
    in: new SimDisk(new SeededRandom("in")),
  };
  for (const disk of Object.values(disks)) disk.speed = { ...disk.speed, ...AT_ONCE };
  const sent = async (from: number, to: number, bytes: number): Promise<number[]> => {
    const numbers: number[] = [];
    await Promise.all([
      run(disks.out, { to: address }, pages(from, to, bytes)),
      run(disks.in, { listen: address }, reader(numbers)),
    ]);
    return numbers;
  };
  assert.deepEqual(await sent(0, 28, 2 * MIB), range(0, 28));
  for (const [log, disk] of Object.entries(disks)) {
    const names = disk.fileNames().filter((name) => name.endsWith(".log"));
    const bytes = names.reduce((sum, name) => sum + (disk.contentOf(name)?.length ?? 0), 0);
    assert.ok(!names.includes(`connectors/pages/${log}.log`), `the first is gone: ${names}`);
    assert.ok(bytes < 45 * MIB, `${bytes} bytes are left of 56 MiB in ${names}`);
  }
  assert.deepEqual(await sent(28, 40, 100), range(28, 40));
  assert.deepEqual(await sent(40, 41, 100), [40]);
});
