import assert from "node:assert/strict";
import { test } from "node:test";
import { HandingOver } from "./handing-over.ts";

/** A leaver whose steps end when the test says so, the earliest first. */
class Leaver {
  readonly steps: string[] = [];
  isLeaving = true;
  /** The life of which everything was handed over. */
  over: number | null = null;
  readonly handingOver: HandingOver;
  readonly #begun: (() => void)[] = [];
  readonly #open: Parameters<HandingOver["begin"]>[0];

  constructor() {
    const step = (name: string, done: () => void): void => {
      this.steps.push(name);
      this.#begun.push(done);
    };
    this.handingOver = new HandingOver({
      withBodies: true,
      isLeaving: () => this.isLeaving,
      handOverLimits: (done) => step("limits", done),
    });
    this.#open = {
      custody: { handOverAll: (done: () => void) => step("custody", done) },
      shipper: { shipAll: (_withBodies: boolean, done: () => void) => step("pages", done) },
    } as never;
    this.begin(1);
  }

  begin(life: number): void {
    this.handingOver.begin(this.#open, () => {
      this.over = life;
    });
  }

  goOn(steps: number): this {
    for (let step = 0; step < steps; step += 1) this.#begun.shift()?.();
    return this;
  }
}

const ONCE = ["custody", "pages", "custody", "limits"];

test("L1, M9: hosts go first, then pages, then what came of those, then limits", () => {
  const leaver = new Leaver().goOn(3);
  assert.equal(leaver.over, null);
  leaver.goOn(1);
  assert.deepEqual([leaver.steps, leaver.over], [ONCE, 1]);
});

test("L1, G1: all of it is done again if a place was given up: copies hidden behind it are visible", () => {
  const leaver = new Leaver().goOn(3);
  leaver.handingOver.gaveUp();
  leaver.goOn(1);
  assert.equal(leaver.over, null);
  leaver.goOn(4);
  assert.deepEqual([leaver.steps, leaver.over], [[...ONCE, ...ONCE], 1]);
});

test("an agent that does not leave after all hands nothing over", () => {
  const leaver = new Leaver().goOn(3);
  leaver.handingOver.gaveUp();
  leaver.isLeaving = false;
  leaver.goOn(1);
  assert.deepEqual([leaver.steps, leaver.over], [ONCE, null]);
});

test("L1: an agent that does not leave after all goes no step further, however far it was", () => {
  for (let steps = 0; steps <= 3; steps += 1) {
    const leaver = new Leaver().goOn(steps);
    leaver.isLeaving = false;
    leaver.goOn(4);
    assert.deepEqual([leaver.steps, leaver.over], [ONCE.slice(0, steps + 1), null]);
  }
});

test("L1: a leaver in its next life hands over anew, and nothing of the earlier one takes its place", () => {
  const leaver = new Leaver();
  leaver.handingOver.gaveUp();
  leaver.begin(2);
  leaver.goOn(5);
  assert.deepEqual([leaver.steps, leaver.over], [["custody", ...ONCE], 2]);
});

test("L1: pages that the earlier life has brought are no step of the next one", () => {
  const leaver = new Leaver().goOn(1);
  leaver.begin(2);
  leaver.goOn(5);
  assert.deepEqual([leaver.steps, leaver.over], [["custody", "pages", ...ONCE], 2]);
});
