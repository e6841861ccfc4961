import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, test } from "node:test";
import { freeAddress } from "../../../test/support/topology/free-address.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { codec, itemType } from "../items/index.ts";
import { sink, source } from "../unit/index.ts";
import { type RunningTopology, runTopology, startTopology, type TopologyOptions } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-post-"));
after(() => rmSync(folder, { recursive: true }));

const started: RunningTopology[] = [];
// A test that fails leaves nothing behind that would keep the process alive.
afterEach(async () => {
  for (const one of started.splice(0)) await one.close().catch(() => undefined);
});

async function start(path: string, options: TopologyOptions): Promise<RunningTopology> {
  const one = await startTopology(path, options);
  started.push(one);
  return one;
}

/** Larger than one message, some of them. */
const Page = itemType("test/page", codec.struct({ number: codec.count, body: codec.bytes }));
const LONG_BYTES = 3_000_000;

const pages = (total: number) =>
  source({
    name: "pages",
    output: Page,
    create(unit) {
      let number = 0;
      return {
        pull(_countMax, emit) {
          if (number === total) unit.finish();
          else
            emit({
              number,
              body: new Uint8Array(number % 10 === 3 ? LONG_BYTES : 20).fill(number),
            });
          number += 1;
          return number <= total;
        },
      };
    },
  });

const reader = (numbers: number[]) =>
  sink({
    name: "reader",
    input: Page,
    create:
      () =>
      ({ number, body }) => {
        assert.ok(body.every((byte) => byte === number % 256));
        numbers.push(number);
      },
  });

const other = sink({
  name: "other",
  input: itemType("test/other", codec.count),
  create: () => () => {},
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const sending = (address: string): string =>
  file(
    "sending.yaml",
    `connectors: { pages: { type: test/page, kind: remote, to: "${address}", capacity: 50 } }
components: { pages-in: { unit: pages, output: pages } }`,
  );

const receiving = (address: string): string =>
  file(
    "receiving.yaml",
    `connectors: { pages: { type: test/page, kind: remote, listen: "${address}", capacity: 20 } }
components: { reader: { unit: reader, input: pages } }`,
  );

test("two topologies are joined by a remote connector, and both come to their end, again and again", async () => {
  const address = await freeAddress();
  for (let run = 0; run < 2; run += 1) {
    const numbers: number[] = [];
    await Promise.all([
      runTopology(sending(address), { units: [pages(120)] }),
      runTopology(receiving(address), { units: [reader(numbers)] }),
    ]);
    assert.deepEqual(
      numbers,
      Array.from({ length: 120 }, (_, at) => at),
    );
  }
});

test("what was offered waits on disk until the other side is there", async () => {
  const address = await freeAddress();
  const directory = join(folder, "kept");
  const { system, close } = await start(sending(address), {
    directory,
    units: [pages(30)],
  });
  const hasAll = async (): Promise<boolean> => (await system.connectors())[0]?.length === 30;
  while (!(await hasAll())) await new Promise((resolve) => setImmediate(resolve));
  await close();
  const numbers: number[] = [];
  await Promise.all([
    // It has nothing to say any more.
    runTopology(sending(address), { directory, units: [pages(0)] }),
    runTopology(receiving(address), {
      ...{ units: [reader(numbers)], directory: join(folder, "reads") },
    }),
  ]);
  assert.deepEqual(
    numbers,
    Array.from({ length: 30 }, (_, at) => at),
  );
});

test("a consumer in another process hears of an early end, unless another run is to follow", async () => {
  const address = await freeAddress();
  const numbers: number[] = [];
  const options = (name: string) => ({ directory: join(folder, name), report: () => undefined });
  const receiver = await start(receiving(address), {
    ...options("hears"),
    units: [reader(numbers)],
  });
  const endless = source({
    ...{ name: "pages", output: Page },
    create: () => {
      let isDone = false;
      return {
        pull(_countMax, emit) {
          if (!isDone)
            emit({ number: numbers.length, body: new Uint8Array(1).fill(numbers.length) });
          isDone = true;
          return false;
        },
      };
    },
  });
  for (const ending of ["paused", "over"] as const) {
    const before = numbers.length;
    const sender = await start(sending(address), { ...options("says"), units: [endless] });
    while (numbers.length === before) await new Promise((resolve) => setImmediate(resolve));
    await sender.close(ending);
    const [state] = (await receiver.system.units()).map((one) => one.state);
    if (ending === "paused") assert.equal(state, "running");
  }
  await receiver.ended;
  assert.deepEqual(numbers, [0, 1]);
});

test("sides that carry different types are told so", async () => {
  const address = await freeAddress();
  const errors: CrawlError[] = [];
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const report = (error: CrawlError): void => {
    errors.push(error);
    if (new Set(errors.map(({ code }) => code)).size === 2) resolve();
  };
  const wrong = file(
    "wrong.yaml",
    `connectors: { pages: { type: test/other, kind: remote, listen: "${address}" } }
components: { other: { unit: other, input: pages } }`,
  );
  const sides = [
    await start(sending(address), {
      ...{ units: [pages(5)], report, directory: join(folder, "one") },
    }),
    await start(wrong, { units: [other], report, directory: join(folder, "two") }),
  ];
  await told;
  for (const { close } of sides) await close();
  assert.match(
    errors.map(({ message }) => message).join(),
    /carries test\/other here, not test\/page/,
  );
});

test("the ends of a remote connector are checked before anything starts", async () => {
  const connector = (settings: string): string =>
    `connectors: { pages: { type: test/page, kind: remote, ${settings} } }\n`;
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      `${connector("capacity: 5")}components: { p: { unit: pages, output: pages } }`,
      /needs either `to` or `listen`/,
    ],
    [
      `${connector('to: "127.0.0.1:1"')}components: { r: { unit: reader, input: pages } }`,
      /no component of this process can take items out of it/,
    ],
    [
      `${connector('listen: "127.0.0.1:1"')}components: { p: { unit: pages, output: pages } }`,
      /no component of this process can put items into it/,
    ],
    [
      `${connector("to: nowhere")}components: { p: { unit: pages, output: pages } }`,
      /"nowhere" is not host:port/,
    ],
  ];
  for (const [text, message] of cases) {
    const units = [pages(1), reader([])];
    await assert.rejects(runTopology(file("bad.yaml", text), { units }), {
      ...{ code: "TOPOLOGY_INVALID", message },
    });
  }
});

test("an address that is taken is an error before anything runs", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await assert.rejects(
    runTopology(receiving(`127.0.0.1:${port}`), {
      ...{ units: [reader([])], directory: join(folder, "taken") },
    }),
    { code: "TRANSPORT_LISTEN_FAILED" },
  );
  server.close();
});

test("the folder of remote connectors is for one process, until that has ended", async () => {
  const address = await freeAddress();
  const options = { directory: join(folder, "locked"), units: [pages(0), reader([])] };
  const first = await start(receiving(address), options);
  const refusal = { code: "DIRECTORY_IN_USE", message: /folder of remote connectors .* is in use/ };
  await assert.rejects(start(sending(await freeAddress()), options), refusal);
  await first.close();
  const second = await start(receiving(address), options);
  await second.close();
});

test("a topology without remote connectors makes no folder", async () => {
  const path = file(
    "local.yaml",
    `connectors: { pages: { type: test/page } }
components: { a: { unit: pages, output: pages }, b: { unit: reader, input: pages } }`,
  );
  await runTopology(path, { units: [pages(1), reader([])] });
  assert.ok(!existsSync(`${path}.connectors`));
});
