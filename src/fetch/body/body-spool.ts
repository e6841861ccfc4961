/**
 * Holds all bodies of a lane: in memory up to a budget, the others in temporary files in one folder.
 * 500 slow bodies of 10 MiB need no more memory than the budget, and small pages still find room in
 * memory (the rule is in `body-memory.ts`; docs/adr/0024-body-spool.md).
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Done, FileName, Storage } from "../../base/seams/index.ts";
import { TurnBudget } from "../../base/time/index.ts";
import { BodyFile } from "./body-file.ts";
import { BodyMemory } from "./body-memory.ts";
import type { BodySink, BodySpool } from "./body-sink.ts";
import { SpooledBody, type SpoolParts } from "./spooled-body.ts";

export interface SpoolOptions {
  /** `fetch.bodyMemory`, or this lane's part of it. Idle memory counts too. */
  readonly memoryBytes: number;
  /** Only files below `bodies/` are touched. */
  readonly storage: Storage;
  readonly clock: Clock;
  /** Spreads the work on large bodies over turns; by default the spool has its own. */
  readonly turns?: TurnBudget;
}

const FOLDER: FileName = "bodies";
const BODY_FILE = /^bodies\/\d+$/;

/** Opens a spool in a folder that no other process uses; removes files left by a killed one. */
export function openSpool(options: SpoolOptions, done: Done<PooledSpool>): void {
  const { storage } = options;
  storage.list(FOLDER, (error, files) => {
    if (error !== null) return done(error, undefined);
    const leftovers = files.filter((name) => BODY_FILE.test(name));
    let waiting = leftovers.length;
    let failure: CrawlError | null = null;
    const removed = (removeError: CrawlError | null): void => {
      waiting -= 1;
      failure ??= removeError;
      if (waiting > 0) return;
      // A new body of the same name would be appended to a file that is still there.
      if (failure !== null) done(failure, undefined);
      else done(null, new PooledSpool(options));
    };
    if (waiting === 0) return done(null, new PooledSpool(options));
    for (const name of leftovers) storage.remove(name, removed);
  });
}

/** Made by `openSpool`. */
export class PooledSpool implements BodySpool {
  readonly #memory: BodyMemory;
  readonly #parts: SpoolParts;
  #filesMade = 0;

  constructor(options: SpoolOptions) {
    const { storage, turns = new TurnBudget(options.clock) } = options;
    this.#memory = new BodyMemory(options.memoryBytes);
    const makeFile = (): BodyFile => {
      this.#filesMade += 1;
      return new BodyFile(storage, `${FOLDER}/${this.#filesMade}`);
    };
    this.#parts = { memory: this.#memory, turns, makeFile };
  }

  open(expectedBytes: number | null, drained: () => void): BodySink {
    return new SpooledBody(this.#parts, expectedBytes, drained);
  }

  /** Memory held by bodies and by bytes that wait to be written, slack included. */
  get usedBytes(): number {
    return this.#memory.usedBytes;
  }

  /** `usedBytes` and idle memory; never above the budget. */
  get memoryBytes(): number {
    return this.#memory.heldBytes;
  }

  /** How many bodies had to go to disk so far. */
  get bodiesSpilled(): number {
    return this.#filesMade;
  }
}
