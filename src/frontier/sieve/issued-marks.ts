/**
 * The marks that a sieve has given out and that may still be needed: it may be opened with any of
 * them until newer ones are confirmed. While marks are here, the files that they name and the text
 * from their beginning on are kept.
 */
import type { Log, Position } from "../../base/log/index.ts";
import type { RunStack, RunStackMarks } from "../../base/runs/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import type { SieveMarks } from "./sieve.ts";
import { printState, type SieveState } from "./sieve-state.ts";

interface Issue {
  readonly runs: RunStackMarks;
  readonly from: Position;
  /** Empty until the offers' end is known. */
  marks: SieveMarks;
}

/** One checkpoint, from its call to its answer. */
export interface Issuing {
  /** The marks, now that it is known where the offers end. */
  print(to: Position): SieveMarks;
  /** The marks will not be answered. */
  drop(): void;
}

export class IssuedMarks {
  readonly #stack: RunStack;
  readonly #log: Log;
  #issues: Issue[] = [];

  constructor(stack: RunStack, log: Log) {
    this.#stack = stack;
    this.#log = log;
  }

  /** The sieve was opened with these. */
  addOpened({ runs, from }: SieveState, marks: SieveMarks): void {
    this.#issues.push({ runs, from, marks });
  }

  /** Keeps everything as it is now. */
  issue(state: Omit<SieveState, "runs" | "to">): Issuing {
    const issue: Issue = { runs: this.#stack.mark(), from: state.from, marks: "" };
    this.#issues.push(issue);
    return {
      print: (to) => {
        issue.marks = printState({ ...state, runs: issue.runs, to });
        return issue.marks;
      },
      drop: () => {
        this.#issues = this.#issues.filter((each) => each !== issue);
        this.#stack.forget(issue.runs);
      },
    };
  }

  /** These marks are stored now; answers when the text that only older ones needed is removed. */
  confirm(marks: SieveMarks, done: Acknowledge): void {
    const at = this.#issues.findIndex((issue) => issue.marks === marks);
    const issue = this.#issues[at];
    if (issue !== undefined) {
      this.#issues = this.#issues.slice(at);
      this.#stack.keepOnly(issue.runs);
    }
    this.#log.dropBefore(issue?.from ?? this.#log.begin, done);
  }
}
