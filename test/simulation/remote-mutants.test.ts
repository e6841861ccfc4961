/** The trial of remote connectors finds bugs: each of these is planted in a copy of them, and found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Explored, explore } from "../../src/lab/simulator/index.ts";
import type { RemoteDoor } from "../support/topology/remote-rig.ts";
import { type PlantedBug, withBug, withoutBug } from "./planted-bugs.ts";
import { planRemoteFaults, type RemoteFault, remoteConnector } from "./remote-trial.ts";

const DEATHS: readonly RemoteFault[] = ["crash", "restart", "slow-disk", "noise"];

interface RemoteBug extends PlantedBug {
  readonly faults?: readonly RemoteFault[];
}

/** So many schedules are tried before a bug counts as not found. */
const SEEDS = 300;

const bugs: readonly RemoteBug[] = [
  {
    name: "frames are acknowledged before they are durable",
    file: "topology/remote/receiving-connector.ts",
    from: "} else {\n      this.#owed.push({ stream, respond });",
    to:
      '} else {\n      respond({ kind: "taken", at: stream.at, reason: "" });\n' +
      "      this.#owed.push({ stream, respond: () => undefined });",
    faults: DEATHS,
  },
  {
    name: "frames are taken in any order",
    file: "topology/remote/inbound-streams.ts",
    from: 'return after === stream.at ? "next" : "gap";',
    to: 'return after >= 0 ? "next" : "gap";',
  },
  {
    name: "frames are taken twice",
    file: "topology/remote/inbound-streams.ts",
    from: 'if (end <= stream.at) return "known";\n    return after === stream.at ? "next" : "gap";',
    to: 'return after <= stream.at ? "next" : "gap";',
  },
  {
    name: "frames are sent before they are durable, so that numbers are used again",
    file: "topology/remote/outbound-log.ts",
    from: "const [first, last] = [this.#tail[0], this.#tail.at(-1)];",
    to:
      "const durable = this.#tail;\n    this.#tail = [...durable, ...this.#appended];\n" +
      "    const early = this.inMemoryAfterEarly(position, countMax);\n    this.#tail = durable;\n" +
      "    return early;\n  }\n\n" +
      "  inMemoryAfterEarly(position: Position, countMax: number): readonly OutboundFrame[] | null {\n" +
      "    const [first, last] = [this.#tail[0], this.#tail.at(-1)];",
    faults: DEATHS,
  },
  {
    name: "frames are dropped before they are acknowledged",
    file: "topology/remote/send-window.ts",
    from: "log.dropBefore(at);",
    to: "log.dropBefore(log.committed);",
  },
  {
    name: "a sender that starts again begins another stream",
    file: "topology/remote/outbound-log.ts",
    from: "else if (STREAM.test(known)) done(null, known);",
    to: "else if (STREAM.test(known)) done(null, String(random.u32() + known.length));",
    faults: DEATHS,
  },
  {
    name: "a frame that got lost is not sent again",
    file: "topology/remote/send-window.ts",
    from: "      flight.isAsked = false;\n",
    to: '      flight.isAsked = answer.kind !== "reply";\n',
  },
  {
    name: "a frame that came too early is not sent again",
    file: "topology/remote/send-window.ts",
    from: "      flight.isAsked = false;\n",
    to: '      flight.isAsked = answer.kind === "reply";\n',
  },
  {
    name: "what is in the batch is forgotten at an orderly end",
    file: "topology/remote/sending-connector.ts",
    from: "    this.#batch.flush();\n    this.#window.close();",
    to: "    this.#window.close();",
    faults: DEATHS,
  },
  {
    name: "a sender ends before the last commit",
    file: "topology/remote/sending-connector.ts",
    from: "if (hasEnded || (!this.#log.isCommitted && this.#log.isOpen)) return;",
    to: "if (hasEnded) return;",
    faults: DEATHS,
  },
  {
    name: "what was taken is not marked at an orderly end",
    file: "topology/remote/receiving-connector.ts",
    from: "this.#tryMark(this.#isOver);",
    to: "",
    faults: DEATHS,
  },
  {
    name: "items are marked that nobody has taken",
    file: "topology/remote/fed-items.ts",
    from: "let items = this.#items - left - this.#forgotten;",
    to: "let items = this.#items - 0 * left - this.#forgotten;",
    faults: DEATHS,
  },
  {
    name: "a mark does not say how far streams have got",
    file: "topology/remote/receiving-connector.ts",
    from: "encodeMark({ taken, isOver, streams: this.#streams.marked() })",
    to: "encodeMark({ taken, isOver, streams: [] })",
    faults: DEATHS,
  },
  {
    name: "the log is shortened by a mark that is not durable",
    file: "topology/remote/receiving-connector.ts",
    from: "        this.#needed = needed;",
    to: "        this.#needed = this.#log.committed;",
    faults: DEATHS,
  },
  {
    name: "the receiver forgets on restart what was not taken",
    file: "topology/remote/open-inbound.ts",
    from: "if (rest.length === 0) return [];",
    to: "if (rest.length >= 0) return [];",
    faults: DEATHS,
  },
  {
    name: "pieces that a dead sender left are put before the next batch",
    file: "topology/remote/inbound-streams.ts",
    from: "const isWhole = piece.isFirst || !piece.isLast",
    to: "const isWhole = !piece.isLast",
    faults: DEATHS,
  },
  {
    name: "that all producers are done is not told",
    file: "topology/remote/sending-connector.ts",
    from: "this.#batch.close();",
    to: "this.#batch.flush();",
  },
  {
    name: "a connector ends with the items that have not gone in",
    file: "topology/remote/receiving-connector.ts",
    from: "    for (let first = this.#waiting[0]; first !== undefined;",
    to:
      "    if (this.#streams.closed > 0) this.#inlet.close();\n" +
      "    for (let first = this.#isFeeding ? undefined : this.#waiting[0]; first !== undefined;",
  },
  {
    name: "producers are not told when there is room again",
    file: "topology/remote/sending-connector.ts",
    from: "    this.#intake.admit();\n",
    to: "",
  },
];

for (const bug of bugs) {
  test(`the trial notices when ${bug.name}`, async (context) => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => String(index + 1));
    const { runs, discovery } = await explored(bug, bug.faults, seeds);
    assert.ok(discovery !== null, `not found in ${runs} schedules`);
    const { failure, regression } = discovery;
    const { seed } = regression;
    context.diagnostic(`${runs} schedules: ${failure.check}: ${failure.message}`);
    assert.doesNotMatch(failure.message, /SyntaxError|TypeError|ReferenceError/);
    const control = await explored(withoutBug(bug), bug.faults, [seed]);
    assert.equal(control.discovery, null, `seed ${seed} fails without the bug, too`);
  });
}

async function explored(
  bug: PlantedBug,
  faults: RemoteBug["faults"],
  seeds: readonly string[],
): Promise<Explored> {
  const door = await withBug<RemoteDoor>("src/topology/remote/index.ts", bug);
  return explore({
    ...{ suite: "remote connector with a bug", seeds },
    plan: (random) => planRemoteFaults(random, faults),
    ...remoteConnector(door),
    shrinkTriesMax: 0,
    replay: (seed) => `seed ${seed}`,
  });
}
