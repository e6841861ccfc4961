/** The flags of `trobar simulate`. They stand alone, so that help needs nothing of the simulator. */
import { type Flag, JSON_FLAG } from "../shell/flag-table.ts";

export const SIMULATE_FLAGS: readonly Flag[] = [
  { long: "seed", value: "N", meaning: "of the first schedule (1); the same seed, the same run" },
  { long: "runs", value: "N", meaning: "how many schedules, dealt to the mixes in turn (100)" },
  {
    long: "faults",
    value: "MIX,…",
    meaning:
      "which mixes of faults strike, such as join,disks (docs/simulate.md has a list); every mix when left out",
  },
  { long: "agents", value: "N", meaning: "how many agents begin (4); half as many may join" },
  JSON_FLAG,
];
