import assert from "node:assert/strict";
import { SystemClock } from "../../src/base/time/index.ts";
import { type ClockSubject, clockSuite, REAL_WORLD } from "../../src/lab/conformance/index.ts";
import { Kernel, SimCluster, simulatedWorld } from "../../src/lab/simulator/index.ts";

clockSuite("the system's clock", () => ({ world: REAL_WORLD, clock: new SystemClock() }));

clockSuite("the kernel's clock", () => {
  const kernel = new Kernel({ seed: "clock" });
  return { world: simulatedWorld(kernel), clock: kernel.clock };
});

for (const ppm of [0, 200, -200, 333_333]) {
  clockSuite(`the clock of a node that drifts by ${ppm} ppm`, (): ClockSubject => {
    const kernel = new Kernel({ seed: `clock ${ppm}` });
    const node = new SimCluster(kernel).add("n1", () => {});
    node.drift(ppm);
    assert.ok(node.life !== null);
    return { world: simulatedWorld(kernel), clock: node.life.clock };
  });
}
