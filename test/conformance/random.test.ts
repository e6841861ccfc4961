import { SeededRandom } from "../../src/base/random/index.ts";
import { randomSuite } from "../../src/lab/conformance/index.ts";
import { Kernel } from "../../src/lab/simulator/index.ts";

randomSuite("a seeded random", (seed) => new SeededRandom(seed));
randomSuite("the kernel's random", (seed) => new Kernel({ seed }).random);
