/**
 * `--include` and `--exclude` as one filter expression. What the configuration schedules already
 * is only narrowed: a link must pass it, one of the inclusions if there are any, and none of the
 * exclusions. Each of them is an expression, or a glob on the URL when it has none of the
 * language's words.
 */

/** The filter language, as far as the configuration needs it. */
export interface FilterLanguage {
  /** What is wrong with an expression, or null. */
  check(expression: string): string | null;
}

export interface Narrowing {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * An atom such as `HostIs(…)` at the beginning or after an operator, or a constant. A name before
 * a parenthesis inside a path, as in `/Rome_(city)`, is no atom.
 */
const EXPRESSION = /(?:^|[\s(!~&|∧∨])[A-Za-z_$][\w.$]*\s*\(|^\s*(?:true|TRUE|false|FALSE)\s*$/;

/** The expression for what a user gave to `--include` or `--exclude`. */
export function expressionOf(given: string): string {
  if (EXPRESSION.test(given)) return given.trim();
  return `URLGlob("${given.trim().replace(/[\\"]/g, "\\$&")}")`;
}

/** Null when there is nothing to say, which accepts everything. */
export function narrowed(schedule: string | null, narrowing: Narrowing): string | null {
  const included = narrowing.include.map(expressionOf);
  const parts = [
    // A comment at the end of the expression must not swallow what follows.
    ...(schedule === null
      ? []
      : [/[#\n]|\/\//.test(schedule) ? `(${schedule}\n)` : `(${schedule})`]),
    ...(included.length === 0 ? [] : [`(${included.join(" or ")})`]),
    ...narrowing.exclude.map((given) => `not (${expressionOf(given)})`),
  ];
  return parts.length === 0 ? null : parts.join(" and ");
}
