/**
 * Reads what a checkpoint says of a sieve, from outside, for those who check a crawl directory: the text
 * that is to be decided again, and which runs have the rest. Nothing is written or cut.
 */
import { isCrawlError } from "../../base/errors/index.ts";
import { checkLog } from "../../base/log/index.ts";
import { checkRuns, type RunFormat, type RunMark } from "../../base/runs/index.ts";
import type { FileName, Storage } from "../../base/seams/index.ts";
import { DEPTH_BYTES } from "./decide-batch.ts";
import { FrameOffers } from "./offer-frame.ts";
import type { SieveMarks } from "./sieve.ts";
import { readState } from "./sieve-state.ts";

export interface SieveToCheck {
  readonly storage: Storage;
  readonly folder: FileName;
  readonly withDepth: boolean;
  readonly marks: SieveMarks;
}

export interface SieveFindings {
  /** A fingerprint that is in the text, once for each time it was offered. */
  offered(high: number, low: number): void;
  problem(file: FileName, at: number | null, problem: string): void;
}

/** The runs that have all fingerprints that are not in the text; null if something cannot be read. */
export async function checkSieve(
  { storage, folder, withDepth, marks }: SieveToCheck,
  findings: SieveFindings,
): Promise<{ readonly runs: readonly RunMark[]; readonly format: RunFormat } | null> {
  const state = readState(marks, withDepth);
  if (isCrawlError(state)) {
    findings.problem(folder, null, String(state.facts["reason"] ?? state.message));
    return null;
  }
  const offers = new FrameOffers();
  const take = (payload: Uint8Array): boolean => {
    offers.read(payload);
    while (offers.next()) findings.offered(offers.high, offers.low);
    return offers.end === payload.length;
  };
  const { from, to } = state;
  const tell = (...told: Parameters<SieveFindings["problem"]>): void => findings.problem(...told);
  await checkLog({ storage, name: `${folder}/text`, from, to }, take, tell);
  const { runs } = state.runs;
  const format = { payloadBytes: withDepth ? DEPTH_BYTES : 0 };
  const due = runs.reduce((sum, { count }) => sum + count, 0);
  const isWhole = (await checkRuns(storage, runs, format, tell)) === due;
  return isWhole ? { runs, format } : null;
}
