/**
 * The numbers that the runs of `index/` give to pages, asked for in the order of their fingerprints.
 * What nobody asks for has no row: its page was given up, and no other page has its number.
 */
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import { numberIn, RunWalk, type TableMarks } from "../../../base/runs/index.ts";
import { answered, type Storage } from "../../../base/seams/index.ts";
import { KEYS_FORMAT, type NumberedPage, type PageIndex } from "../../index/index.ts";
import { type ProblemList, REBUILD } from "./problem-list.ts";

/** A running crawl merges runs, and removes those that it has merged. */
const TRIES = 5;
const REMEDY = `Pages are found all the same, by reading the crawl log. ${REBUILD}.`;
/** Numbers without a row that are looked up; there are few, unless all is wrong. */
const UNASKED_MAX = 100_000;

export class KeyedNumbers {
  /** Pages up to this number are in the runs; others are found by reading the rows behind it. */
  readonly greatest: number;
  readonly #walk: RunWalk;
  readonly #problems: ProblemList;
  readonly #unasked: number[] = [];

  private constructor(storage: Storage, { stack, greatest }: TableMarks, problems: ProblemList) {
    this.greatest = greatest;
    this.#problems = problems;
    this.#walk = new RunWalk(storage, stack.runs, {
      format: KEYS_FORMAT,
      passed: (_key, payload) => {
        if (this.#unasked.length < UNASKED_MAX) this.#unasked.push(numberIn(payload));
      },
      damaged: (file, reason) => this.#tell(file, reason, null),
    });
  }

  /** To be opened before the rows are read; damage is told. */
  static async open(
    storage: Storage,
    index: PageIndex,
    problems: ProblemList,
  ): Promise<KeyedNumbers> {
    for (let tries = TRIES; ; tries -= 1) {
      const marks = await answered<TableMarks>((done) => index.keys(done));
      const keys = new KeyedNumbers(storage, marks, problems);
      if (await keys.#walk.begin(tries > 1)) return keys;
    }
  }

  /** Of the page with this fingerprint; null if no run has it, undefined if that cannot be known. */
  async of({ high, low }: Fingerprint): Promise<number | null | undefined> {
    const payload = await this.#walk.find(high, low);
    return payload == null ? payload : numberIn(payload);
  }

  /** All pages with a row have been asked for: looks at the others. */
  async end(index: Pick<PageIndex, "at">): Promise<void> {
    await this.#walk.end();
    for (const number of this.#walk.isBlind ? [] : this.#unasked) {
      const page = await answered<NumberedPage | null>((done) => index.at(number, done));
      if (page === null) continue;
      this.#tell("index", `the row ${number} is found by the key of another page`, page.url);
    }
  }

  async close(): Promise<void> {
    await this.#walk.close();
  }

  #tell(file: string, problem: string, url: string | null): void {
    this.#problems.add({ file, at: null, url, problem, remedy: REMEDY });
  }
}
