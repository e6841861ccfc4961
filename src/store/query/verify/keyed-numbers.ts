/**
 * The numbers that the runs of `index/` give to pages, asked for in the order of their fingerprints.
 * What nobody asks for has no row: its page was given up, and no other page has its number.
 */
import { isCrawlError } from "../../../base/errors/index.ts";
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
  readonly #unasked: number[];
  /** After damage nothing is known. */
  #isDamaged = false;

  private constructor(
    { greatest }: TableMarks,
    walk: RunWalk,
    unasked: number[],
    problems: ProblemList,
  ) {
    this.greatest = greatest;
    this.#walk = walk;
    this.#unasked = unasked;
    this.#problems = problems;
  }

  /** To be opened before the rows are read; damage is told. */
  static async open(
    storage: Storage,
    index: PageIndex,
    problems: ProblemList,
  ): Promise<KeyedNumbers> {
    for (let tries = TRIES; ; tries -= 1) {
      const marks = await answered<TableMarks>((done) => index.keys(done));
      const unasked: number[] = [];
      const walk = new RunWalk(storage, marks.stack.runs, {
        format: KEYS_FORMAT,
        passed: (_key, payload) => {
          if (unasked.length < UNASKED_MAX) unasked.push(numberIn(payload));
        },
      });
      const keys = new KeyedNumbers(marks, walk, unasked, problems);
      try {
        await walk.begin();
        return keys;
      } catch (error) {
        if (tries > 1 && isCrawlError(error) && error.facts["reason"] === "it is missing") continue;
        keys.#damaged(error);
        return keys;
      }
    }
  }

  /** Of the page with this fingerprint; null if no run has it, undefined if that cannot be known. */
  async of({ high, low }: Fingerprint): Promise<number | null | undefined> {
    if (this.#isDamaged) return undefined;
    try {
      const payload = await this.#walk.find(high, low);
      return payload === null ? null : numberIn(payload);
    } catch (error) {
      this.#damaged(error);
      return undefined;
    }
  }

  /** All pages with a row have been asked for: looks at the others. */
  async end(index: Pick<PageIndex, "at">): Promise<void> {
    if (this.#isDamaged) return;
    try {
      await this.#walk.end();
    } catch (error) {
      this.#damaged(error);
      return;
    }
    for (const number of this.#unasked) {
      const page = await answered<NumberedPage | null>((done) => index.at(number, done));
      if (page === null) continue;
      this.#tell("index", `the row ${number} is found by the key of another page`, page.url);
    }
  }

  async close(): Promise<void> {
    await this.#walk.close();
  }

  #damaged(error: unknown): void {
    if (!isCrawlError(error)) throw error;
    this.#isDamaged = true;
    const { file, reason } = error.facts;
    this.#tell(String(file ?? "index"), String(reason ?? error.message), null);
  }

  #tell(file: string, problem: string, url: string | null): void {
    this.#problems.add({ file, at: null, url, problem, remedy: REMEDY });
  }
}
