import assert from "node:assert/strict";
import { test } from "node:test";
import { type Peer, type PeerMember, Peers } from "../../../test/support/cluster/peers.ts";
import type { Place } from "../messages/index.ts";
import { Termination } from "./index.ts";
import type { Work } from "./termination.ts";
import { PROBE, type Probe } from "./termination-messages.ts";

const SETTINGS = { intervalMs: 100, timeoutMs: 50 };
/** Much more than two waves take. */
const LONG_MS = 2000;

/** The work of an agent, as the test has it. */
class ToyWork implements Work {
  busy = false;
  changes = 0;
  /** How often the agent was asked. */
  asked = 0;
  /** Called before it answers. */
  onAsked: (asked: number) => void = () => undefined;
  termination: Termination | null = null;

  get isIdle(): boolean {
    return !this.busy;
  }

  /** Something to do has come. */
  come(): void {
    this.busy = true;
    this.changes += 1;
    this.termination?.changed();
  }
}

/** Agents that have nothing to do unless the test says so. */
class Rig {
  readonly works = new Map<string, ToyWork>();
  readonly events: string[] = [];
  readonly peers: Peers<Termination>;
  onEvent: (event: string) => void = () => undefined;
  /** Everything that was asked. */
  readonly questions: { readonly to: Place; readonly body: Probe }[] = [];
  readonly #askers = new Map<string, Peer>();

