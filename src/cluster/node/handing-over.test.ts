import assert from "node:assert/strict";
import { test } from "node:test";
import { HandingOver } from "./handing-over.ts";

/** A leaver whose steps end when the test says so. */
class Leaver {
  readonly steps: string[] = [];
  isLeaving = true;
  isOver = false;
  readonly handingOver: HandingOver;
  #next: () => void = () => undefined;

  constructor() {
    const step = (name: string, done: () => void): void => {
      this.steps.push(name);
      this.#next = done;
    };
    this.handingOver = new HandingOver({
      withBodies: true,
      isLeaving: () => this.isLeaving,
      handOverLimits: (done) => step("limits", done),
    });
    const open = {
      custody: { handOverAll: (done: () => void) => step("custody", done) },
      shipper: { shipAll: (_withBodies: boolean, done: () => void) => step("pages", done) },
    };
    this.handingOver.begin(open as never, () => {
      this.isOver = true;
    });
  }

  goOn(steps: number): this {
    for (let step = 0; step < steps; step += 1) this.#next();
    return this;
  }
}

const ONCE = ["custody", "pages", "custody", "limits"];

test("L1, M9: hosts go first, then pages, then what came of those, then limits", () => {
  const leaver = new Leaver().goOn(3);
  assert.equal(leaver.isOver, false);
  leaver.goOn(1);
  assert.deepEqual([leaver.steps, leaver.isOver], [ONCE, true]);
});

test("L1, G1: all of it is done again if a place was given up: copies hidden behind it are visible", () => {
  const leaver = new Leaver().goOn(3);
  leaver.handingOver.gaveUp();
  leaver.goOn(1);
  assert.equal(leaver.isOver, false);
  leaver.goOn(4);
  assert.deepEqual([leaver.steps, leaver.isOver], [[...ONCE, ...ONCE], true]);
});

test("an agent that does not leave after all hands nothing over", () => {
  const leaver = new Leaver().goOn(3);
  leaver.handingOver.gaveUp();
  leaver.isLeaving = false;
  leaver.goOn(1);
  assert.deepEqual([leaver.steps, leaver.isOver], [ONCE, false]);
});
