/** `npm run check`: types, lint and format, dead code, architecture. Each must pass. */
import { runSteps } from "./step.ts";

process.exitCode = await runSteps([
  { name: "types", command: "tsc", args: ["-p", "tsconfig.json"] },
  { name: "lint", command: "biome", args: ["ci", "--error-on-warnings", "."] },
  { name: "dead code", command: "node", args: ["scripts/dead-code.ts"] },
  {
    name: "architecture",
    command: "node",
    args: ["--test", "--test-reporter=dot", "test/architecture/*.test.ts"],
  },
]);
