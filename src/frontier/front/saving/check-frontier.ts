/**
 * Reads all that a checkpoint of a frontier names, from outside, for those who check a crawl directory:
 * what was seen, what waits, and whether the files say what the checkpoint says. Nothing is written or
 * cut, and the frontier may be running, as far as the files of this checkpoint are still there.
 */
import { checkRuns, type RunFormat, type RunMark } from "../../../base/runs/index.ts";
import type { FileName, Storage } from "../../../base/seams/index.ts";
import { checkHostNames, checkQueues } from "../../queues/index.ts";
import { checkSieve } from "../../sieve/index.ts";
import { fingerprintInRecord, queueRecordFrom } from "../../ticket/index.ts";
import { type PlannedOptions, planOf } from "../frontier-plan.ts";
import { DEPTH_ENTRY_BYTES } from "../visits/depth-book.ts";
import { rowsOf } from "./checkpoint-rows.ts";
import { endedIn, type FrontierCheckpoint } from "./frontier-checkpoint.ts";
import { visitOf } from "./restore-frontier.ts";
import type { SavedVisit } from "./saved-visit.ts";

export interface FrontierToCheck extends PlannedOptions {
  readonly storage: Storage;
  /** Of the frontier. */
  readonly folder: FileName;
  readonly checkpoint: FrontierCheckpoint;
}

/** What is told of it. */
export interface FrontierFindings {
  /** This fingerprint was offered; keys of runs come in their order, all others before them. */
  seen(high: number, low: number): void;
  /** A URL that waits. */
  waits(high: number, low: number): void;
  /** A URL whose ticket is dropped when it comes out. */
  dropped(high: number, low: number): void;
  problem(file: FileName, at: number | null, problem: string): void;
}

/** What was read, in numbers. */
export interface CheckedFrontier {
  readonly hosts: number;
  /** URLs that wait. */
  readonly waiting: number;
  /** Runs of the sieve, which have all that was seen and was not told; null if that is not known. */
  readonly sieve: { readonly runs: readonly RunMark[]; readonly format: RunFormat } | null;
  /** Whether a URL that has ended may wait again, since its depth has become better. */
  readonly mayRepeat: boolean;
}

export async function checkFrontier(
  { storage, folder, checkpoint, ...planned }: FrontierToCheck,
  findings: FrontierFindings,
): Promise<CheckedFrontier> {
  const { marks, rows } = checkpoint;
  const { traversal, withDepth } = planOf(planned);
  const problem: FrontierFindings["problem"] = (...told) => findings.problem(...told);
  const hosts = await checkHostNames(storage, `${folder}/hosts`, marks.names, { problem });
  const waits = (record: Uint8Array): void => {
    const { high, low } = fingerprintInRecord(Buffer.from(record));
    findings.waits(high, low);
  };
  const outside = (host: number, file: FileName): void => {
    if (host >= marks.names.hosts) problem(file, null, `host ${host} waits, and has no name`);
  };
  const queues = { storage, folder: `${folder}/queues`, order: traversal.order };
  const queued = await checkQueues(
    { ...queues, marks: marks.queues },
    {
      problem,
      record: (host, record) => {
        outside(host, queues.folder);
        waits(record);
      },
    },
  );
  let inMemory = 0;
  for (const [host, bytes] of rowsOf(rows, "visits")) {
    outside(host, "crawl.db");
    const visit = readable(bytes);
    if (visit === null) problem("crawl.db", null, `what is known of host ${host} cannot be read`);
    for (const record of visit === null ? [] : recordsOf(visit)) {
      inMemory += 1;
      waits(record);
    }
  }
  for (const [text] of marks.held) {
    const record = Buffer.from(text, "base64");
    waits(record.subarray(queueRecordFrom(record, 0)));
  }
  for (const [high, low] of endedIn(checkpoint)) findings.dropped(high, low);
  const waiting = queued + inMemory + marks.held.length;
  if (!traversal.promotes && waiting !== marks.tally.open) {
    const much = `${waiting} URLs wait, and the checkpoint knows ${marks.tally.open}`;
    problem(queues.folder, null, much);
  }
  // Where pages may be visited again, nothing is known of what was seen.
  const sieve = traversal.repeats
    ? null
    : await checkSieve(
        { storage, folder: `${folder}/sieve`, withDepth, marks: marks.sieve },
        { problem, offered: (high, low) => findings.seen(high, low) },
      );
  // What it had no room for.
  for (const text of marks.overflow) {
    const record = Buffer.from(text, "base64");
    const { high, low } = fingerprintInRecord(record.subarray(queueRecordFrom(record, 0)));
    findings.seen(high, low);
  }
  const depths = marks.depths?.stack.runs ?? [];
  await checkRuns(storage, depths, { payloadBytes: DEPTH_ENTRY_BYTES }, problem);
  const mayRepeat = withDepth || traversal.repeats || traversal.promotes;
  return { hosts, waiting, sieve, mayRepeat };
}

function readable(bytes: Uint8Array): SavedVisit | null {
  try {
    return visitOf(bytes);
  } catch {
    return null;
  }
}

function recordsOf({ tickets: { head, retries, window } }: SavedVisit): Uint8Array[] {
  const texts = [...(head === null ? [] : [head]), ...retries.map(([, text]) => text), ...window];
  return texts.map((text) => Buffer.from(text, "base64"));
}
