/** What came of a study of simulated clusters, as a table and as JSON. */
import { CAUSES, type Cause, type MixTally } from "../../lab/agents/index.ts";
import { bold } from "../shell/terminal.ts";

export interface StudyReport {
  readonly tallies: readonly MixTally[];
  readonly runs: number;
  readonly failures: number;
  readonly seconds: number;
  readonly agents: number;
  readonly spares: number;
}

/** Short, for the head of a column. */
const HEADS: Readonly<Record<Cause, string>> = {
  "lost with the disk": "lost",
  "unsynced tail": "tail",
  "holder was down": "down",
  "both sides crawled": "sides",
  "left behind": "left",
  avoidable: "avoidable",
};

export function studyText(report: StudyReport, colour: boolean): string {
  const { runs, failures, seconds, agents, spares } = report;
  const head = ["faults", "runs", "struck", "pages", "fetches", "a run"];
  const causes = CAUSES.map((one) => HEADS[one]);
  const rows = report.tallies
    .filter((tally) => tally.runs > 0)
    .map((tally) => [
      ...[tally.mix.name, tally.runs, tally.faults, tally.pages, tally.fetches].map(String),
      againPerRun(tally),
      ...CAUSES.map((cause) => String(tally.again.get(cause) ?? 0)),
      ...[tally.lostSeeds, tally.failures.length].map(String),
    ]);
  const lines = inColumns([[...head, ...causes, "seeds", "failed"], ...rows]);
  const [first = "", ...rest] = lines;
  const result = failures === 0 ? "nothing failed" : `${failures} failed`;
  return [
    bold(first, colour),
    ...rest,
    "",
    "struck: faults that changed something. a run: pages fetched again, on average. Why: lost with a disk, or with its unsynced tail; their holder",
    "was down; both sides of a partition crawled; left behind by an agent that left; avoidable.",
    "seeds: accepted, and lost with every disk that held them.",
    "",
    `${runs} schedules of ${agents} agents and ${spares} that may join, in ${seconds.toFixed(1)} s ` +
      `(${perMinute(report)} a minute): ${result}.`,
    "",
  ].join("\n");
}

export function studyJson(report: StudyReport): string {
  const { runs, failures, agents, spares } = report;
  const seconds = Number(report.seconds.toFixed(3));
  const mixes = report.tallies
    .filter((tally) => tally.runs > 0)
    .map(({ mix, again, ...tally }) => ({
      ...{ faults: mix.name, meaning: mix.meaning, runs: tally.runs, struck: tally.faults },
      ...{ pages: tally.pages, fetches: tally.fetches, lostSeeds: tally.lostSeeds },
      again: Object.fromEntries(CAUSES.map((cause) => [HEADS[cause], again.get(cause) ?? 0])),
      failures: tally.failures,
    }));
  const all = { runs, failures, seconds, runsPerMinute: perMinute(report), agents, spares, mixes };
  return `${JSON.stringify(all)}\n`;
}

/** Pages that were fetched again, whatever the cause. */
function againPerRun({ again, runs }: MixTally): string {
  let sum = 0;
  for (const count of again.values()) sum += count;
  return (sum / runs).toFixed(2);
}

function perMinute({ runs, seconds }: StudyReport): number {
  return seconds === 0 ? 0 : Math.round((60 * runs) / seconds);
}

/** The first column to the left, the others to the right. */
function inColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_cell, at) =>
    Math.max(...rows.map((row) => (row[at] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  "),
  );
}
