/** What the command line of `trobar simulate` says: which schedules of which mixes of faults are run. */
import { nearestName } from "../../base/text/index.ts";
import {
  CLUSTER_MIXES,
  type ClusterMix,
  type ClusterSize,
  mixNamed,
} from "../../lab/agents/index.ts";
import { key, type MistakeList, Schema, value } from "../../rules/settings/index.ts";
import type { CommandLine } from "../shell/arguments.ts";
import { flagLocation, readFlags, settingsOfFlags } from "../shell/flags-only.ts";
import { SIMULATE_FLAGS } from "./simulate-flags.ts";

interface SimulateSettings {
  readonly seed: number;
  readonly runs: number;
  readonly agents: number;
}

export interface SimulateArguments extends Omit<SimulateSettings, "agents"> {
  readonly mixes: readonly ClusterMix[];
  readonly size: ClusterSize;
  readonly isJson: boolean;
}

const SETTINGS = new Schema<SimulateSettings>({
  seed: key(value.count({ min: 0, max: 1e12 }), { default: 1, meaning: "First schedule." }),
  runs: key(value.count({ min: 1, max: 1e9 }), { default: 100, meaning: "How many schedules." }),
  agents: key(value.count({ min: 2, max: 64 }), { default: 4, meaning: "How many agents begin." }),
});

/** Throws one error that lists every mistake. */
export function readSimulateArguments(args: readonly string[]): SimulateArguments {
  return readFlags(args, SIMULATE_FLAGS, (line, found) => {
    const keyOf = (flag: string): string | undefined =>
      SETTINGS.find(flag) === undefined ? undefined : flag;
    const { seed, runs, agents } = settingsOfFlags(line, SETTINGS, keyOf, found);
    return {
      ...{ seed, runs, size: { agents, spares: Math.ceil(agents / 2) } },
      mixes: readMixes(line, found),
      isJson: line.uses.some(({ flag }) => flag.long === "json"),
    };
  });
}

function readMixes({ uses }: CommandLine, mistakes: MistakeList): readonly ClusterMix[] {
  const texts = uses.flatMap(({ flag, text }) => (flag.long === "faults" ? [text ?? ""] : []));
  if (texts.length === 0) return CLUSTER_MIXES.filter(({ weight }) => weight > 0);
  const mixes = texts
    .flatMap((text) => text.split(","))
    .map((word) => {
      const name = word.trim();
      const mix = mixNamed(name);
      if (mix === undefined) addUnknown(name, mistakes);
      return mix;
    });
  return [...new Set(mixes.filter((mix) => mix !== undefined))];
}

function addUnknown(name: string, mistakes: MistakeList): void {
  const names = CLUSTER_MIXES.map((mix) => mix.name);
  const nearest = nearestName(name, names);
  mistakes.add(() => ({
    ...{ code: "USAGE_BAD_FLAG_VALUE", location: flagLocation("faults"), value: name },
    problem: `is not a mix of faults${nearest === null ? "" : `; did you mean ${nearest}?`}`,
    legal: names.join(", "),
  }));
}
