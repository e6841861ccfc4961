/** Bugs of the agent that killed crawls must find, each a line of its sources changed. */
import type { PlantedBug } from "./planted-bugs.ts";

export interface AgentBug extends PlantedBug {
  /** A crawl that shows it, or one a little before. When it has moved on, those after it are tried too. */
  readonly seed: number;
  /** The most lanes of such a crawl; 1 when left out. */
  readonly lanes?: number;
}

export const AGENT_BUGS: readonly AgentBug[] = [
  {
    name: "the lines that a checkpoint knows are not durable",
    file: "agent/crawl/checkpoint-cycle.ts",
    from: "    commitPages(taking, committed);",
    to: "    committed(null);",
    seed: 10,
  },
  {
    name: "answers are worked on while a checkpoint is taken",
    file: "agent/crawl/crawl.ts",
    from: "this.parts.ledger.gate.close(member === null ? quiet : settled);",
    to: "(member === null ? quiet : settled)();",
    seed: 90,
  },
  {
    name: "lines are replayed that the checkpoint knows",
    file: "agent/recovery/replay.ts",
    from: "CrawlLogView.open(storage, from, done)",
    to: "CrawlLogView.open(storage, 0 * from, done)",
    seed: 10,
  },
  {
    name: "a line that is replayed counts twice",
    file: "agent/recovery/open-replay.ts",
    from: "ledger.counts.addLine(line);",
    to: "ledger.counts.addLine(line);\n      ledger.counts.addLine(line);",
    seed: 10,
  },
  {
    name: "the frontier is not told that a replayed page has ended",
    file: "agent/visit/page-visit.ts",
    from: "frontier.markEnded([endedPage(line, this.errand.ticket, isTold)]);",
    to: "endedPage(line, this.errand.ticket, isTold);",
    seed: 2,
  },
  {
    name: "records without a line are kept",
    file: "store/archive/open-records.ts",
    from: "closeLeftOpen(storage, left, endBytes, (error) => {",
    to: "closeLeftOpen(storage, left, left.wholeBytes, (error) => {",
    seed: 8,
  },
  {
    name: "the torn end of an archive file is not cut off",
    file: "store/archive/open-warc.ts",
    from: "else cutFile(storage, open, endBytes, whenDone(done, rename));",
    to: "else cutFile(storage, open, left.lengthBytes, whenDone(done, rename));",
    seed: 8,
  },
  {
    name: "lines are kept whose records are torn",
    file: "store/archive/open-records.ts",
    from: "const isLost = left !== undefined && end > left.wholeBytes;",
    to: "const isLost = left !== undefined && end > left.wholeBytes + 1e9;",
    seed: 131,
  },
  {
    name: "answers are not kept that the archive will not have",
    file: "store/archive/page-store.ts",
    from: "return journal !== null && !(archives && isFound);",
    to: "return false;",
    seed: 47,
  },
  {
    name: "hosts are not left alone after a kill",
    file: "frontier/front/open-frontier.ts",
    from: "const killedAtMs = wasKilled ? clock.nowMs() : null;",
    to: "const killedAtMs = null;",
    seed: 200,
  },
  {
    name: "a checkpoint claims to know lines that came after it",
    file: "agent/crawl/checkpoint-cycle.ts",
    from: "checkpoints.write({ ...saved, ...read, archive, links, logEnd: end }",
    to: "checkpoints.write({ ...saved, ...read, archive, links, logEnd: taking.store.linesEnd()() }",
    seed: 10,
  },
  {
    name: "pages that are replayed again have another row",
    file: "agent/providers/open-index.ts",
    from: " || isRetrying(world.folder) || world.wasKilled,",
    to: " || isRetrying(world.folder),",
    seed: 179,
  },
  {
    name: "robots.txt files are not replayed",
    file: "agent/recovery/replay.ts",
    from: "      await this.#takeRobots(line);",
    to: "      void this.#takeRobots;",
    seed: 2,
  },
  {
    name: "sitemaps are fetched again instead of replayed",
    file: "agent/recovery/replay.ts",
    from: "    const answer = isFinal(line)",
    to: "    if (level !== null) return lost(errand.ticket, level);\n    const answer = isFinal(line)",
    seed: 2,
  },
  {
    name: "checkpoints do not know where redirects of a robots.txt have led",
    file: "frontier/front/visits/origin-robots.ts",
    from: "...(this.#moved === null",
    to: "...(this.#moved !== undefined",
    seed: 72,
  },
  {
    name: "redirects of a robots.txt are not replayed",
    file: "frontier/front/visits/robots-desk.ts",
    from: "if (moved !== null) task.origin.move(moved, atMs);",
    to: "if (moved !== null) task.origin.beAsked();",
    seed: 84,
  },
  {
    name: "tries for a robots.txt that failed do not count after a kill",
    file: "agent/recovery/replayed-robots.ts",
    from: "return isFailure ?",
    to: "return isFailure && atMs < 0 ?",
    seed: 47,
  },
  {
    name: "a Crawl-delay that is replayed does not hold since the kill",
    file: "frontier/front/hosts/state/visit-state.ts",
    from: "this.#home.states.restSinceKill(this.#work.waits);\n    this.#move();\n  }\n\n  /** Begins",
    to: "this.#move();\n  }\n\n  /** Begins",
    seed: 105,
  },
  {
    name: "what was taken is made durable too seldom",
    file: "agent/crawl/commits.ts",
    from: "Math.min(RETRY_FULL_MS, checkpoint) : checkpoint;",
    to: "Math.min(RETRY_FULL_MS, checkpoint) : 20 * checkpoint;",
    seed: 8,
  },
  {
    name: "links of other lanes are acknowledged before the frontier has them",
    file: "agent/lanes/router/link-router.ts",
    from: "    readLinkBatch(bytes, this.#parts.taker);",
    to: "    this.#parts.clock.after(200, () => readLinkBatch(bytes, this.#parts.taker));",
    ...{ seed: 56, lanes: 3 },
  },
];
