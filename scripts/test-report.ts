/**
 * Collects the results of a test run and prints them for people and for scripts: failures in full,
 * the seconds of each suite (a folder of tests) and of the longest files, what was skipped and why, and
 * a closing count.
 *
 * A test may be skipped for two reasons only, told apart by how the reason begins (see
 * `test/support/requirement.ts`): a program is missing, which fails the run unless
 * TROBAR_ALLOW_SKIP names it, or conformance data is not on this machine, which is only listed.
 */
import { dirname, relative } from "node:path";
import { inspect } from "node:util";
import { DATA_ABSENT, PROGRAM_MISSING } from "../test/support/requirement.ts";

interface TestEvent {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string;
  readonly skip?: string | boolean;
  readonly details: {
    readonly duration_ms: number;
    readonly type?: string;
    readonly error?: unknown;
  };
}

interface Suite {
  tests: number;
  milliseconds: number;
}

/** So many of the files that took longest are named. */
const LONGEST = 12;

export class TestReport {
  readonly #allowedSkips: ReadonlySet<string>;
  readonly #suites = new Map<string, Suite>();
  /** The milliseconds of each file. */
  readonly #files = new Map<string, number>();
  readonly #skips = new Map<string, number>();
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  readonly #say: (line: string) => void;

  /** `allowedSkips`: names of programs that may be missing, separated by commas. */
  constructor(allowedSkips: string, say: (line: string) => void = console.log) {
    this.#say = say;
    this.#allowedSkips = new Set(allowedSkips.split(",").map((name) => name.trim()));
  }

  passed(event: TestEvent): void {
    this.#time(event);
    if (event.details.type === "suite") return;
    if (event.skip === undefined || event.skip === false) {
      this.#passed += 1;
      return;
    }
    this.#skipped += 1;
    const reason = typeof event.skip === "string" ? event.skip : "no reason given";
    this.#skips.set(reason, (this.#skips.get(reason) ?? 0) + 1);
  }

  failed(event: TestEvent): void {
    this.#time(event);
    // A suite fails because a test in it did; that test is counted and shown itself.
    if (event.details.type === "suite") return;
    this.#failed += 1;
    this.#say(`\nFAILED ${fileOf(event)} > ${event.name}`);
    this.#say(inspect(causeOf(event.details.error), { depth: 6 }));
  }

  /** Prints everything and returns the exit code of the run. */
  print(): number {
    this.#printSuites();
    this.#printLongest();
    const refused = this.#printSkips();
    this.#say(`\n${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped`);
    if (this.#passed === 0) this.#say("No test passed: is the choice of files right?");
    return this.#failed > 0 || refused > 0 || this.#passed === 0 ? 1 : 0;
  }

  #time(event: TestEvent): void {
    const file = fileOf(event);
    const name = dirname(file);
    const suite = this.#suites.get(name) ?? { tests: 0, milliseconds: 0 };
    if (event.details.type !== "suite") suite.tests += 1;
    this.#suites.set(name, suite);
    if (event.nesting > 0) return;
    suite.milliseconds += event.details.duration_ms;
    this.#files.set(file, (this.#files.get(file) ?? 0) + event.details.duration_ms);
  }

  #printSuites(): void {
    const names = [...this.#suites.keys()].sort();
    const width = Math.max(5, ...names.map((name) => name.length));
    this.#say(`\n${"suite".padEnd(width)}  tests  seconds`);
    for (const name of names) {
      const suite = this.#suites.get(name);
      if (suite === undefined) continue;
      const seconds = (suite.milliseconds / 1000).toFixed(1);
      const tests = String(suite.tests).padStart(5);
      this.#say(`${name.padEnd(width)}  ${tests}  ${seconds.padStart(7)}`);
    }
  }

  #printLongest(): void {
    const longest = [...this.#files].sort(([, one], [, other]) => other - one).slice(0, LONGEST);
    this.#say("\nlongest files");
    for (const [file, milliseconds] of longest) {
      this.#say(`${(milliseconds / 1000).toFixed(1).padStart(7)}  ${file}`);
    }
  }

  #printSkips(): number {
    let refused = 0;
    for (const [reason, count] of this.#skips) {
      const allowed = this.#isAllowed(reason);
      if (!allowed) refused += 1;
      const verdict = allowed ? "not run" : "NOT RUN, and that is a failure";
      this.#say(`${verdict}: ${count} test${count === 1 ? "" : "s"}: ${reason}`);
    }
    if (refused > 0) {
      this.#say("Install what is missing, or name it in TROBAR_ALLOW_SKIP=name,… to go without.");
    }
    return refused;
  }

  #isAllowed(reason: string): boolean {
    if (reason.startsWith(DATA_ABSENT)) return true;
    if (!reason.startsWith(PROGRAM_MISSING)) return false;
    const name = reason.slice(PROGRAM_MISSING.length).split(/[\s:]/, 1)[0] ?? "";
    return this.#allowedSkips.has(name);
  }
}

function fileOf(event: TestEvent): string {
  return event.file === undefined ? "?" : relative(process.cwd(), event.file);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
