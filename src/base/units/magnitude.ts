/**
 * A decimal number with a unit, read and written exactly. The result is a whole number that a
 * double holds without loss, so nothing here rounds: `1.5s` is 1500 and `0.1ms` is refused. What
 * one function prints, its partner reads back as the same number.
 */

/** A number, or what is wrong with the text, as the end of a sentence that begins with the text. */
export type Parsed =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly problem: string };

export interface Measure {
  /**
   * Factor of each suffix. A Map and not an object: a suffix such as `constructor` is a user's
   * text and must not find anything.
   */
  readonly factors: ReadonlyMap<string, number>;
  /** What is measured, for refusals: `duration`. */
  readonly name: string;
  /** What the result counts, for refusals: `of milliseconds`, or nothing. */
  readonly of: string;
  /** Examples of right values, for refusals. */
  readonly examples: string;
  /** The suffixes in words, for refusals; alternative spellings may be left out. */
  readonly units: string;
}

/** Nobody writes longer numbers; the limit also bounds the work below. */
const CHARACTERS_MAX = 40;
const FORM = /^(\d+)(?:\.(\d+))? ?([A-Za-z]*)$/;

export function parseMagnitude(text: string, measure: Measure): Parsed {
  const trimmed = text.trim();
  if (trimmed.length > CHARACTERS_MAX) return refuse("is too long for a number");
  const match = FORM.exec(trimmed);
  if (match === null) return refuse(formProblem(trimmed, measure));
  const [, whole = "", fraction = "", suffix = ""] = match;
  if (whole.length > 1 && whole.startsWith("0")) return refuse("begins with a needless zero");
  const factor = measure.factors.get(suffix);
  if (factor === undefined) return refuse(unitProblem(suffix, measure));
  return exact(whole + fraction, fraction.length, factor, measure);
}

/** `steps` from the largest; the first that divides the value without remainder is used. */
export function printMagnitude(
  value: number,
  steps: readonly (readonly [suffix: string, factor: number])[],
): string {
  for (const [suffix, factor] of steps) {
    if (value >= factor && value % factor === 0) return `${value / factor}${suffix}`;
  }
  return String(value);
}

function exact(digits: string, decimals: number, factor: number, measure: Measure): Parsed {
  const scaled = BigInt(digits) * BigInt(factor);
  const divisor = 10n ** BigInt(decimals);
  if (scaled % divisor !== 0n) return refuse(`is not a whole number ${measure.of}`.trimEnd());
  const value = scaled / divisor;
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) return refuse("is too large to be counted exactly");
  return { ok: true, value: Number(value) };
}

function formProblem(text: string, measure: Measure): string {
  if (text === "") return "is empty";
  if (/^-\s*[\d.]/.test(text)) return "is negative";
  if (/^\+/.test(text)) return "has a sign; write the number alone";
  if (/^0[xob]/i.test(text)) return "is not decimal; write it with the digits 0 to 9";
  if (/^\d*\.?\d+e[+-]?\d+$/i.test(text)) return "has an exponent; write it out, or use k, M, G";
  if (/^\d[\d_,']*[_,'][\d_,']*[A-Za-z]*$/.test(text)) return "has separators between its digits";
  return `is not a ${measure.name} such as ${measure.examples}`;
}

function unitProblem(suffix: string, measure: Measure): string {
  if (suffix === "") return `has no unit; write one of ${measure.units}`;
  return `has an unknown unit "${suffix}"; the units are ${measure.units}`;
}

function refuse(problem: string): Parsed {
  return { ok: false, problem };
}
