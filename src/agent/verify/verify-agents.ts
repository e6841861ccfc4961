/**
 * Checks the directories of several agents that share a crawl, one after the other, and tells of all of them
 * together; a file is named with the folder that it is in.
 */
import { basename, join } from "node:path";
import { answered } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { ProblemList } from "../../store/query/index.ts";
import { AgentsComparison } from "./compare-agents.ts";
import {
  type DirectoryVerification,
  type VerifyDirectoryOptions,
  verifyDirectory,
} from "./verify-directory.ts";

/** Problems that are told of. */
const KEPT_MAX = 1000;

/** `folders` are absolute. */
export async function verifyAgents(
  folders: readonly string[],
  { scratch, told, version }: VerifyDirectoryOptions,
): Promise<DirectoryVerification> {
  const all: DirectoryVerification[] = [];
  const comparison = new AgentsComparison(join(scratch, "agents"));
  const sum = (name: "records" | "lines"): number =>
    all.reduce((total, found) => total + found[name], 0);
  for (const folder of folders) {
    const own = join(scratch, basename(folder));
    await answered((done) => new DiskStorage(own).prepare(done));
    const found = await verifyDirectory(folder, {
      ...{ scratch: own, version, shared: comparison.findingsOf(basename(folder)) },
      told: ({ records, lines }) =>
        told({ records: records + sum("records"), lines: lines + sum("lines") }),
    });
    const problems = found.problems.map((problem) => {
      return { ...problem, file: `${basename(folder)}/${problem.file}` };
    });
    all.push({ ...found, problems });
  }
  const problems = new ProblemList();
  comparison.compare(problems);
  comparison.close();
  return withProblems(all.reduce(together), problems);
}

function withProblems(
  found: DirectoryVerification,
  { kinds, kept, count }: ProblemList,
): DirectoryVerification {
  return {
    ...found,
    kinds: sumOf(found.kinds, kinds),
    problems: [...found.problems, ...kept].slice(0, KEPT_MAX),
    countOfProblems: found.countOfProblems + count,
  };
}

type Kinds = DirectoryVerification["kinds"];

function sumOf(one: Kinds, other: Kinds): Kinds {
  const sums = new Map(Object.entries(one));
  for (const [kind, count] of Object.entries(other)) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return Object.fromEntries([...sums].sort());
}

function together(one: DirectoryVerification, other: DirectoryVerification): DirectoryVerification {
  return {
    files: one.files + other.files,
    records: one.records + other.records,
    lines: one.lines + other.lines,
    rows: one.rows + other.rows,
    links: one.links + other.links,
    linkedPages: {
      compared: one.linkedPages.compared + other.linkedPages.compared,
      unknown: one.linkedPages.unknown + other.linkedPages.unknown,
    },
    hosts: one.hosts + other.hosts,
    waiting: one.waiting + other.waiting,
    checkpoint: worse(one.checkpoint, other.checkpoint),
    cluster: one.cluster === "running" ? one.cluster : other.cluster,
    kinds: sumOf(one.kinds, other.kinds),
    problems: [...one.problems, ...other.problems].slice(0, KEPT_MAX),
    countOfProblems: one.countOfProblems + other.countOfProblems,
  };
}

type Checkpoint = DirectoryVerification["checkpoint"];

const FROM_BEST: readonly Checkpoint[] = ["checked", "none", "replaced"];

function worse(one: Checkpoint, other: Checkpoint): Checkpoint {
  return FROM_BEST.indexOf(one) > FROM_BEST.indexOf(other) ? one : other;
}
