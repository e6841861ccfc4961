/** `npm run check`: types, lint and format, dead code, architecture. Each must pass. */
import { runSteps } from "./step.ts";

/** What the compiler knows of files that have not changed: a quarter of its time when it runs again. */
const KNOWN_TYPES = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/types.tsbuildinfo"];

process.exitCode = await runSteps([
  { name: "types", command: "tsc", args: ["-p", "tsconfig.json", ...KNOWN_TYPES] },
  { name: "lint", command: "biome", args: ["ci", "--error-on-warnings", "."] },
  { name: "dead code", command: "node", args: ["scripts/dead-code.ts"] },
  {
    name: "architecture",
    command: "node",
    args: ["--test", "--test-reporter=dot", "test/architecture/*.test.ts"],
  },
]);
