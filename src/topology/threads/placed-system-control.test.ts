/** Requests to a topology on several threads, each made under load: no item is lost, none comes twice. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { importFrom } from "../../rules/filter/index.ts";
import { type Answer, Control } from "../control/index.ts";
import { type ConnectorKind, type Library, libraryOf } from "../description/index.ts";
import { closeAll, type Run, started } from "./placed-rig.fixture.ts";
import { collected, untilCollected } from "./placed-units.fixture.ts";

afterEach(closeAll);

const USE = "use: [./placed-units.fixture.ts]";
const RUNNING = `
${USE}
providers:
  where: { unit: where }
  here: { unit: where }
connectors:
  raw: { type: test/page, capacity: 30 }
  pages: { type: test/page, capacity: 50 }
  inner: { type: test/page, capacity: 50 }
  links: { type: test/link, capacity: 40 }
components:
  crawl: { unit: pages, settings: { total: 1G }, output: raw }
  relay: { unit: relay, input: raw, output: pages }
  inner-relay: { unit: relay, thread: parsing, input: pages, output: inner }
  parser: { unit: parser, thread: parsing, input: inner, output: links, providers: { where: where } }
  collector: { unit: collector, input: links, providers: { where: here } }
`;
const MORE = `${USE}
components:
  more: { unit: collector, input: links, providers: { where: here } }
`;

type Request = Readonly<Record<string, unknown>>;

class Load {
  readonly #run: Run;
  readonly #control: Control;

  constructor(run: Run, library: Library = libraryOf([])) {
    this.#run = run;
    const importUnits = importFrom(import.meta.dirname);
    this.#control = new Control({ system: run.system, library, importUnits });
  }

  /** While items flow; the request and its answer are JSON. */
  async ask(request: Request): Promise<Answer> {
    await this.flow();
    const answer = await this.#control.answer(JSON.parse(JSON.stringify(request)));
    return JSON.parse(JSON.stringify(answer));
  }

  /** Resolves when further items have arrived. */
  async flow(): Promise<void> {
    const before = collected.length;
    await untilCollected(() => collected.length > before + 100);
  }

  async check(): Promise<void> {
    await this.flow();
    assert.equal(await this.#run.system.drain(), 0);
    const units = await this.#run.system.units();
    const emitted = Number(units.find(({ id }) => id === "crawl")?.metrics["emitted"]);
    const paths = new Set(collected.map(({ to }) => to.replace(/^\w+:\/\/\w+/, "")));
    assert.equal(collected.length, 2 * emitted);
    assert.equal(paths.size, 2 * emitted);
    for (let page = 0; page < emitted; page += 1) assert.ok(paths.has(`/${page}/a`));
    assert.deepEqual(this.#run.errors, []);
  }
}

const OPERATIONS: Readonly<Record<string, readonly Request[]>> = {
  "looking at everything": [{ do: "list" }, { do: "settings", id: "parser" }],
  "a live setting elsewhere": [{ do: "change", id: "parser", values: { host: "two" } }],
  "a setting elsewhere that is not live": [
    { do: "change", id: "parser", values: { scheme: "https" } },
  ],
  "instances elsewhere": [3, 1, 2].map((count) => ({ do: "instances", id: "parser", count })),
  "instances here": [4, 1].map((count) => ({ do: "instances", id: "relay", count })),
  "a provider here": [{ do: "swap", topology: `${USE}\nproviders: { here: { unit: where } }` }],
  "a connector here": [1, 500].map((capacity) => ({
    ...{ do: "swap" },
    topology: `${USE}\nconnectors: { raw: { type: test/page, capacity: ${capacity} } }`,
  })),
  "a connector to another thread": [1, 500, 3].map((capacity) => ({
    ...{ do: "swap" },
    topology: `${USE}\nconnectors: { pages: { type: test/page, capacity: ${capacity} } }`,
  })),
  "a connector from another thread": [2, 900].map((capacity) => ({
    ...{ do: "swap" },
    topology: `${USE}\nconnectors: { links: { type: test/link, capacity: ${capacity} } }`,
  })),
  "a connector between threads by one of another kind": ["priority", "local"].map((kind) => ({
    ...{ do: "swap" },
    topology: `${USE}\nconnectors: { links: { type: test/link, kind: ${kind}, capacity: 70 } }`,
  })),
  "a connector on another thread": [1, 80].map((capacity) => ({
    ...{ do: "swap" },
    topology: `${USE}\nconnectors: { inner: { type: test/page, capacity: ${capacity} } }`,
  })),
  "a unit that is added, and taken out": [
    { do: "add", topology: MORE },
    { do: "suspend", id: "more" },
    { do: "resume", id: "more" },
    { do: "remove", id: "more" },
  ],
};

for (const [name, requests] of Object.entries(OPERATIONS)) {
  test(`${name}: nothing is lost or doubled, whatever the thread`, async () => {
    const load = new Load(await started(RUNNING));
    for (const request of requests) {
      const answer = await load.ask(request);
      assert.ok(answer.ok, JSON.stringify(answer));
      const capacity = /capacity: (\d+)/.exec(String(request["topology"]))?.[1];
      if (capacity !== undefined) assert.equal(answer.connectors?.[0]?.capacity, Number(capacity));
    }
    await load.check();
  });
}

for (const id of ["relay", "inner-relay", "parser", "collector"]) {
  test(`suspending and resuming ${id}: nothing is lost or doubled`, async () => {
    const run = await started(RUNNING);
    const load = new Load(run);
    const suspended = await load.ask({ do: "suspend", id });
    assert.ok(suspended.ok && suspended.units?.[0]?.state === "suspended");
    assert.equal(suspended.units[0]?.inFlight, 0);
    await run.system.resume(id);
    await load.check();
  });
}

test("changes that a thread cannot make are refused, and change nothing on any", async () => {
  // A kind that other threads do not know, since no module of the topology exports it.
  const kind = { ...libraryOf([]).connectorKinds.get("local"), name: "mine" } as ConnectorKind;
  const load = new Load(await started(RUNNING), libraryOf([], [kind]));
  const swap = (what: string) => ({ do: "swap", topology: `${USE}\n${what}` });
  const refusals: readonly [Request, RegExp][] = [
    [
      swap("connectors: { pages: { type: test/link } }"),
      /pages carries test\/page, not test\/link/,
    ],
    [swap("connectors: { links: { type: test/link, kind: tee } }"), /both be tees, or neither/],
    [
      swap('connectors: { pages: { type: test/page, kind: remote, to: "127.0.0.1:1" } }'),
      /pages joins threads, which a remote connector cannot/,
    ],
    [
      swap("connectors: { links: { type: test/link, kind: mine, capacity: 7 } }"),
      /mine is not a known kind of connector on another thread/,
    ],
    [
      swap("providers: { where: { unit: where } }"),
      /where is not a provider that runs|on the thread parsing/,
    ],
    [{ do: "add", topology: MORE.replace("more:", "parser:") }, /parser is the id of something/],
    [{ do: "add", topology: MORE.replace("input: links", "input: inner") }, /inner/],
    [
      { do: "add", topology: MORE.replace("input:", "thread: other, input:") },
      /more is to be on a thread of its own/,
    ],
    [{ do: "suspend", id: "nobody" }, /there is no component nobody/],
  ];
  for (const [request, why] of refusals) {
    const answer = await load.ask(request);
    assert.ok(!answer.ok, JSON.stringify(request));
    assert.match(answer.message, why);
  }
  const list = await load.ask({ do: "list" });
  const capacities = list.ok ? list.connectors?.map(({ id, capacity }) => [id, capacity]) : null;
  assert.deepEqual(Object.fromEntries(capacities ?? []), {
    ...{ raw: 30, pages: 50, inner: 50, links: 40 },
  });
  await load.check();
});

test("a part of the topology on another thread can be taken out", async () => {
  const run = await started(RUNNING);
  const load = new Load(run);
  const answer = await load.ask({ do: "remove", id: "parser" });
  assert.ok(answer.ok, JSON.stringify(answer));
  assert.ok((await run.system.units()).every(({ id }) => id !== "parser"));
  await assert.rejects(run.system.suspend("parser"), { code: "TOPOLOGY_REFUSED" });
});
