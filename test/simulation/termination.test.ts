/**
 * T1 with agents that give each other tasks, crash, and lose, double and delay messages: whenever one of
 * them says that the end has come, no task is left anywhere; and the end does come.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { type MessageType, messageType } from "../../src/cluster/messages/index.ts";
import { Termination } from "../../src/cluster/termination/index.ts";
import { codec } from "../../src/topology/items/index.ts";
import { type Peer, Peers } from "../support/cluster/peers.ts";

interface Task {
  readonly name: string;
  /** How many tasks it may still lead to. */
  readonly budget: number;
}

const TASK: MessageType<Task> = messageType(
  "task",
  codec.struct<Task>({ name: codec.text, budget: codec.count }),
);

/** What survives a crash: tasks to do here, tasks to be given away, and those that were ever here. */
class Desk {
  readonly todo = new Map<string, Task>();
  readonly away = new Map<string, { readonly task: Task; readonly to: string }>();
  readonly known = new Set<string>();

  get isEmpty(): boolean {
    return this.todo.size === 0 && this.away.size === 0;
  }
}

/** One life of an agent that does tasks. */
class Worker {
  readonly termination: Termination;
  readonly #peer: Peer;
  readonly #desk: Desk;
  readonly #trial: Trial;
  #changes = 0;

  constructor(trial: Trial, peer: Peer, desk: Desk) {
    this.#trial = trial;
    this.#peer = peer;
    this.#desk = desk;
    const { messenger, view, life } = peer;
    const worker = this;
    messenger.serve(TASK, (_from, task, respond) => {
      this.take(task);
      respond(null);
    });
    this.termination = new Termination({
      ...{ clock: life.clock, messenger, view, settings: { intervalMs: 200, timeoutMs: 150 } },
      work: {
        get isIdle() {
          return desk.isEmpty;
        },
        get changes() {
          return worker.#changes;
        },
      },
      listener: {
        finished: () => trial.judge(peer.id),
        concluded: () => undefined,
        resumed: () => undefined,
      },
    });
    view.changed = () => this.termination.changed();
    this.termination.start();
    for (const task of desk.todo.values()) this.#work(task);
    for (const name of desk.away.keys()) this.#give(name);
  }

  take(task: Task): void {
    if (this.#desk.known.has(task.name)) return;
    this.#desk.known.add(task.name);
    this.#desk.todo.set(task.name, task);
    this.#changed();
    this.#work(task);
  }

  #work(task: Task): void {
    const { life } = this.#peer;
    life.clock.after(life.random.below(60), () => {
      this.#desk.todo.delete(task.name);
      const count = task.budget === 0 ? 0 : 1 + life.random.below(2);
      for (let child = 0; child < count; child += 1) {
        const name = `${task.name}.${child}`;
        const to = this.#trial.ids[life.random.below(this.#trial.ids.length)] as string;
        const made = { name, budget: Math.floor((task.budget - 1) / count) };
        if (to === this.#peer.id) this.take(made);
        else {
          this.#desk.away.set(name, { task: made, to });
          this.#give(name);
        }
      }
      this.#changed();
    });
  }

  #give(name: string): void {
    const { messenger, life, view } = this.#peer;
    const { task, to } = this.#desk.away.get(name) ?? {};
    const place = view.placeOf(to ?? "");
    if (task === undefined || place === null) return;
    messenger.ask(place, TASK, { body: task, timeoutMs: 100 }, (replied) => {
      if (replied.kind === "reply") this.#desk.away.delete(name);
      else life.clock.after(50, () => this.#give(name));
    });
  }

  #changed(): void {
    this.#changes += 1;
    this.termination.changed();
  }
}

class Trial {
  readonly ids: readonly string[];
  readonly peers: Peers<Worker>;
  readonly #desks = new Map<string, Desk>();
  ends = 0;

  constructor(seed: string, random: Random) {
    this.ids = ["a", "b", "c", "d", "e"].slice(0, 2 + random.below(4));
    for (const id of this.ids) this.#desks.set(id, new Desk());
    this.peers = new Peers({
      ...{ seed, ids: this.ids, beatMs: 300 },
      conditions: {
        ...{ lossRatio: 0.05, duplicateRatio: 0.05, reorderRatio: 0.5 },
        ...{ lateRatio: 0.05, lateMsMax: 1500 },
      },
      boot: (peer) => new Worker(this, peer, this.#desks.get(peer.id) as Desk),
    });
  }

  judge(by: string): void {
    for (const [id, desk] of this.#desks) {
      assert.ok(desk.isEmpty, `${by} says that the end has come, and ${id} has tasks`);
    }
    this.ends += 1;
  }

  get tasks(): number {
    return [...this.#desks.values()].reduce((sum, { known }) => sum + known.size, 0);
  }

  /** An accepted seed: everybody has heard of it, one has it to do. */
  seed(name: string, id: string): void {
    for (const view of this.peers.views) view.seeds += name;
    this.peers.program(id).take({ name, budget: 12 });
    for (const view of this.peers.views) view.changed();
  }

  crash(id: string, downMs: number): void {
    const { cluster, kernel } = this.peers;
    cluster.takeDown(id);
    kernel.schedule(downMs / 2, () => this.peers.set(id, "dead"));
    kernel.schedule(downMs, () => {
      cluster.node(id).start();
      this.peers.set(id, "alive");
    });
  }
}

function tryTermination(seed: string): number {
  const trial = new Trial(seed, new SeededRandom(seed));
  const { kernel } = trial.peers;
  const random = kernel.random.fork("trial");
  const anybody = (): string => trial.ids[random.below(trial.ids.length)] as string;
  trial.seed("s", anybody());
  for (let more = random.below(3); more > 0; more -= 1) {
    kernel.schedule(random.below(4000), () => {
      const id = anybody();
      if (trial.peers.cluster.node(id).life !== null) trial.seed(`t${more}`, id);
    });
  }
  for (let crashes = random.below(4); crashes > 0; crashes -= 1) {
    kernel.schedule(random.below(4000), () => {
      const id = anybody();
      if (trial.peers.cluster.node(id).life !== null) trial.crash(id, random.below(1000));
    });
  }
  kernel.pass(5000);
  const isEverywhere = (): boolean =>
    trial.ids.every((id) => trial.peers.program(id).termination.isFinished);
  kernel.runUntil(isEverywhere, { stepsMax: 500_000, virtualMsMax: 120_000 });
  assert.ok(isEverywhere(), "the end comes, and everybody learns it");
  trial.judge("the test");
  return trial.tasks;
}

const RUNS = process.env["TROBAR_FULL"] === "1" ? 5000 : 100;

test("T1: the end is neither declared early nor missed", () => {
  let tasks = 0;
  for (let seed = 0; seed < RUNS; seed += 1) {
    try {
      tasks += tryTermination(String(seed));
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  assert.ok(tasks > RUNS * 10, `${tasks} tasks were done`);
});
