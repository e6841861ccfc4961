import assert from "node:assert/strict";
import { test } from "node:test";
import { TestReport } from "../../scripts/test-report.ts";
import {
  DATA_ABSENT,
  missingPackages,
  needsProgram,
  PROGRAM_MISSING,
} from "../support/requirement.ts";

/** The exit code and the printed text of a run with these results. */
function reported(allowed: string, results: readonly { skip?: string; error?: Error }[]) {
  const lines: string[] = [];
  const report = new TestReport(allowed, (line) => lines.push(line));
  for (const result of results) {
    const details = { duration_ms: 1, ...(result.error && { error: result.error }) };
    const event = { name: "a test", nesting: 0, file: "src/base/log/log.test.ts", details };
    if (result.error) report.failed(event);
    else report.passed({ ...event, ...(result.skip && { skip: result.skip }) });
  }
  return { code: report.print(), text: lines.join("\n") };
}

test("a run whose tests all pass ends with 0 and says how many", () => {
  const { code, text } = reported("", [{}, {}]);
  assert.equal(code, 0);
  assert.match(text, /^2 passed, 0 failed, 0 skipped$/m);
  assert.match(text, /^src\/base\/log +2 +0\.0$/m);
  assert.match(text, /^longest files\n +0\.0 {2}src\/base\/log\/log\.test\.ts$/m);
});

test("a run without a passing test fails: it has checked nothing", () => {
  assert.equal(reported("", []).code, 1);
});

test("a failing test fails the run and is shown", () => {
  const { code, text } = reported("", [{}, { error: new Error("torn frame") }]);
  assert.equal(code, 1);
  assert.match(text, /torn frame/);
});

test("a test skipped for a missing program fails the run unless that program is allowed", () => {
  const skipped = [{}, { skip: `${PROGRAM_MISSING}mount` }];
  assert.equal(reported("", skipped).code, 1);
  assert.equal(reported("chromium", skipped).code, 1);
  assert.equal(reported("chromium, mount", skipped).code, 0);
  assert.match(reported("mount", skipped).text, /not run: 1 test: missing program: mount/);
});

test("absent conformance data is listed and fails nothing", () => {
  const { code, text } = reported("", [{}, { skip: `${DATA_ABSENT}url` }]);
  assert.equal(code, 0);
  assert.match(text, /not run: 1 test: conformance data not on this machine: url/);
});

test("a test skipped for any other reason fails the run", () => {
  assert.equal(reported("", [{}, { skip: "flaky" }]).code, 1);
});

test("a program that no package brings is named as missing", () => {
  assert.equal(
    needsProgram("trobar-has-no-such-program"),
    "missing program: trobar-has-no-such-program",
  );
});

test("a program that is there is not missed", () => {
  assert.equal(needsProgram("sh"), false);
});

test("the packages of all missing programs are named once, but for what only benches run", () => {
  assert.deepEqual(
    missingPackages(() => true),
    [],
  );
  const packages = missingPackages((program) => program === "curl");
  assert.ok(packages.includes("btrfs-progs") && packages.includes("chromium"));
  assert.ok(!packages.includes("curl") && !packages.includes("wrk"));
  assert.equal(new Set(packages).size, packages.length);
});
