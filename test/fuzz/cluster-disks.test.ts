/**
 * Files of a cluster's agent that the disk has altered or cut: what the agent had taken, or had told others
 * and must tell again if they are lost, is still there when it starts again; or it says that it is not.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { Kernel, type SimDisk } from "../../src/lab/simulator/index.ts";
import { entryAt, NodeRig } from "../support/cluster/noting-agents.ts";

const SEED = process.env["TROBAR_FUZZ_SEED"] ?? "trobar";
const TRIALS = process.env["TROBAR_FULL"] === "1" ? 2000 : 12;
/** What has been told to each, and what has come after it: a torn end is no damage. */
const ENTRIES = 60;
const LATER = 8;

test("what is lost with damaged files is told, and nothing else is lost", () => {
  for (let number = 0; number < TRIALS; number += 1) {
    const seed = `${SEED}/${number}`;
    const random = new SeededRandom(seed);
    const rig = new NodeRig(new Kernel({ seed }), 3, { pages: 100, bytes: null, timeMs: null });
    rig.settle();
    const told = talk(rig);
    let what = "";
    rig.crash(1, (disk) => {
      what = damage(disk, random);
    });
    const { notes } = rig.agent(1);
    const lost = lostOf(rig, told);
    const isTold = notes.some((note) => /^(?:failed )?[A-Z]+_[A-Z_]+$/.test(note));
    assert.ok(lost.length === 0 || isTold, `seed ${seed}, ${what}: ${lost.length} lost, ${notes}`);
  }
});

interface Told {
  /** URLs that the damaged agent has been told of, and had. */
  readonly taken: readonly string[];
  /** URLs that it has told to the first agent. */
  readonly given: readonly string[];
}

/** The first two agents tell each other of URLs. */
function talk(rig: NodeRig): Told {
  const [one, other] = [rig.agent(0).node, rig.agent(1).node];
  const [own, foreign] = [rig.hostOf(1), rig.hostOf(0)];
  other.membership.addSeeds(["http://seed.example/"], () => undefined);
  for (let number = 0; number < ENTRIES + LATER; number += 1) {
    one.found(entryAt(own, number));
    other.found(entryAt(foreign, number));
    rig.kernel.pass(40);
  }
  rig.kernel.pass(2000);
  const urls = (host: string): string[] =>
    Array.from({ length: ENTRIES }, (_none, number) => `${host}/${number}`);
  return { taken: urls(own), given: urls(foreign) };
}

/** Flips a bit or two of a file; or cuts one that is only ever replaced as a whole. */
function damage(disk: SimDisk, random: Random): string {
  const files = disk.fileNames().filter((file) => (disk.contentOf(file)?.length ?? 0) > 0);
  const name = files[random.below(files.length)] ?? assert.fail("there are files");
  const { length } = disk.contentOf(name) ?? [];
  assert.ok(length !== undefined);
  if (!name.endsWith(".log") && random.below(3) === 0) {
    const lengthBytes = random.below(length);
    disk.node(name)?.cut(lengthBytes);
    disk.node(name)?.sync();
    return `${name} cut to ${lengthBytes} of ${length}`;
  }
  const bits = Array.from({ length: 1 + random.below(2) }, () => random.below(8 * length));
  for (const bit of bits) disk.flipBit(name, bit);
  return `bits ${bits} of ${name}`;
}

/** What nobody has after the damaged agent is back, and then the one that it had told things is lost. */
function lostOf(rig: NodeRig, { taken, given }: Told): string[] {
  rig.kernel.pass(20_000);
  const had = new Set(rig.agent(1).taken());
  const missing = taken.filter((url) => !had.has(url));
  rig.cluster.takeDown("a0");
  rig.kernel.pass(40_000);
  const left = new Set([...rig.agent(1).taken(), ...rig.agent(2).taken()]);
  return [...missing, ...given.filter((url) => !left.has(url))];
}
