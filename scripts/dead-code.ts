/**
 * The dead-code step of `npm run check`. A use by tests or benches alone does not keep code alive,
 * so knip looks twice: once at everything, and once at the program alone, where only the names of
 * `waiting.ts` may be unused. The program is the library, the commands, the laboratory and the
 * scripts. Types are judged by the first look: tests may name what they hold. Scripts, which are not
 * published, may use packages of development.
 */
import { spawnSync } from "node:child_process";
import { deadNames, type KnipReport } from "./dead-code/dead-names.ts";
import { WAITING } from "./waiting.ts";

const everything = knip();
const program = knip(
  "--production",
  "--strict",
  "--exclude",
  "types,binaries",
  "--reporter",
  "json",
);
process.stdout.write(everything.stdout + everything.stderr);
if (everything.status !== 0) process.exitCode = 1;

if (program.stdout === "") {
  process.stdout.write(program.stderr);
  process.exitCode = 1;
} else {
  const problems = deadNames(withoutPackagesOfScripts(JSON.parse(program.stdout)), WAITING);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}

/** The first look has compared them with the packages of development. */
function withoutPackagesOfScripts({ issues }: KnipReport): KnipReport {
  const left = issues.map((issue) =>
    issue.file.startsWith("scripts/") ? { ...issue, unlisted: [] } : issue,
  );
  return { issues: left };
}

function knip(...args: readonly string[]): {
  status: number | null;
  stdout: string;
  stderr: string;
} {
  return spawnSync("knip", ["--no-progress", ...args], { encoding: "utf8" });
}
