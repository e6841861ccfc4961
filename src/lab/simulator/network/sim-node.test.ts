import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "../kernel/kernel.ts";
import type { Life } from "../kernel/life.ts";
import { SimNode } from "./sim-node.ts";

test("a crash ends everything of a life at once: timers, callbacks, what they would set", () => {
  const kernel = new Kernel({ seed: "crash" });
  const fired: string[] = [];
  let ended = 0;
  const node = new SimNode(kernel, "n1", (life) => {
    life.clock.after(10, () => fired.push(`${life.incarnation} at 10`));
    life.clock.after(30, () => fired.push(`${life.incarnation} at 30`));
    life.onEnd(() => {
      ended += 1;
    });
  });
  node.start();
  const first = node.life as Life;
  kernel.schedule(20, () => node.crash());
  kernel.pass(100);
  assert.deepEqual(fired, ["1 at 10"]);
  assert.equal(ended, 1);
  assert.equal(node.life, null);
  assert.equal(first.hasEnded, true);
  assert.equal(kernel.waiting, 0, "nothing of the dead is left waiting");
  first.clock.after(1, assert.fail);
  first.deliver("arrival", assert.fail);
  kernel.pass(100);
});

test("a restart is a new life: the program boots again, with the next incarnation", () => {
  const kernel = new Kernel({ seed: "restart" });
  const disk: string[] = [];
  const node = new SimNode(kernel, "n1", (life) => disk.push(`life ${life.incarnation}`));
  node.start();
  node.start();
  node.crash();
  node.crash();
  node.start();
  assert.deepEqual(disk, ["life 1", "life 2"], "what the world keeps outlives the crash");
  assert.equal(node.incarnation, 2);
});

test("each life has its own random numbers, the same for the same seed", () => {
  const draws = (seed: string): number[] => {
    const drawn: number[] = [];
    const node = new SimNode(new Kernel({ seed }), "n1", (life) => drawn.push(life.random.u32()));
    node.start();
    node.crash();
    node.start();
    return drawn;
  };
  assert.deepEqual(draws("a"), draws("a"));
  assert.equal(new Set([...draws("a"), ...draws("b")]).size, 4);
});

test("a zombie holds everything back and runs it all when it wakes, one event each", () => {
  const kernel = new Kernel({ seed: "zombie", traceLines: 50 });
  const done: string[] = [];
  const node = new SimNode(kernel, "n1", (life) => {
    life.clock.after(10, () => done.push(`timer at ${kernel.nowMs}`));
  });
  node.start();
  node.pause();
  node.life?.deliver("arrival", () => done.push(`arrival at ${kernel.nowMs}`));
  kernel.pass(50);
  assert.deepEqual(done, []);
  const stepsBefore = kernel.steps;
  node.resume();
  kernel.pass(0);
  assert.deepEqual(done.toSorted(), ["arrival at 50", "timer at 50"]);
  assert.equal(kernel.steps, stepsBefore + 2);
});

test("a zombie that wakes may see its timers first, or what arrived, or all as it came", () => {
  const orders = new Set<string>();
  for (let seed = 0; seed < 40; seed += 1) {
    const kernel = new Kernel({ seed: String(seed) });
    const done: string[] = [];
    const node = new SimNode(kernel, "n1", (life) => {
      life.clock.after(10, () => done.push("t1"));
      life.clock.after(30, () => done.push("t2"));
    });
    node.start();
    node.pause();
    kernel.schedule(20, () => node.life?.deliver("arrival", () => done.push("a1")));
    kernel.schedule(40, () => node.life?.deliver("arrival", () => done.push("a2")));
    kernel.schedule(50, () => node.resume());
    kernel.pass(100);
    orders.add(done.join(" "));
  }
  assert.deepEqual([...orders].toSorted(), ["a1 a2 t1 t2", "t1 a1 t2 a2", "t1 t2 a1 a2"]);
});

test("a timer cancelled while its node wakes does not fire, though its time had come", () => {
  const kernel = new Kernel({ seed: "cancel" });
  const node = new SimNode(kernel, "n1", (life) => {
    life.clock.after(10, () => {
      later.cancel();
    });
    const later = life.clock.after(20, assert.fail);
  });
  node.start();
  node.pause();
  kernel.schedule(50, () => node.resume());
  kernel.pass(100);
});

test("a zombie that crashes never wakes", () => {
  const kernel = new Kernel({ seed: "crashed zombie" });
  const node = new SimNode(kernel, "n1", (life) => {
    if (life.incarnation === 1) life.clock.after(10, assert.fail);
  });
  node.start();
  node.pause("machine");
  kernel.pass(50);
  node.crash();
  node.resume();
  node.start();
  const life = node.life as Life;
  assert.equal(life.isPaused, false);
  const nowMs = life.clock.nowMs();
  kernel.pass(50);
  assert.equal(life.clock.nowMs(), nowMs + 50, "the clock of the machine runs again");
});

test("something can be made to happen right after a number of callbacks", () => {
  const kernel = new Kernel({ seed: "fuse" });
  const done: string[] = [];
  const node = new SimNode(kernel, "n1", (life) => {
    for (const delayMs of [1, 2, 3, 4]) life.clock.after(delayMs, () => done.push(`t${delayMs}`));
  });
  node.start();
  node.life?.afterWakes(2, () => node.crash());
  const spare = node.life?.afterWakes(1, assert.fail);
  spare?.();
  kernel.pass(10);
  assert.deepEqual(done, ["t1", "t2"]);
});
