/**
 * How the values of a key are read, checked and written: small types that are combined. A
 * type reads what any source gave (always text, whatever the source) and returns the value that the
 * code uses, or says what is wrong and returns undefined. What it writes, it reads back as an equal
 * value.
 */
import { nearestName, printable } from "../../base/text/index.ts";
import {
  type Bytes,
  type Ms,
  type Parsed,
  parseBytes,
  parseCount,
  parseDuration,
  printBytes,
  printCount,
  printDuration,
} from "../../base/units/index.ts";
import { type Given, isNull } from "./given.ts";
import { NO_VALUE, type Shape } from "./shape.ts";

/** Called once for each thing that is wrong; `problem` is a clause that follows the value. */
export type Refuse = (given: Given, problem: string, nearest?: string | null) => void;

export interface ValueType<Value> {
  readonly shape: Shape;
  /** Undefined exactly when `refuse` was called. */
  read(given: Given, refuse: Refuse): Value | undefined;
  /** The value as one line of YAML. */
  write(value: Value): string;
}

export interface Bounds {
  readonly min: number;
  /** By default the largest safe integer. */
  readonly max?: number;
  /** Only 1, 2, 4, 8 and so on; false by default. */
  readonly powerOfTwo?: boolean;
}

export function count(bounds: Bounds): ValueType<number> {
  return numeric("count", bounds, { parse: parseCount, print: printCount });
}

export function byteSize(bounds: Bounds): ValueType<Bytes> {
  return numeric("bytes", bounds, { parse: parseBytes, print: printBytes });
}

export function byteRate(bounds: Bounds): ValueType<number> {
  return numeric("bytes/s", bounds, { parse: parseBytes, print: printBytes });
}

export function duration(bounds: Bounds): ValueType<Ms> {
  return numeric("duration", bounds, { parse: parseDuration, print: printDuration });
}

export function toggle(): ValueType<boolean> {
  return {
    shape: { kind: "toggle" },
    read(given, refuse) {
      const word = scalarText(given, refuse);
      if (word === undefined) return undefined;
      if (word === "true" || word === "false") return word === "true";
      refuse(given, "is neither true nor false");
      return undefined;
    },
    write: String,
  };
}

export function choice<Word extends string>(...choices: readonly Word[]): ValueType<Word> {
  return {
    shape: { kind: "choice", choices, open: false },
    read(given, refuse) {
      const word = scalarText(given, refuse);
      if (word === undefined) return undefined;
      const chosen = choices.find((one) => one === word);
      if (chosen === undefined)
        refuse(given, "is not one of the choices", nearestName(word, choices));
      return chosen;
    },
    write: String,
  };
}

/**
 * One of the choices, or a module that the user brings: a path, or the name of a package. A word
 * that is nearly one of the choices is taken for a typing mistake, not for a package.
 */
export function choiceOrModule(...choices: readonly string[]): ValueType<string> {
  return {
    shape: { kind: "choice", choices, open: true },
    read(given, refuse) {
      const word = scalarText(given, refuse);
      if (word === undefined) return undefined;
      if (choices.includes(word)) return word;
      const nearest = nearestName(word, choices);
      if (nearest === null && MODULE.test(word)) return word;
      refuse(given, "is neither one of the choices nor a module", nearest);
      return undefined;
    },
    write: writeText,
  };
}

const MODULE = /^(?:file:\/\/)?[\w@./~-][\w@./~+ -]{0,511}$/;

export interface TextRules {
  /** What is legal, in words. */
  readonly form: string;
  /** Legal texts, for documentation, forms and tests. */
  readonly examples: readonly string[];
  /** Longest legal text; 1,024 characters by default. */
  readonly lengthMax?: number;
  /** Whether line ends and tabs are legal; not by default. */
  readonly lines?: boolean;
  /** What is wrong with a text, or null. */
  check?(text: string): string | null;
  /** The one spelling of texts that mean the same; called only for legal ones. */
  normalize?(text: string): string;
}

/** Text that is never empty and has no control characters or other invisible marks in it. */
export function text(rules: TextRules): ValueType<string> {
  return {
    shape: { kind: "text", form: rules.form, examples: rules.examples },
    read(given, refuse) {
      const raw = scalarText(given, refuse);
      if (raw === undefined) return undefined;
      const problem = textProblem(raw, rules) ?? rules.check?.(raw) ?? null;
      if (problem === null) return rules.normalize?.(raw) ?? raw;
      refuse(given, problem);
      return undefined;
    },
    write: writeText,
  };
}

