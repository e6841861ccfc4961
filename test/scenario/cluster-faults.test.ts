/**
 * The table of faults: real agents, each a process with a directory and a server of its own, are killed, lose
 * disks, networks and servers, sleep, come and go. The web that they crawl judges.
 */
import { describe, test } from "node:test";
import { needsProgram } from "../support/requirement.ts";
import { comeAndGo } from "./faults/coming-and-going.ts";
import { type Fault, withFault } from "./faults/fault.ts";
import { killAndRestart } from "./faults/killed-agents.ts";
import { loseDisk } from "./faults/lost-disk.ts";
import { loseServers } from "./faults/lost-servers.ts";
import { part } from "./faults/parted-network.ts";
import { sleep } from "./faults/zombie.ts";

const skip = needsProgram("nats-server");

interface Row {
  readonly name: string;
  /** How often it is tried: in `npm test`, in the long form, in the largest one. */
  readonly runs: readonly [number, number, number];
  readonly fault: Fault;
}

const ROWS: readonly Row[] = [
  {
    name: "F1: an agent that is killed goes on by the same command",
    ...{ runs: [1, 30, 300], fault: killAndRestart(1) },
  },
  {
    name: "F2: the pages of an agent that is lost with its disk are fetched again",
    ...{ runs: [1, 20, 100], fault: loseDisk },
  },
  {
    name: "F3: three of four agents that are killed at once go on",
    ...{ runs: [1, 10, 50], fault: killAndRestart(3) },
  },
  {
    name: "F5: two sites that were parted, and went on, show each page once",
    ...{ runs: [1, 5, 40], fault: part("continue") },
  },
  {
    name: "F5 fenced: of two sites that were parted one goes on at most",
    ...{ runs: [1, 5, 40], fault: part("fence") },
  },
  {
    name: "F6: agents whose servers are killed, or hang, miss nothing",
    ...{ runs: [1, 10, 60], fault: loseServers },
  },
  {
    name: "F11: agents that join and leave in mid-crawl make nothing be fetched twice",
    ...{ runs: [1, 6, 40], fault: comeAndGo },
  },
  {
    name: "F13: an agent that was stopped until it seemed dead joins again",
    ...{ runs: [1, 5, 30], fault: sleep },
  },
];

/** Most of the time agents wait. */
const AT_ONCE = 2;

describe("agents that crawl a web together", { skip, concurrency: AT_ONCE }, () => {
  for (const { name, runs, fault } of ROWS) {
    for (const seed of seedsOf(name, runs)) {
      test(`${name} (${seed})`, async (context) => {
        await withFault(fault, seed, (outcome) => context.diagnostic(outcome));
      });
    }
  }
});

/** `F1 1`, and so on; a seed that is named chooses its row. */
function seedsOf(name: string, [few, more, most]: Row["runs"]): readonly string[] {
  const [row = ""] = name.split(":");
  const seed = process.env["TROBAR_SEED"];
  if (seed !== undefined) return seed.replace(/ \S+$/, "") === row ? [seed] : [];
  const isFull = process.env["TROBAR_FULL"] === "1";
  const count = process.env["TROBAR_RELEASE"] === "1" ? most : isFull ? more : few;
  return Array.from({ length: count }, (_, run) => `${row} ${run + 1}`);
}
