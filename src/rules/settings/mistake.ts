/**
 * Mistakes in what a user wrote, as values. They are collected, never thrown one by one, so that
 * one run shows all of them: each with its location, the key, what was written, what is wrong, what
 * would be right and, for a name, the nearest one that exists.
 */
import { CrawlError, type ErrorCode } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { describeLocation, type Location } from "./given.ts";

export interface ConfigMistake {
  readonly code: ErrorCode;
  readonly location: Location;
  /** Dotted key, or the unknown name as written; null when a file as a whole is meant. */
  readonly key: string | null;
  /** What was written; null where the key itself is the mistake. */
  readonly value: string | null;
  /** A clause that follows the value or the key: `is not a duration`. */
  readonly problem: string;
  /** The legal values in words. */
  readonly legal: string | null;
  /** The right name that is nearest to the wrong one. */
  readonly nearest: string | null;
}

type MistakeFacts = Pick<ConfigMistake, "code" | "location" | "problem"> & Partial<ConfigMistake>;

/** What is not given is null. */
export function mistakeOf(facts: MistakeFacts): ConfigMistake {
  return { key: null, value: null, legal: null, nearest: null, ...facts };
}

/** Something worth saying that does not stop anything, such as a name that has no counterpart. */
export interface ConfigNote {
  readonly location: Location;
  readonly text: string;
}

/** A file of a megabyte can hold a hundred thousand mistakes; nobody reads more than these. */
export const MISTAKES_MAX = 100;

export class MistakeList {
  readonly #kept: ConfigMistake[] = [];
  #omitted = 0;

  /** How many more there were than were kept. */
  get omitted(): number {
    return this.#omitted;
  }

  /** By location: files in the order in which they were given, each from its top; then the rest. */
  sorted(): ConfigMistake[] {
    const paths = [...new Set(this.#kept.map(({ location }) => pathOf(location)))];
    return this.#kept.toSorted(
      (one, other) =>
        paths.indexOf(pathOf(one.location)) - paths.indexOf(pathOf(other.location)) ||
        lineOf(one.location) - lineOf(other.location),
    );
  }

  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  /** Takes a function, so that no work is done for a mistake that is only counted. */
  add(mistake: () => MistakeFacts): void {
    if (this.#kept.length >= MISTAKES_MAX) {
      this.#omitted += 1;
      return;
    }
    this.#kept.push(mistakeOf(mistake()));
  }
}

/** One line for people, safe to print whatever the value holds. */
export function renderMistake(mistake: ConfigMistake): string {
  const { location, key, value, problem, legal, nearest } = mistake;
  // Keys that exist are plain words; what does not exist may be any text.
  const unknown = mistake.code === "CONFIG_UNKNOWN_KEY" || mistake.code === "CONFIG_SYNTAX";
  const name = key === null ? [] : [unknown ? quoted(key) : key];
  const subject = value === null ? name : [...name.map((one) => `${one}:`), quoted(value)];
  const clauses = [
    [...subject, problem].join(" "),
    ...(legal === null ? [] : [`legal: ${legal}`]),
    ...(nearest === null ? [] : [`did you mean ${nearest}?`]),
  ];
  // A problem that ends with a caret takes no full stop.
  const end = nearest === null && !problem.endsWith("^") ? "." : "";
  return `${describeLocation(location)}: ${clauses.join("; ")}${end}`;
}

/** All of them for people, under a line that counts them. */
export function renderMistakes(mistakes: readonly ConfigMistake[], omitted: number): string {
  const count = mistakes.length + omitted;
  const head = `${count} mistake${count === 1 ? "" : "s"}:`;
  const lines = mistakes.map((mistake) => `  ${renderMistake(mistake)}`);
  if (omitted > 0) lines.push(`  … and ${omitted} more.`);
  return [head, ...lines].join("\n");
}

/** For callers that cannot continue: one error that lists them all. */
export function configError(mistakes: readonly ConfigMistake[], omitted: number): CrawlError {
  const facts = { mistakes: mistakes.length + omitted };
  return new CrawlError("CONFIG_INVALID", renderMistakes(mistakes, omitted), facts);
}

function pathOf(location: Location): string {
  return location.kind === "file" ? `file ${location.path}` : location.kind;
}

function lineOf(location: Location): number {
  return location.kind === "file" ? (location.line ?? 0) : 0;
}