  constructor(...ids: string[]) {
    for (const id of ids) this.works.set(id, new ToyWork());
    this.peers = new Peers({ seed: "ends", ids, boot: (peer) => this.#boot(peer) });
  }

  #boot(peer: Peer): Termination {
    const { id, life, messenger, view } = peer;
    this.#askers.set(id, peer);
    const work = this.work(id);
    work.changes = 0;
    const note = (what: string) => (): void => {
      this.events.push(`${id} ${what}`);
      this.onEvent(`${id} ${what}`);
    };
    const termination = new Termination({
      ...{ clock: life.clock, view, settings: SETTINGS, work },
      messenger: {
        ask: (to, type, question, answered) => {
          this.questions.push({ to, body: question.body as Probe });
          messenger.ask(to, type, question, answered);
        },
        serve: (type, listener) =>
          messenger.serve(type, (from, body, respond) => {
            work.asked += 1;
            work.onAsked(work.asked);
            listener(from, body, respond);
          }),
      },
      listener: {
        finished: note("finished"),
        concluded: note("concluded"),
        resumed: note("resumed"),
      },
    });
    work.termination = termination;
    view.changed = () => termination.changed();
    termination.start();
    return termination;
  }

  asker(id: string): Peer {
    return this.#askers.get(id) as Peer;
  }

  work(id: string): ToyWork {
    return this.works.get(id) as ToyWork;
  }

  pass(virtualMs = LONG_MS): this {
    this.peers.kernel.pass(virtualMs);
    return this;
  }

  get finished(): string[] {
    return this.peers.ids.filter((id) => this.peers.program(id).isFinished);
  }

  seeds(seeds: string): void {
    for (const view of this.peers.views) {
      view.seeds = seeds;
      view.changed();
    }
  }

  see(id: string, standing: PeerMember["standing"]): void {
    this.peers.set(id, standing);
  }

  cut(one: string, other: string): () => void {
    const { network } = this.peers.cluster;
    const undos = [network.cut(one, other), network.cut(other, one)];
    return () => {
      for (const undo of undos) undo();
    };
  }
}

test("T1: agents that have nothing to do find the end, and all of them know it", () => {
  const rig = new Rig("a", "b", "c").pass();
  assert.deepEqual(rig.finished, ["a", "b", "c"]);
  assert.equal(rig.events[0], "a finished");
  assert.deepEqual(rig.events.toSorted(), [
    ...["a concluded", "a finished", "b concluded", "b finished", "c concluded", "c finished"],
  ]);
  assert.equal(rig.events.at(-1), "a concluded", "the leader goes last");
});

test("the end is told at once, not with the next interval", () => {
  const rig = new Rig("a", "b");
  rig.pass(1.5 * SETTINGS.intervalMs);
  assert.deepEqual(rig.events, ["a finished", "b finished", "b concluded", "a concluded"]);
});

test("an agent alone finds the end as well", () => {
  const rig = new Rig("a").pass();
  assert.deepEqual(rig.events, ["a finished", "a concluded"]);
});

test("T1: the end does not come while somebody is busy", () => {
  const rig = new Rig("a", "b", "c");
  rig.work("c").come();
  rig.pass();
  assert.deepEqual(rig.events, []);
  const { asked } = rig.work("b");
  assert.ok(asked <= LONG_MS / SETTINGS.intervalMs + 1, `b was asked ${asked} times`);
  rig.work("c").busy = false;
  assert.equal(rig.pass().finished.length, 3);
});

test("T1: the end does not come while the lowest agent is busy", () => {
  const rig = new Rig("a", "b");
  rig.work("a").come();
  assert.deepEqual(rig.pass().events, []);
  assert.equal(rig.work("b").asked, 0, "nobody asks in vain");
  rig.work("a").busy = false;
  assert.equal(rig.pass().finished.length, 2);
});

test("T1: one wave is not enough, since work may go round it", () => {
  const rig = new Rig("a", "b", "c");
  const [b, c] = [rig.work("b"), rig.work("c")];
  // Whoever is asked second in the first wave gives what it has to the one asked before.
  b.come();
  c.come();
  const pass = (from: ToyWork, to: ToyWork): void => {
    if (to.asked === 0) from.busy = false;
    else if (from.asked === 1) {
      from.busy = false;
      to.come();
    }
  };
  b.onAsked = () => pass(b, c);
  c.onAsked = () => pass(c, b);
  rig.pass();
  assert.ok(b.asked >= 2 && c.asked >= 2, "there was a second wave");
  assert.deepEqual(rig.events, []);
});

test("T1: work that goes from agent to agent ahead of every question is seen by its counter", () => {
  const rig = new Rig("a", "b", "c");
  const [b, c] = [rig.work("b"), rig.work("c")];
  const flee = (from: ToyWork, to: ToyWork): void => {
    if (!from.busy) return;
    from.busy = false;
    to.come();
  };
  b.onAsked = () => flee(b, c);
  c.onAsked = () => flee(c, b);
  b.come();
  rig.pass();
  assert.ok(b.asked > 10, "all answers were idle, so there were many waves");
  assert.deepEqual(rig.events, []);
});

test("T1: the leader's own work between the waves counts too", () => {
  const rig = new Rig("a", "b");
  const [a, b] = [rig.work("a"), rig.work("b")];
  b.onAsked = () => {
    a.changes += 1;
  };
  assert.deepEqual(rig.pass().events, []);
  b.onAsked = () => undefined;
  assert.equal(rig.pass().finished.length, 2);
});

test("T1: agents that see the cluster differently do not find the end", () => {
  const rig = new Rig("a", "b", "c");
  rig.peers.view("c").seeds = "one more";
  assert.deepEqual(rig.pass().events, []);
  rig.seeds("one more");
  assert.equal(rig.pass().finished.length, 3);
});

test("T1: two waves over different views prove nothing", () => {
  const rig = new Rig("a", "b");
  const b = rig.work("b");
  b.onAsked = (asked) => {
    // In the second wave everybody has one more seed, and nobody says that it is work.
    if (asked === 2) rig.seeds("late");
    if (asked === 3) assert.deepEqual(rig.events, [], "there is a third wave");
  };
  rig.pass();
  assert.equal(rig.finished.length, 2);
});

test("T1: a member that comes between the waves must be asked in both", () => {
  const rig = new Rig("a", "b", "c");
  const a = rig.peers.view("a");
  // For a there is no c yet, though the views count as equal.
  a.set("c", "given-up");
  Object.defineProperty(a, "hash", { get: () => rig.peers.view("b").hash });
  rig.work("c").come();
  rig.work("b").onAsked = (asked) => {
    if (asked === 1) rig.peers.kernel.schedule(0, () => a.set("c", "alive"));
  };
  assert.deepEqual(rig.pass().events, []);
});

test("T1: a life that ended between the waves is not the same member", () => {
  const rig = new Rig("a", "b");
  // Both have counted nothing, and the views must not be what tells them apart.
  for (const view of rig.peers.views) Object.defineProperty(view, "hash", { value: "same" });
  const b = rig.work("b");
  b.onAsked = (asked) => {
    if (asked === 1) {
      rig.peers.kernel.schedule(0.01, () => {
        rig.peers.cluster.node("b").crash();
        rig.peers.cluster.node("b").start();
      });
    }
    if (asked <= 3) assert.deepEqual(rig.events, [], "two answers of one life are needed");
  };
  assert.equal(rig.pass().finished.length, 2);
  assert.equal(rig.peers.cluster.node("b").incarnation, 2);
});

test("T1: the end waits for a member that is dead and not given up", () => {
  const rig = new Rig("a", "b", "c");
  rig.peers.cluster.node("c").crash();
  rig.see("c", "dead");
  assert.deepEqual(rig.pass().events, []);
  rig.see("c", "given-up");
  rig.pass();
  assert.deepEqual(rig.events.toSorted(), [
    ...["a concluded", "a finished", "b concluded", "b finished"],
  ]);
});

test("T1: a member that is only silent for a moment is waited for, and asked again", () => {
  const rig = new Rig("a", "b");
  const heal = rig.cut("a", "b");
  assert.deepEqual(rig.pass().events, []);
  heal();
  assert.equal(rig.pass().finished.length, 2);
});

test("T1: when the lowest agent dies between the waves, the next one finds the end", () => {
  const rig = new Rig("a", "b", "c");
  const b = rig.work("b");
  b.onAsked = (asked) => {
    if (asked === 1) rig.peers.kernel.schedule(0.01, () => rig.peers.cluster.node("a").crash());
  };
  rig.pass();
  rig.see("a", "dead");
  assert.deepEqual(rig.pass().events, [], "a may be back with work");
  rig.see("a", "given-up");
  rig.pass();
  assert.deepEqual(rig.finished, ["b", "c"]);
});

test("T1: when the lowest agent dies and comes back, it begins anew", () => {
  const rig = new Rig("a", "b", "c");
  rig.work("c").onAsked = (asked) => {
    if (asked === 1) rig.peers.kernel.schedule(0.01, () => rig.peers.cluster.node("a").crash());
  };
  rig.pass();
  assert.deepEqual(rig.events, []);
  rig.peers.cluster.node("a").start();
  assert.equal(rig.pass().finished.length, 3);
});

test("an agent that misses the news learns it later, and nobody may stop before it does", () => {
  const rig = new Rig("a", "b", "c");
  let heal = (): void => undefined;
  rig.onEvent = (event) => {
    if (event === "a finished") heal = rig.cut("a", "c");
  };
  rig.pass();
  assert.deepEqual(rig.events, ["a finished", "b finished"]);
  heal();
  rig.pass();
  assert.deepEqual(rig.finished, ["a", "b", "c"]);
  assert.ok(rig.events.indexOf("c finished") < rig.events.indexOf("b concluded"));
});

test("if who has found the end dies before all know, the next one tells the others", () => {
  const rig = new Rig("a", "b", "c");
  rig.onEvent = (event) => {
    if (event === "a finished") rig.cut("a", "c");
  };
  rig.pass();
  assert.deepEqual(rig.finished, ["a", "b"]);
  rig.peers.cluster.node("a").crash();
  rig.see("a", "dead");
  rig.pass();
  assert.deepEqual(rig.events.slice(2), ["c finished", "c concluded", "b concluded"]);
});

test("T1: seeds undo the end, and it comes again", () => {
  const rig = new Rig("a", "b").pass();
  rig.events.length = 0;
  rig.work("b").come();
  rig.seeds("more");
  assert.deepEqual(rig.events.toSorted(), ["a resumed", "b resumed"]);
  assert.deepEqual(rig.pass().finished, []);
  rig.work("b").busy = false;
  assert.deepEqual(rig.pass().finished, ["a", "b"]);
});

test("T1: a lost member undoes the end, once it is given up", () => {
  const rig = new Rig("a", "b", "c").pass();
  rig.events.length = 0;
  rig.peers.cluster.node("c").crash();
  rig.see("c", "dead");
  assert.deepEqual(rig.pass().events, [], "it has its pages on its disk");
  rig.see("c", "given-up");
  assert.deepEqual(rig.events.slice(0, 2).toSorted(), ["a resumed", "b resumed"]);
  assert.deepEqual(rig.pass().finished, ["a", "b"]);
});

test("work that comes from nowhere undoes the end everywhere", () => {
  const rig = new Rig("a", "b", "c").pass();
  rig.events.length = 0;
  rig.work("b").come();
  assert.deepEqual(rig.events, ["b resumed"]);
  rig.pass();
  assert.deepEqual(rig.events.toSorted(), ["a resumed", "b resumed", "c resumed"]);
  rig.work("b").busy = false;
  assert.deepEqual(rig.pass().finished, ["a", "b", "c"]);
  rig.events.length = 0;
  rig.work("a").come();
  rig.pass();
  assert.deepEqual(rig.events.toSorted(), ["a resumed", "b resumed", "c resumed"]);
});

test("an end that is told late, after work has come, is not believed", () => {
  const rig = new Rig("a", "b", "c");
  // From then on everything to c is held back, and comes at once in the end.
  let unclog = (): void => undefined;
  rig.onEvent = (event) => {
    if (event === "a finished") unclog = rig.peers.cluster.network.clog("c");
  };
  rig.pass();
  assert.deepEqual(rig.finished, ["a", "b"]);
  rig.work("c").come();
  rig.work("c").busy = false;
  rig.work("b").come();
  unclog();
  rig.pass();
  assert.deepEqual(rig.finished, []);
  assert.ok(!rig.events.includes("c finished"));
});

test("an end that was told before it was undone is not believed again", () => {
  const rig = new Rig("a", "b", "c").pass();
  const old = rig.questions.filter(({ to, body }) => to.id === "c" && body.stage !== "unknown");
  rig.work("b").come();
  rig.pass();
  assert.deepEqual(rig.finished, []);
  const { messenger } = rig.asker("a");
  for (const { to, body } of old) {
    messenger.ask(to, PROBE, { body, timeoutMs: SETTINGS.timeoutMs }, () => undefined);
  }
  rig.pass();
  assert.equal(rig.events.filter((event) => event === "c finished").length, 1);
});

test("a closed one neither answers nor tells", () => {
  const rig = new Rig("a", "b");
  rig.peers.program("b").close();
  assert.deepEqual(rig.pass().events, []);
  rig.peers.program("a").close();
  assert.equal(rig.pass().peers.kernel.waiting, 0, "nothing goes on");
});
