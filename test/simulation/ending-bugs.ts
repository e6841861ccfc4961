/**
 * Bugs in how a crawl ends and how an agent leaves it, each a line of the sources changed, and the tests beside
 * the modules that must find it.
 */
import type { TestedBug } from "./planted-bugs.ts";

const TERMINATION = "cluster/termination/termination.ts";
const BALLOT = "cluster/termination/ballot.ts";
const NODE = "cluster/node/cluster-node.ts";
const NODE_TEST = "cluster/node/cluster-node.test.ts";
const NODE_LIMITS = "cluster/node/node-limits.ts";
const LEAVING = "cluster/membership/life/leaving.ts";
const RING_CHANGES = "cluster/membership/view/ring-changes.ts";
const LEAVING_TEST = "cluster/membership/life/leaving.test.ts";
const TERMINATION_TEST = "cluster/termination/termination.test.ts";

const ENDING = "cluster/membership/life/ending.ts";
const ENDING_TEST = "cluster/membership/life/ending.test.ts";
const DETECTOR = "cluster/membership/view/failure-detector.ts";

export const ENDING_BUGS: readonly TestedBug[] = [
  {
    name: "agents that end tell nobody (T2)",
    file: ENDING,
    from: 'if (replied.kind === "reply") this.#told.add(placeText(place));',
    to: "void replied;",
    test: ENDING_TEST,
  },
  {
    name: "an agent that ends does not wait for the others' word (T2)",
    file: ENDING,
    from: "({ place, saidEnd }) => saidEnd && this.#told.has(placeText(place)),",
    to: "({ place }) => this.#told.has(placeText(place)),",
    test: ENDING_TEST,
  },
  {
    name: "who has ended is not waited for, though there are seeds that it did not know (T2)",
    file: DETECTOR,
    from: "if (endedWith === null || endedWith !== this.#own.knowledge()) return false;",
    to: "if (endedWith === null) return false;",
    test: ENDING_TEST,
  },
  {
    name: "who has ended is not waited for, though it was told something since (T2)",
    file: DETECTOR,
    from: "toldAtEnd !== this.#own.toldTo(place)?.entries",
    to: "this.#own.toldTo(place) === null",
    test: ENDING_TEST,
  },
  {
    name: "who ended in an earlier process is not waited for after a restart (T2)",
    file: DETECTOR,
    from: "return saidEnd || nowMs - silentSinceMs > this.#settings.giveUpAfterMs;",
    to: "return saidEnd || nowMs >= silentSinceMs;",
    test: ENDING_TEST,
  },
  {
    name: "who has ended is given up before anybody can end without it (T2)",
    file: DETECTOR,
    from: "this.hasEnded(entry, nowMs) ? ENDING_DEATHS * deadAfterMs : 0;",
    to: "this.hasEnded(entry, nowMs) ? 0 : 0;",
    test: ENDING_TEST,
  },
  {
    name: "a barrier waits for who has ended (T2, B1)",
    file: DETECTOR,
    from: "      .filter((entry) => !this.hasEnded(entry, nowMs));\n",
    to: "      .filter((entry) => entry !== null);\n",
    test: ENDING_TEST,
  },
  {
    name: "an empty disk that came too late is told nothing (T2)",
    file: "cluster/membership/barrier/join-barrier.ts",
    from: "if (this.#isTooLate) this.#tellTooLate();",
    to: "if (this.#isTooLate) void 0;",
    test: ENDING_TEST,
  },
  {
    name: "another life of who has ended does not count (T2)",
    file: "cluster/membership/view/attendance.ts",
    from: "      entry.goesOn();\n",
    to: "",
    test: ENDING_TEST,
  },
  {
    name: "work between the waves is not seen (T1, w-counter ignored)",
    file: BALLOT,
    from: "status.work}`",
    to: "status.isIdle}`",
    test: TERMINATION_TEST,
  },
  {
    name: "a life that began between the waves counts as the one before (T1)",
    file: BALLOT,
    from: "{incarnation} $",
    to: "{incarnation * 0} $",
    test: TERMINATION_TEST,
  },
  {
    name: "a wave ends without those who were not asked (T1)",
    file: BALLOT,
    from: "if (vote === undefined || !samePlace(vote.place, place)) return null;",
    to: "if (vote === undefined || !samePlace(vote.place, place)) continue;",
    test: TERMINATION_TEST,
  },
  {
    name: "two waves over different views prove an end (T1, no viewHash)",
    file: BALLOT,
    from: 'return [hash, ...lines].join("\\n");',
    to: 'return ["" + (hash.length < 0), ...lines].join("\\n");',
    test: TERMINATION_TEST,
  },
  {
    name: "seeds and lost members do not undo an end (T1, noFinish)",
    file: TERMINATION,
    from: "return end !== null && end.hash === view.hash && end.work === work.changes;",
    to: "return end !== null && view.hash !== null && end.work === work.changes;",
    test: TERMINATION_TEST,
  },
  {
    name: "work does not undo an end (T1, noFinish)",
    file: TERMINATION,
    from: "return end !== null && end.hash === view.hash && end.work === work.changes;",
    to: "return end !== null && end.hash === view.hash && work.changes >= 0;",
    test: TERMINATION_TEST,
  },
  {
    name: "an end that one agent has undone stays with the others (T1, noFinish)",
    file: TERMINATION,
    from: "      if (status.isIdle && status.work === work) continue;",
    to: "      if (status.hash === end.hash) continue;",
    test: TERMINATION_TEST,
  },
  {
    name: "an agent does not learn that an end was undone (T1, noFinish)",
    file: TERMINATION,
    from: '    if (stage === "working") {',
    to: '    if (stage === "working" && wave < 0) {',
    test: TERMINATION_TEST,
  },
  {
    name: "questions of earlier waves count (T1)",
    file: TERMINATION,
    from: "    if (this.#asker.text === text && wave < this.#asker.wave) return;\n",
    to: "",
    test: TERMINATION_TEST,
  },
  {
    name: "the end comes without members that are dead (T1)",
    file: TERMINATION,
    from: 'standing !== "given-up" && !hasEnded;',
    to: 'standing !== "given-up" && standing !== "dead" && !hasEnded;',
    test: TERMINATION_TEST,
  },
  {
    name: "an agent stops before all know of the end (T1)",
    file: TERMINATION,
    from: 'if (!stages.every((stage) => stage === "finished" || stage === "concluded")) return;',
    to: "if (stages.length < 0) return;",
    test: TERMINATION_TEST,
  },
  {
    name: "an agent is idle while hosts are withheld (T1, B3)",
    file: NODE,
    from: "const isReady = isSure && !this.#withholding.isPartialBut((id) => hasEnded(this.view, id));",
    to: "const isReady = isSure;",
    test: NODE_TEST,
  },
  {
    name: "an agent is idle while a place is on probation (T1, G3)",
    file: NODE,
    from: "const isSure = this.view.onProbation === 0 && ",
    to: "const isSure = ",
    test: NODE_TEST,
  },
  {
    name: "an agent is idle while it is asked to hand over (T1, B2)",
    file: NODE,
    from: "const isAsked = this.#membership.openRequests > 0 || this.#membership.isTakingOver;",
    to: "const isAsked = this.#membership.isTakingOver;",
    test: NODE_TEST,
  },
  {
    name: "a node without limits left is never idle (T1, M6)",
    file: NODE_LIMITS,
    from: "return this.#limits.isSettled && !(work.isWaiting && this.#limits.mayBegin);",
    to: "return this.#limits.isSettled && !work.isWaiting;",
    test: "cluster/node/node-limits.test.ts",
  },
  {
    name: "URLs that wait for nothing do not keep a node from being idle (T1, M6)",
    file: NODE_LIMITS,
    from: "return this.#limits.isSettled && !(work.isWaiting && this.#limits.mayBegin);",
    to: "return this.#limits.isSettled && work !== null;",
    test: "cluster/node/node-limits.test.ts",
  },
  {
    name: "suspicions count as work of the view (T1)",
    file: "cluster/node/view-work.ts",
    from: "if (seen !== this.#seen) this.#changes += 1;",
    to: "this.#changes += 1;",
    test: "cluster/node/view-work.test.ts",
  },
  {
    name: "what was told to one that joins again in order to leave is not waited for (T1, L1)",
    file: "cluster/node/view-work.ts",
    from: "    if (!isInRing) outside.push(place);\n",
    to: "",
    test: "cluster/node/view-work.test.ts",
  },
  {
    name: "with a fence whoever has said that it is gone is told to join again (L1, P2)",
    file: "cluster/membership/view/heartbeats.ts",
    from: 'if (entry.state === "leaving" && entry.hasLeft) return false;',
    to: "",
    test: LEAVING_TEST,
  },
  {
    name: "what a leaver was told is not told anew (L1, G1, leaveNoResend)",
    file: LEAVING,
    from: "        if (!entry.isGivenUp) changes.giveUp(entry);\n",
    to: "        entry.isInRing = false;\n",
    test: LEAVING_TEST,
  },
  {
    name: "a leaver is gone before others have noted it (L1, leaveNoResend)",
    file: LEAVING,
    from: "if (waiting.length === 0) this.#parts.over();",
    to: "if (waiting.length >= 0) this.#parts.over();",
    test: LEAVING_TEST,
  },
  {
    name: "that an agent has left is answered before it is durable (L1, D1)",
    file: LEAVING,
    from: "core.file.whenSaved(() => respond(null));",
    to: "respond(null);",
    test: LEAVING_TEST,
  },
  {
    name: "a leaver does not hand over again what a lost place has taken (L1, G1)",
    file: LEAVING,
    from: '    if (this.#core.life.state === "leaving" && this.#hasMoved) this.#parts.again();\n',
    to: "",
    test: LEAVING_TEST,
  },
  {
    name: "the last agent that leaves waits for others (L1)",
    file: LEAVING,
    from: "if (this.#isAlone) moved();\n    else listener",
    to: "if (others.length < 0) moved();\n    else listener",
    test: LEAVING_TEST,
  },
  {
    name: "a leaver hands over once, whoever is lost meanwhile (L1, G1)",
    file: "cluster/node/handing-over.ts",
    from: "if (gaveUps === this.#gaveUps) done();",
    to: "if (gaveUps <= this.#gaveUps) done();",
    test: "cluster/node/handing-over.test.ts",
  },
  {
    name: "a leaver goes though somebody has lost the disk that it brought pages to (L1, G1)",
    file: RING_CHANGES,
    from: "    this.#ring.lost();\n  }\n\n  /**",
    to: "  }\n\n  /**",
    test: LEAVING_TEST,
  },
  {
    name: "a leaver goes though somebody was given up that it brought pages to (L1, G1)",
    file: RING_CHANGES,
    from: "    if (!entry.hasLeft) this.#ring.lost();",
    to: "",
    test: LEAVING_TEST,
  },
  {
    name: "a leaver hands over anew because another one has left (L1)",
    file: RING_CHANGES,
    from: "    if (!entry.hasLeft) this.#ring.lost();",
    to: "    this.#ring.lost();",
    test: LEAVING_TEST,
  },
  {
    name: "what came of the pages of a leaver stays with it (L1)",
    file: "cluster/node/handing-over.ts",
    from: "const last = ifLatest(() => custody.handOverAll(limits));",
    to: "const last = limits;",
    test: "cluster/node/handing-over.test.ts",
  },
  {
    name: "the handing over of a leaver's earlier life goes on in its next one (L1)",
    file: "cluster/node/handing-over.ts",
    from: "if (begun === this.#begun && isLeaving()) step();",
    to: "if (isLeaving()) step();",
    test: "cluster/node/handing-over.test.ts",
  },
  {
    name: "who stays after all goes on with the steps of a leaver (L1)",
    file: "cluster/node/handing-over.ts",
    from: "if (begun === this.#begun && isLeaving()) step();",
    to: "if (begun === this.#begun) step();",
    test: "cluster/node/handing-over.test.ts",
  },
  {
    name: "a leaver does not bring copies whose visible one leaves too (L1, C1)",
    file: "cluster/pages/page-shipper.ts",
    from: "hiddenBy !== null && (!way.isHurried || isStaying(hiddenBy));",
    to: "hiddenBy !== null && (!way.isHurried || isStaying !== null);",
    test: "cluster/pages/page-shipper.test.ts",
  },
];
