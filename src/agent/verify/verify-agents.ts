/**
 * Checks the directories of several agents that share a crawl, one after the other, and tells of all of them
 * together; a file is named with the folder that it is in.
 */
import { basename, join } from "node:path";
import { answered } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
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
  const sum = (name: "records" | "lines"): number =>
    all.reduce((total, found) => total + found[name], 0);
  for (const folder of folders) {
    const own = join(scratch, basename(folder));
    await answered((done) => new DiskStorage(own).prepare(done));
    const found = await verifyDirectory(folder, {
      ...{ scratch: own, version },
      told: ({ records, lines }) =>
        told({ records: records + sum("records"), lines: lines + sum("lines") }),
    });
    const problems = found.problems.map((problem) => {
      return { ...problem, file: `${basename(folder)}/${problem.file}` };
    });
    all.push({ ...found, problems });
  }
  return all.reduce(together);
}

function together(one: DirectoryVerification, other: DirectoryVerification): DirectoryVerification {
  const kinds = new Map(Object.entries(one.kinds));
  for (const [kind, count] of Object.entries(other.kinds)) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  }
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
    kinds: Object.fromEntries([...kinds].sort()),
    problems: [...one.problems, ...other.problems].slice(0, KEPT_MAX),
    countOfProblems: one.countOfProblems + other.countOfProblems,
  };
}

type Checkpoint = DirectoryVerification["checkpoint"];

const FROM_BEST: readonly Checkpoint[] = ["checked", "none", "replaced"];

function worse(one: Checkpoint, other: Checkpoint): Checkpoint {
  return FROM_BEST.indexOf(one) > FROM_BEST.indexOf(other) ? one : other;
}
