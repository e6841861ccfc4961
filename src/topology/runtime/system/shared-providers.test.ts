/** One description that is opened several times: what is shared exists once, and until the last ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { isCrawlError } from "../../../base/errors/index.ts";
import { provider, providerRole } from "../../unit/index.ts";
import { System, type Wiring } from "../index.ts";
import { SharedProviders } from "./shared-providers.ts";

const Naming = providerRole<string>("naming");

/** `once` and `base` behind it are shared; each system has its own `each`, which uses `once`. */
class World {
  readonly shared = new SharedProviders();
  /** What was made and closed, in order. */
  readonly journal: string[] = [];
  readonly time = new SimulatedTime();
  failing: string | null = null;
  /** What closing a provider waits for. */
  closing: (name: string) => Promise<void> | void = () => {};
  #made = 0;

  system(shared: SharedProviders | undefined = this.shared): System {
    return new System({
      clock: this.time,
      ...(shared === undefined ? {} : { shared }),
      report: (error) => assert.fail(error),
      failed: (error) => assert.fail(error),
      finished: () => {},
    });
  }

  async opened(): Promise<System> {
    const system = this.system();
    await system.open(this.wiring());
    return system;
  }

  /** Definitions are made anew, as where each lane loads the file by itself. */
  wiring(): Wiring {
    const base = { id: "base", definition: this.#unit("base", false), shared: true };
    const behind = { behind: "base" };
    const once = { id: "once", definition: this.#unit("once"), providers: behind, shared: true };
    const each = { id: "each", definition: this.#unit("each"), providers: { behind: "once" } };
    return { providers: [each, once, base], connectors: [], components: [] };
  }

  #unit(name: string, usesOther = true) {
    return provider({
      name,
      provides: Naming,
      providers: usesOther ? { behind: Naming } : {},
      create: (unit) => {
        if (this.failing === name) throw new Error(`${name} cannot be made`);
        const { behind = "" } = unit.providers as { readonly behind?: string };
        this.#made += 1;
        const service = `${name} ${this.#made}${behind === "" ? "" : ` on ${behind}`}`;
        this.journal.push(service);
        const close = async (): Promise<void> => {
          await this.closing(name);
          this.journal.push(`close ${name}`);
        };
        return { service, close };
      },
    });
  }
}

test("two systems have one instance of a shared provider and two of others", async () => {
  const world = new World();
  const [one, other] = [await world.opened(), await world.opened()];
  const made = ["base 1", "once 2 on base 1", "each 3 on once 2 on base 1"];
  assert.deepEqual(world.journal, [...made, "each 4 on once 2 on base 1"]);
  world.journal.length = 0;
  await one.close();
  assert.deepEqual(world.journal, ["close each"]);
  await other.close();
  assert.deepEqual(world.journal.slice(1), ["close each", "close once", "close base"]);
});

test("systems that are opened at the same time share as well", async () => {
  const world = new World();
  const systems = await Promise.all([world.opened(), world.opened(), world.opened()]);
  assert.equal(world.journal.filter((line) => line.startsWith("once")).length, 1);
  assert.equal(world.journal.filter((line) => line.startsWith("each")).length, 3);
  await Promise.all(systems.map((system) => system.close()));
  assert.deepEqual(world.journal.slice(-2), ["close once", "close base"]);
});

test("a shared provider is made anew only when its predecessor has closed", async () => {
  const world = new World();
  const first = await world.opened();
  const isClosing = Promise.withResolvers<void>();
  const isClosed = Promise.withResolvers<void>();
  world.closing = (name) => {
    if (name !== "base") return;
    isClosing.resolve();
    return isClosed.promise;
  };
  const ended = first.close();
  await isClosing.promise;
  const second = world.opened();
  world.closing = () => {};
  world.journal.push("now");
  isClosed.resolve();
  await ended;
  await (await second).close();
  const bases = world.journal.filter((line) => /^base|close base|now/.test(line));
  assert.deepEqual(bases, ["base 1", "now", "close base", "base 4", "close base"]);
});

test("without a common object each system has its own", async () => {
  const world = new World();
  const systems = [world.system(new SharedProviders()), world.system(new SharedProviders())];
  for (const system of systems) await system.open(world.wiring());
  assert.equal(world.journal.filter((line) => line.startsWith("base")).length, 2);
  for (const system of systems) await system.close();
  assert.equal(world.journal.filter((line) => line === "close base").length, 2);
});

test("a shared provider that could not be made may be made later", async () => {
  const world = new World();
  world.failing = "once";
  await assert.rejects(world.opened(), /once cannot be made/);
  assert.deepEqual(world.journal, ["base 1", "close base"]);
  world.failing = null;
  await (await world.opened()).close();
  assert.equal(world.journal.filter((line) => line === "close once").length, 1);
});

test("a shared provider is exchanged only by its last user", async () => {
  const world = new World();
  const [one, other] = [await world.opened(), await world.opened()];
  const swapped = world.wiring().providers.find(({ id }) => id === "once");
  assert.ok(swapped !== undefined);
  await assert.rejects(one.swapProvider(swapped), (thrown) => {
    assert.ok(isCrawlError(thrown) && thrown.code === "TOPOLOGY_REFUSED");
    assert.match(thrown.message, /once is shared with 1 other/);
    return true;
  });
  await other.close();
  await one.swapProvider(swapped);
  assert.equal(world.journal.at(-1), "close once");
  await one.close();
});

test("a shared provider sees only what is shared", async () => {
  const world = new World();
  const { providers, ...rest } = world.wiring();
  const own = providers.map(({ shared, ...one }) =>
    one.id === "base" ? one : { ...one, ...(shared ? { shared } : {}) },
  );
  const system = world.system();
  await assert.rejects(
    system.open({ ...rest, providers: own }),
    /once is shared and cannot use base/,
  );
});
