/**
 * The `schedule` filter of a crawl from its three sources: the key `filters.schedule`, and the flags
 * `--include` and `--exclude`. A URL is taken up when the filter accepts it, one of the inclusions
 * does (if there are any), and none of the exclusions does.
 */
import type { FilterNode } from "./language/expression.ts";
import { FilterError } from "./language/filter-error.ts";
import { printFilter } from "./language/printer.ts";
import { checkFilter, parseFilter } from "./load-filter.ts";
import { understand } from "./understand.ts";
import { FILTER_PLACES } from "./view.ts";

export interface ScheduleSources {
  /** A filter expression. */
  readonly filter?: string | undefined;
  /** Filter expressions or globs. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Modules whose atoms may be used by their names alone. */
  readonly lent?: readonly string[];
}

/** In normal form; throws the `FilterError` of the first source that has mistakes. */
export function scheduleExpression(sources: ScheduleSources): string {
  const { filter, include = [], exclude = [], lent = [] } = sources;
  const checked = (text: string, name: string) => parsed(text, name, lent);
  const parts: FilterNode[] = [];
  if (filter !== undefined) parts.push(checked(filter, FILTER_PLACES.schedule.name));
  const wanted = include.map((text) => checked(understand(text).expression, "--include"));
  const unwanted = exclude.map((text) => checked(understand(text).expression, "--exclude"));
  if (wanted.length > 0) parts.push(group("or", wanted));
  if (unwanted.length > 0) parts.push({ kind: "not", operand: group("or", unwanted) });
  return parts.length === 0 ? "TRUE" : printFilter(group("and", parts));
}

function parsed(text: string, name: string, lent: readonly string[]): FilterNode {
  const mistakes = checkFilter(text, { name, sees: FILTER_PLACES.schedule.sees }, lent);
  if (mistakes.length > 0) throw new FilterError(name, text, mistakes);
  return parseFilter(text);
}

function group(kind: "and" | "or", operands: readonly FilterNode[]): FilterNode {
  const only = operands.length === 1 ? operands[0] : undefined;
  return only ?? { kind, operands };
}
