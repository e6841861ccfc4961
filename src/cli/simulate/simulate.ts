/**
 * `trobar simulate`: runs schedules of faults against whole agents of a cluster, in one thread and virtual
 * time, and says what came of them. Exit code 1 if anything failed that must hold; then the story of the
 * first failures is told, with the command that repeats each. With `--json` it prints one value:
 * `{"runs", "failures", "seconds", "runsPerMinute", "agents", "mixes": [{"faults", …}]}`.
 */
import { SystemClock } from "../../base/time/index.ts";
import { type ClusterMix, ClusterStudy } from "../../lab/agents/index.ts";
import { EXIT } from "../shell/exit-code.ts";
import { programName } from "../shell/program-name.ts";
import type { Terminal } from "../shell/terminal.ts";
import { readSimulateArguments, type SimulateArguments } from "./simulate-arguments.ts";
import { studyJson, studyText } from "./study-report.ts";

/** So many failures are told at length: shrinking one takes a while. */
const STORIES_MAX = 3;

export async function simulate(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readSimulateArguments(args);
  const study = new ClusterStudy(given.mixes, given.size);
  const clock = new SystemClock();
  const beganAtMs = clock.nowMs();
  let isInterrupted = false;
  const interrupted = terminal.untilInterrupted().then(() => {
    isInterrupted = true;
  });
  let [runs, failures] = [0, 0];
  for (; runs < given.runs && !isInterrupted; runs += 1) {
    const { mix, seed } = runNumber(given, runs);
    const failure = study.run(mix, seed);
    if (failure !== null) {
      failures += 1;
      const replay = `${programName(terminal.environment)} ${replayOf(mix, seed, given)}`;
      if (failures <= STORIES_MAX) terminal.err(`${study.story(mix, seed, replay)}\n\n`);
      else
        terminal.err(
          `${mix.name}, seed ${seed}: ${failure.check}: ${failure.message}\n${replay}\n`,
        );
    }
    await Promise.race([interrupted, new Promise<void>((resolve) => clock.after(0, resolve))]);
  }
  const seconds = (clock.nowMs() - beganAtMs) / 1000;
  const report = { tallies: [...study.tallies.values()], runs, failures, seconds, ...given.size };
  terminal.out(given.isJson ? studyJson(report) : studyText(report, terminal.colour));
  if (failures > 0) return EXIT.unexpected;
  return isInterrupted ? EXIT.interrupted : EXIT.finished;
}

/** Mixes take turns; each takes the seeds in order. */
function runNumber(
  { mixes, seed }: SimulateArguments,
  number: number,
): { readonly mix: ClusterMix; readonly seed: string } {
  const mix = mixes[number % mixes.length] as ClusterMix;
  return { mix, seed: String(seed + Math.floor(number / mixes.length)) };
}

function replayOf({ name }: ClusterMix, seed: string, { size }: SimulateArguments): string {
  return `simulate --faults ${name} --seed ${seed} --runs 1 --agents ${size.agents}`;
}
