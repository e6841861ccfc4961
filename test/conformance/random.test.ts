import { randomSuite } from "../../src/conformance/index.ts";
import { SeededRandom } from "../../src/random/index.ts";
import { Kernel } from "../../src/simulator/index.ts";

randomSuite("a seeded random", (seed) => new SeededRandom(seed));
randomSuite("the kernel's random", (seed) => new Kernel({ seed }).random);
