/** Checks for JSON from outside: each returns in words what is wrong with a value, or null. */
import { nearestName } from "../../../base/text/index.ts";

export type Check = (value: unknown) => string | null;

/** Everything wrong with the fields of an object; names that no check knows are wrong too. */
export function checkFields(
  given: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) return [unknownName(name, Object.keys(checks))];
    const problem = check(value);
    return problem === null ? [] : [`${name} ${problem}`];
  });
}

export function isAmount(value: unknown): string | null {
  return typeof value === "number" && value >= 0 ? null : "must be a number of at least 0";
}

export function isTruthValue(value: unknown): string | null {
  return typeof value === "boolean" ? null : "must be true or false";
}

export function isText(value: unknown): string | null {
  return typeof value === "string" ? null : "must be a text";
}

export function isTextList(value: unknown): string | null {
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isList ? null : "must be a list of texts";
}

export function oneOf(...choices: readonly string[]): Check {
  return (value) =>
    typeof value === "string" && choices.includes(value) ? null : `must be ${choices.join(" or ")}`;
}

export function orNull(check: Check): Check {
  return (value) => (value === null ? null : check(value));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unknownName(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  const hint = nearest === null ? `there are ${names.join(", ")}` : `did you mean ${nearest}?`;
  return `${JSON.stringify(name)} is unknown; ${hint}`;
}
