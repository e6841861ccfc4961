/**
 * Every error code of the project, in one table: whether trying again can help, what it means and
 * what to do. `docs/errors.md` is printed from it and a test compares the two, so a code exists in
 * the documentation exactly when it exists here. Codes are never renamed or given a new meaning.
 * There is a file of codes for each place that an error can come from.
 */
import { CLUSTER_ERRORS } from "./cluster-errors.ts";
import { CONTROL_ERRORS } from "./control-errors.ts";
import { DISK_ERRORS } from "./disk-errors.ts";
import { FAULT_ERRORS } from "./fault-errors.ts";
import { FETCH_ERRORS } from "./fetch-errors.ts";
import { USER_ERRORS } from "./user-errors.ts";

/** `later`: the same attempt may succeed after a wait. `elsewhere`: another agent may succeed. */
export type Retry = "never" | "later" | "elsewhere";

export interface ErrorEntry {
  readonly retry: Retry;
  /** What happened, as one sentence that is true of every occurrence. */
  readonly meaning: string;
  /** What the reader can do about it. */
  readonly remedy: string;
}

export type ErrorCode =
  | keyof typeof USER_ERRORS
  | keyof typeof FETCH_ERRORS
  | keyof typeof DISK_ERRORS
  | keyof typeof FAULT_ERRORS
  | keyof typeof CONTROL_ERRORS
  | keyof typeof CLUSTER_ERRORS;

export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = {
  ...USER_ERRORS,
  ...FETCH_ERRORS,
  ...DISK_ERRORS,
  ...FAULT_ERRORS,
  ...CONTROL_ERRORS,
  ...CLUSTER_ERRORS,
};
