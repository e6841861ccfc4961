/**
 * `npm test`: the gate of `npm run check`, then every test, then a table suite -> seconds and the
 * list of what was not run. `npm run test:full` asks tests for more runs and larger ones
 * (TROBAR_FULL=1). Words after `--` choose files by part of their path and leave the gate out:
 * `npm test -- src/base/log`. `npm run test:release -- NAME` runs the files so chosen in their largest
 * form (TROBAR_RELEASE=1), which may take hours.
 */
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "node:test";
import { runSteps } from "./step.ts";
import { grouped } from "./test-groups.ts";
import { TestReport } from "./test-report.ts";

/** So much longer than any test may take nothing happens in a run that hangs. */
const SILENCE_MS = 60_000;

/**
 * Garbage is collected less often: a tenth of the processor time of simulations. (With one collector thread,
 * `--single-threaded-gc`, they take even less, but a deeply nested tree takes five times as long.)
 */
const COLLECTOR = ["--max-semi-space-size=64"];

/** Files of tests lie here if it has room: they cost a tenth less processor time there than on a disk. */
const MEMORY_FOLDER = "/dev/shm";
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

const UNTRACKED = ["--import", resolve("scripts/untracked-promises.ts")];

const CACHE = "node_modules/.cache/trobar-tests";
/** The program as it is published. */
const PROGRAM = `${CACHE}/program`;

const words = process.argv.slice(2);
const release = words.includes("--release");
const full = release || words.includes("--full") || process.env["TROBAR_FULL"] === "1";
const chosen = words.filter((word) => !word.startsWith("--"));

if (release && chosen.length === 0) {
  console.error("Say which tests to run in their largest form: npm run test:release -- NAME");
  process.exit(2);
}
if (full) process.env["TROBAR_FULL"] = "1";
if (release) process.env["TROBAR_RELEASE"] = "1";
cacheCompiledSources();
keepFilesInMemory();
if (chosen.length === 0) {
  const compile = { name: "compile", command: "node", args: ["scripts/compile-tests.ts", PROGRAM] };
  process.env["BUILT_PROGRAM_FOR_TEST"] = resolve(PROGRAM, "trobar.mjs");
  const programs = { name: "programs", command: "node", args: ["scripts/install-programs.ts"] };
  const [, code] = await Promise.all([import("./check.ts"), runSteps([compile, programs])]);
  process.env["PROGRAMS_INSTALLED_FOR_TEST"] = "1";
  process.exitCode ||= code;
}
if (process.exitCode) process.exit();

const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"])
  .filter((file) => (chosen.length === 0 ? !isChecked(file) : isChosen(file)))
  .sort((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1));
const programs = full || chosen.length > 0 ? files : grouped(files, resolve(CACHE, "groups"));
const report = new TestReport(process.env["TROBAR_ALLOW_SKIP"] ?? "");

// A test that hangs must end the run with its name. The longest of the full tests takes half an hour on a
// machine that has nothing else to do.
const hangMs = release ? 6 * 3_600_000 : full ? 5_400_000 : 300_000;
const silence = new AbortController();
// Those with processes and sockets wait for half of their time.
const events = run({
  ...{ files: programs, concurrency: availableParallelism() + 2 },
  ...{ timeout: hangMs, signal: silence.signal },
  execArgv: chosen.length === 0 ? [...COLLECTOR, ...UNTRACKED] : COLLECTOR,
});
// A test that loops, or leaves something open that keeps its process, does not heed its own limit.
const silent = setTimeout(() => {
  console.log(
    `\nNo test has begun or ended for ${SILENCE_MS + hangMs} ms. What still runs is stopped:`,
  );
  silence.abort();
}, SILENCE_MS + hangMs);
for (const name of ["test:dequeue", "test:complete"] as const) {
  events.on(name, () => silent.refresh());
}
events.on("test:pass", (event) => report.passed(event));
events.on("test:fail", (event) => report.failed(event));
// What nobody has caught is told so. Long runs also tell their seeds and counts, if they pass, too.
events.on("test:diagnostic", ({ message, nesting, file = "" }) => {
  if (message.includes("caught by the test runner")) console.log(`\n${message}`);
  else if (full && file !== "" && !isCount(message)) {
    console.log(`${" ".repeat(2 * nesting)}${relative(process.cwd(), file)}: ${message}`);
  }
});
events.on("test:stdout", (event) => process.stdout.write(event.message));
events.on("test:stderr", (event) => process.stderr.write(event.message));
events.on("end", () => {
  clearTimeout(silent);
  process.exitCode = report.print();
});
events.resume();

/** What the runner itself tells at the end of a file or run. */
function isCount(message: string): boolean {
  return /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(message);
}

function isChosen(file: string): boolean {
  return chosen.some((word) => file.includes(word));
}

/** The architecture tests have been run by the check. */
function isChecked(file: string): boolean {
  return dirname(file) === join("test", "architecture");
}

/** The longest files begin first, so that the run does not end with a core that has nothing to do. */
function rankOf(file: string): number {
  if (dirname(file) === join("test", "scenario")) return 0;
  return file.startsWith("test") ? 1 : 2;
}

/**
 * Every process and thread of the run shares what the first of them has compiled. A whole run
 * begins without it, so that the files of past runs, in folders that are gone, do not pile up.
 */
function cacheCompiledSources(): void {
  const folder = resolve(CACHE);
  if (chosen.length === 0) rmSync(folder, { recursive: true, force: true });
  process.env["NODE_COMPILE_CACHE"] ??= folder;
}

/** Whatever the tests leave behind goes with the folder. */
function keepFilesInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || roomIn(MEMORY_FOLDER) < MEMORY_BYTES_MIN) return;
  // A short name, since messages shorten long ones; servers that tests start as other users look into it.
  const folder = mkdtempSync(join(MEMORY_FOLDER, "t-"));
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** In bytes; 0 if there is no such folder. */
function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
