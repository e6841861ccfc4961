/**
 * A machine in simulated time: a disk, and one process after the other that uses it. Asking drives
 * time on until the answer has come, so a test reads as if everything were synchronous.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../src/base/errors/index.ts";
import { SeededRandom } from "../../../src/base/random/index.ts";
import type { SimStorage } from "../../../src/lab/simulator/index.ts";
import { SimDisk } from "../../../src/lab/simulator/index.ts";
import { SimulatedTime } from "./simulated-world.ts";

/** Something that answers by `Acknowledge` or by `Done`. */
export type Asking<Value> = (done: (error: CrawlError | null, value?: Value) => void) => void;

const MOMENT = Symbol("the chosen moment");

export class SimulatedMachine {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly random: SeededRandom;
  readonly disk: SimDisk;
  /** The storage of the process that lives now. */
  storage: SimStorage;

  constructor(seed: number | string) {
    this.random = new SeededRandom(seed);
    this.disk = new SimDisk(this.random);
    this.storage = this.disk.mount(this.time);
  }

  /** Power fails, and the next process starts. */
  crash(): void {
    this.disk.crash();
    this.storage = this.disk.mount(this.time);
  }

  /** The process dies, and the next one starts. */
  kill(): void {
    this.storage.kill();
    this.storage = this.disk.mount(this.time);
  }

  /** Lets `moment` events happen, then ends the work. Whether everything was done before. */
  isDoneBefore(moment: number, act: () => void): boolean {
    const { time } = this;
    const step = time.step.bind(time);
    let left = moment;
    time.step = () => {
      if (left <= 0) throw MOMENT;
      left -= 1;
      return step();
    };
    try {
      act();
      return true;
    } catch (error) {
      if (error !== MOMENT) throw error;
      return false;
    } finally {
      time.step = step;
    }
  }

  /** The answer to something that must succeed. */
  result<Value>(start: Asking<Value>): Value {
    const { error, value } = this.outcome(start);
    if (error !== null) throw error;
    return value as Value;
  }

  /** The code of the error with which something ends; "good" when it succeeds. */
  code(start: Asking<unknown>): string {
    return this.outcome(start).error?.code ?? "good";
  }

  outcome<Value>(start: Asking<Value>): { error: CrawlError | null; value: Value | undefined } {
    const answers: { error: CrawlError | null; value: Value | undefined }[] = [];
    start((error, value) => answers.push({ error, value }));
    assert.equal(answers.length, 0, "an answer never comes inside the call");
    while (answers.length === 0) assert.ok(this.time.step(), "the simulated world fell silent");
    const [answer] = answers;
    assert(answer !== undefined);
    return answer;
  }
}