function textProblem(raw: string, { lengthMax = 1024, lines = false }: TextRules): string | null {
  if (raw.trim() === "") return "is empty";
  if (raw.length > lengthMax) return `is longer than ${lengthMax} characters`;
  const shown = lines ? raw.replace(/[\n\r\t]/g, "") : raw;
  if (printable(shown) !== shown) return "has control characters or other invisible marks in it";
  return null;
}

/** All items are looked at, so that every wrong one is named. No value at all is an empty list. */
export function list<Item>(item: ValueType<Item>, itemsMax = 100_000): ValueType<readonly Item[]> {
  return {
    shape: { kind: "list", item: item.shape, itemsMax },
    read(given, refuse) {
      const items = itemsOf(given);
      if (items === null) {
        refuse(
          given,
          given.kind === "tree" ? "is a tree, not a list" : "is not a list; write [ ] around it",
        );
        return undefined;
      }
      if (items.length > itemsMax) {
        refuse(given, `has ${items.length} items, more than ${itemsMax}`);
        return undefined;
      }
      const values = items.map((one) => item.read(one, refuse));
      const legal = values.filter((value) => value !== undefined);
      return legal.length === values.length ? Object.freeze(legal) : undefined;
    },
    write: (values) => `[${values.map((value) => item.write(value)).join(", ")}]`,
  };
}

function itemsOf(given: Given): readonly Given[] | null {
  if (isNull(given)) return [];
  if (given.kind === "list") return given.items;
  if (given.kind === "tree" || given.parts === null) return null;
  return given.parts.map((part) => ({ ...given, text: part, parts: null }));
}

/** A value, or none: `~`. */
export function nullable<Value>(type: ValueType<Value>): ValueType<Value | null> {
  return {
    shape: { kind: "either", word: NO_VALUE, other: type.shape },
    read: (given, refuse) => (isNull(given) ? null : type.read(given, refuse)),
    write: (value) => (value === null ? NO_VALUE : type.write(value)),
  };
}

/** A word with a meaning of its own, such as `auto`, or a value. */
export function wordOr<Word extends string, Value>(
  word: Word,
  type: ValueType<Value>,
): ValueType<Word | Value> {
  return {
    shape: { kind: "either", word, other: type.shape },
    read: (given, refuse) =>
      given.kind === "scalar" && given.text === word ? word : type.read(given, refuse),
    write: (value) => (value === word ? word : type.write(value as Value)),
  };
}

function numeric(
  kind: "count" | "bytes" | "bytes/s" | "duration",
  { min, max = Number.MAX_SAFE_INTEGER, powerOfTwo = false }: Bounds,
  notation: { parse(raw: string): Parsed; print(value: number): string },
): ValueType<number> {
  return {
    shape: { kind, min, max, powerOfTwo },
    read(given, refuse) {
      const raw = scalarText(given, refuse);
      if (raw === undefined) return undefined;
      const parsed = notation.parse(raw);
      const problem = parsed.ok
        ? boundsProblem(parsed.value, { min, max, powerOfTwo })
        : parsed.problem;
      if (parsed.ok && problem === null) return parsed.value;
      refuse(given, problem ?? "");
      return undefined;
    },
    write: notation.print,
  };
}

function boundsProblem(value: number, bounds: Required<Bounds>): string | null {
  if (value < bounds.min) return "is too small";
  if (value > bounds.max) return "is too large";
  if (bounds.powerOfTwo && !Number.isInteger(Math.log2(value))) return "is not a power of two";
  return null;
}

function scalarText(given: Given, refuse: Refuse): string | undefined {
  if (isNull(given)) refuse(given, "means no value, and one is needed");
  else if (given.kind === "list") refuse(given, "is a list where a single value is expected");
  else if (given.kind === "tree") refuse(given, "is a tree where a single value is expected");
  else return given.text;
  return undefined;
}

/** JSON's strings are YAML's double-quoted ones; legal texts hold nothing that needs more. */
function writeText(value: string): string {
  return JSON.stringify(value);
}
