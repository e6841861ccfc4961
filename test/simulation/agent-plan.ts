/** What happens to a killed crawl, as data: a seed draws it, and a failing one can be kept. */
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import type { DiskSpeed } from "../../src/lab/simulator/index.ts";
import type { Kill } from "../support/agent/virtual-run.ts";

export interface AgentPlan {
  /** Of the site, and of all that chance decides. */
  readonly seed: string;
  readonly traversal: string;
  readonly depthMax: number | null;
  readonly pagesMax: number | null;
  readonly hasSitemaps: boolean;
  readonly hasRequisites: boolean;
  /** Whether robots.txt files and sitemaps may be elsewhere, or not to be had; false when left out. */
  readonly hasOddFiles?: boolean;
  readonly compression: "gzip" | "none";
  readonly hostDelayMs: number;
  readonly addressDelayMs: number;
  readonly checkpointMs: number;
  readonly diskSpeed: Partial<DiskSpeed>;
  readonly backgroundMsMax: number;
  /** How long a message from lane to lane may take; little when left out. */
  readonly wayMsMax?: number;
  /** One process after the other; if none ends by itself, a last one follows. */
  readonly lives: readonly PlannedLife[];
}

export interface PlannedLife {
  readonly lanes: number;
  readonly kill: Kill | null;
  /** When somebody stops it, and when a seed is added; null for never. */
  readonly stopAtMs: number | null;
  readonly seedAtMs: number | null;
}

const TRAVERSALS = ["breadth-first", "global-breadth-first", "depth-first", "priority"] as const;

/**
 * Processes have up to this many lanes, each as many as it likes. Whether power fails, or processes are
 * only killed, is drawn unless it is given.
 */
export function planOf(
  seed: string,
  lanesMax: number,
  losesPower: boolean | null = null,
): AgentPlan {
  const random = new SeededRandom(`plan ${seed}`);
  const isSlow = random.below(3) === 0;
  const traversal = random.below(3) > 0 ? "breadth-first" : oneOf(random, TRAVERSALS);
  const plan: AgentPlan = {
    ...{ seed, traversal },
    depthMax: random.below(4) === 0 ? 1 + random.below(4) : null,
    pagesMax: random.below(4) === 0 ? 1 + random.below(8) : null,
    hasSitemaps: random.below(2) === 0,
    hasRequisites: random.below(3) === 0 && traversal !== "depth-first",
    compression: random.below(6) === 0 ? "gzip" : "none",
    hostDelayMs: oneOf(random, [0, 20, 100]),
    addressDelayMs: oneOf(random, [0, 0, 30]),
    checkpointMs: oneOf(random, [30, 100, 300, 2000]),
    diskSpeed: isSlow ? { callMsMax: 20, syncMsMax: 120 } : {},
    backgroundMsMax: oneOf(random, [5, 5, 100]),
    lives: drawLives(random, lanesMax, losesPower),
    hasOddFiles: new SeededRandom(`files of plan ${seed}`).below(2) === 0,
  };
  return lanesMax === 1 ? plan : withWays(plan);
}

/**
 * Links are on their way for longer in half of the plans with lanes, and these take checkpoints meanwhile:
 * as drawn for one lane, kills come before there is a second one.
 */
function withWays(plan: AgentPlan): AgentPlan {
  const random = new SeededRandom(`ways of plan ${plan.seed}`);
  if (random.below(2) === 0) return plan;
  const lives = plan.lives.map((life) => {
    if (life.lanes === 1 || life.kill === null) return life;
    const later = { steps: random.below(80), afterCommits: 3 + random.below(10) };
    return { ...life, kill: { ...life.kill, ...later } };
  });
  return { ...plan, lives, hostDelayMs: 0, checkpointMs: 30, wayMsMax: 40 };
}

/** Power fails in half of the plans. */
function drawLives(
  random: Random,
  lanesMax: number,
  losesPower: boolean | null,
): readonly PlannedLife[] {
  const isDrawn = random.below(2) === 0;
  const mayLosePower = losesPower ?? isDrawn;
  return Array.from({ length: oneOf(random, [1, 1, 1, 2, 2, 3]) }, () => {
    const life = drawLife(random, lanesMax);
    if (life.kill === null || mayLosePower) return life;
    return { ...life, kill: { ...life.kill, isPower: false } };
  });
}

function drawLife(random: Random, lanesMax: number): PlannedLife {
  const isStopped = random.below(6) === 0;
  const stopAtMs = isStopped ? random.below(600) : null;
  const kill = isStopped && random.below(2) === 0 ? null : drawKill(random);
  const seedAtMs = random.below(6) === 0 ? random.below(400) : null;
  return { lanes: 1 + random.below(lanesMax), kill, stopAtMs, seedAtMs };
}

/** Some during the opening, some around a checkpoint, the others at any time. */
function drawKill(random: Random): Kill {
  const isPower = random.below(3) > 0;
  const afterCommits = 1 + random.below(5);
  if (random.below(3) === 0) return { steps: random.below(30), isPower, afterCommits };
  return { steps: random.below(oneOf(random, [60, 250, 500, 900])), isPower };
}

function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}
