/**
 * Agents that stop when their crawl has ended, as processes do, while another one joins: at any moment of the
 * end, on links that lose what they carry. Nobody may be left waiting for who has stopped (T2).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "../../src/lab/simulator/index.ts";
import { NodeRig, type NotingAgent } from "../support/cluster/noting-agents.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const BEAT_MS = 1000;
/** As long as agents stay after the end, so that all can ask each other what they have done. */
const LINGER_MS = 2 * BEAT_MS;
/** Well before anybody is given up. */
const OVER_MS = 9000;
const STEP_MS = isFull ? 10 : 100;

type Outcome = "running" | "ended" | "too late" | "never met";

class EndingRig extends NodeRig {
  readonly #ended = new Set<number>();

  /** Lets an agent stop when the crawl has ended. */
  endWithCrawl(number: number): void {
    const agent = this.agent(number);
    agent.ending = (isOver) =>
      this.kernel.schedule(LINGER_MS, () => {
        if (isOver() && this.agents[number] === agent) agent.node.end(() => this.#stop(number));
      });
  }

  outcomeOf(number: number): Outcome {
    const { node, notes } = this.agent(number);
    if (this.#ended.has(number)) return "ended";
    if (notes.includes("too late")) return "too late";
    return node.membership.state === "asking" ? "never met" : "running";
  }

  isGivenUp(by: NotingAgent): boolean {
    return [...by.node.view.members()].some(({ standing }) => standing === "given-up");
  }

  #stop(number: number): void {
    this.#ended.add(number);
    this.cluster.takeDown(`a${number}`);
  }
}

/** Two agents end, and a third is started so long after they have nothing to do. */
function tryJoin(joinsAfterMs: number, isCut: boolean): Outcome {
  const seed = `${joinsAfterMs} ${isCut}`;
  const rig = new EndingRig(new Kernel({ seed: `ending ${seed}` }), 2);
  for (const { work } of rig.agents) work.isIdle = false;
  rig.settle();
  rig.endWithCrawl(0);
  rig.endWithCrawl(1);
  for (const { work, node } of rig.agents) {
    work.isIdle = true;
    node.workChanged();
  }
  rig.kernel.pass(joinsAfterMs);
  rig.add();
  if (isCut) {
    rig.cluster.network.cut("a0", "a2");
    rig.cluster.network.cut("a2", "a0");
  }
  rig.endWithCrawl(2);
  rig.kernel.pass(4 * BEAT_MS + OVER_MS);
  for (const number of [0, 1]) assert.equal(rig.outcomeOf(number), "ended", `a${number}, ${seed}`);
  assert.ok(
    rig.agents.every((agent) => !rig.isGivenUp(agent)),
    seed,
  );
  return rig.outcomeOf(2);
}

for (const isCut of [false, true]) {
  const link = isCut ? ", and one of them does not hear it" : "";
  test(`T2: an agent may join at any moment while the others end${link}`, () => {
    const outcomes = new Map<Outcome, number>();
    for (let afterMs = 0; afterMs < 5 * BEAT_MS; afterMs += STEP_MS) {
      const outcome = tryJoin(afterMs, isCut);
      assert.notEqual(outcome, "running", `${afterMs} ms after the end`);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    assert.ok(outcomes.has(isCut ? "too late" : "ended"), `${[...outcomes]}`);
    assert.ok(outcomes.has("never met"), `${[...outcomes]}`);
  });
}

/** Two agents that have ended, of which one starts again. */
function startedAgain(): { readonly rig: EndingRig; readonly agent: NotingAgent } {
  const rig = new EndingRig(new Kernel({ seed: "alone" }), 2);
  rig.settle();
  const restarts = new Map<number, () => void>();
  for (const number of [0, 1]) {
    rig.agent(number).node.end(() => restarts.set(number, rig.cluster.takeDown(`a${number}`)));
  }
  rig.kernel.pass(5 * BEAT_MS);
  restarts.get(1)?.();
  return { rig, agent: rig.agent(1) };
}

test("T2: an agent that starts again alone when all have ended ends too, and gives nobody up", () => {
  const { rig, agent } = startedAgain();
  rig.kernel.pass(9 * BEAT_MS);
  assert.ok(!agent.notes.includes("concluded"), "the other one may come too");
  rig.kernel.pass(6 * BEAT_MS);
  assert.ok(agent.notes.includes("concluded"), `${agent.notes}`);
  assert.ok(!rig.isGivenUp(agent));
});

test("T2: with new seeds, whoever has ended is away like any other agent", () => {
  const { rig, agent } = startedAgain();
  rig.kernel.pass(4 * BEAT_MS);
  agent.node.membership.addSeeds(["http://s.example/"], () => undefined);
  rig.kernel.pass(5 * BEAT_MS);
  assert.ok(!agent.notes.includes("concluded") && !rig.isGivenUp(agent), "it may come");
  rig.kernel.pass(20 * BEAT_MS);
  assert.ok(rig.isGivenUp(agent));
  agent.save();
  rig.kernel.pass(5 * BEAT_MS);
  assert.ok(agent.notes.includes("concluded"), `${agent.notes}`);
});
