/**
 * What passes between a lane and its background thread: one order, one answer. Errors lose their
 * class between threads, so they are turned into plain values here and rebuilt on arrival.
 */
import { CrawlError, type ErrorCode, type ErrorFacts, isCrawlError } from "../errors/index.ts";

export interface TaskOrder {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

export type TaskAnswer =
  | { readonly kind: "ended"; readonly output: unknown }
  | { readonly kind: "failed"; readonly error: CarriedError };

/** A `CrawlError` as plain values. */
interface CarriedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly facts: ErrorFacts;
  readonly stack: string;
  readonly cause: { readonly message: string; readonly stack: string } | null;
}

export function carry({ code, message, facts, stack = "", cause }: CrawlError): CarriedError {
  const isError = cause instanceof Error;
  const carried = isError ? { message: cause.message, stack: cause.stack ?? "" } : null;
  return { code, message, facts, stack, cause: carried };
}

/** The error again, with the stack it had on the other side. */
export function rebuild({ code, message, facts, stack, cause }: CarriedError): CrawlError {
  const causeAgain = cause === null ? undefined : withStack(new Error(cause.message), cause.stack);
  return withStack(new CrawlError(code, message, facts, causeAgain), stack);
}

type TaskName = Pick<TaskOrder, "name" | "module">;

/** The error that a task answered with, if it is a `CrawlError`; otherwise the task has failed. */
export function asTaskError(task: TaskName, error: unknown): CrawlError {
  return isCrawlError(error) ? error : failedError(task, error);
}

export function failedError(task: TaskName, cause: unknown): CrawlError {
  const reason = cause instanceof Error ? cause.message : `${cause} was thrown`;
  const message = `The background task ${task.name} failed: ${reason}.`;
  return new CrawlError("BACKGROUND_TASK_FAILED", message, factsOf(task), cause);
}

export function unknownError(task: TaskName, cause: unknown): CrawlError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message =
    `The background task ${task.name} could not be loaded from ${task.module}: ${reason}. ` +
    "A task must be exported under its name by the module it names.";
  return new CrawlError("BACKGROUND_TASK_UNKNOWN", message, factsOf(task), cause);
}

export function closedError(task: TaskName): CrawlError {
  const message = `The background task ${task.name} was dropped: background work has been closed.`;
  return new CrawlError("BACKGROUND_CLOSED", message, factsOf(task));
}

function factsOf({ name, module }: TaskName): ErrorFacts {
  return { task: name, module };
}

function withStack<Thrown extends Error>(error: Thrown, stack: string): Thrown {
  if (stack !== "") error.stack = stack;
  return error;
}
