/**
 * What some source gave, before the schema is consulted: scalars as their text, lists, and trees
 * as lists of entries, each with its location. User keys never become property names of objects
 * here or later, so no key (`__proto__`, `constructor`) can mean anything but an unknown key.
 */
import { printable } from "../../base/text/index.ts";

export type Location =
  | { readonly kind: "default" }
  /** `line` and `column` count from 1; null when the file as a whole is meant. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly line: number | null;
      readonly column: number | null;
    }
  | { readonly kind: "environment"; readonly variable: string }
  /** An argument that is not a flag, counting from 1. */
  | { readonly kind: "argument"; readonly ordinal: number }
  /** In options that a program gives; an item of a list has its number, counting from 1. */
  | { readonly kind: "option"; readonly ordinal: number | null }
  /** `ordinal` tells the uses of a repeatable flag apart, counting from 1. */
  | { readonly kind: "flag"; readonly flag: string; readonly ordinal: number | null };

export type Given = GivenScalar | GivenList | GivenTree;

export interface GivenScalar {
  readonly kind: "scalar";
  readonly text: string;
  /** False when it was quoted: `"~"` is a text, `~` is the absence of a value. */
  readonly plain: boolean;
  /** The text cut at its commas, from a source with no other notation for lists; else null. */
  readonly parts: readonly string[] | null;
  readonly location: Location;
}

export interface GivenList {
  readonly kind: "list";
  readonly items: readonly Given[];
  readonly location: Location;
}

export interface GivenTree {
  readonly kind: "tree";
  readonly entries: readonly GivenEntry[];
  readonly location: Location;
}

export interface GivenEntry {
  readonly key: string;
  readonly location: Location;
  readonly value: Given;
}

/** One key of the schema with what a source gave for it. */
export interface Setting {
  /** Dotted path, such as `fetch.maxBody`. */
  readonly key: string;
  readonly location: Location;
  readonly value: Given;
}

const NULL_WORDS: ReadonlySet<string> = new Set(["", "~", "null", "Null", "NULL"]);

/** Whether the source said "no value": `~`, `null`, or nothing at all, not in quotes. */
export function isNull(given: Given): boolean {
  return given.kind === "scalar" && given.plain && NULL_WORDS.has(given.text.trim());
}

/** For people: `crawl.yaml:3:5`, `environment variable TROBAR_NAME`, `flag --set no. 2`. */
export function describeLocation(location: Location): string {
  switch (location.kind) {
    case "default":
      return "default";
    case "file": {
      const position = location.line === null ? "" : `:${location.line}:${location.column ?? 1}`;
      return `${printable(location.path)}${position}`;
    }
    case "environment":
      return `environment variable ${printable(location.variable)}`;
    case "argument":
      return `argument no. ${location.ordinal}`;
    case "option":
      return `options${location.ordinal === null ? "" : `, item ${location.ordinal}`}`;
    case "flag":
      return `flag ${printable(location.flag)}${ordinal(location.ordinal)}`;
  }
}

function ordinal(number: number | null): string {
  return number === null ? "" : ` no. ${number}`;
}

/** A text that means itself, whatever it holds. */
export function quotedScalar(text: string, location: Location): GivenScalar {
  return { kind: "scalar", text, plain: false, parts: null, location };
}

/** No value. */
export function emptyScalar(location: Location): GivenScalar {
  return { kind: "scalar", text: "", plain: true, parts: null, location };
}

/** A text from a source that has neither lists nor quotes: `a, b` may be read as two items. */
export function flatScalar(text: string, location: Location): GivenScalar {
  return { kind: "scalar", text, plain: true, parts: splitAtCommas(text), location };
}

/** A comma that belongs to an item is written `\\,`. */
function splitAtCommas(text: string): string[] {
  return text.split(/(?<!\\),/).map((part) => part.replaceAll("\\,", ",").trim());
}

/** What was given, short enough to be quoted in a sentence; only the outermost level is shown. */
export function givenText(given: Given): string {
  if (given.kind === "scalar") return given.text;
  if (given.kind === "tree") return given.entries.length === 0 ? "{}" : "{…}";
  return given.items.length === 0 ? "[]" : "[…]";
}
