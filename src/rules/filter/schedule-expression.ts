/**
 * The `schedule` filter of a crawl from its three sources: the key `filters.schedule`, and the flags
 * `--include` and `--exclude`. A URL is scheduled if the filter accepts it, at least one of the
 * inclusions does (if there are any), and none of the exclusions does.
 */
import { type FilterNode, group } from "./language/expression.ts";
import { printFilter } from "./language/printer.ts";
import { parseFilter } from "./load-filter.ts";
import { understand } from "./understand.ts";

export interface ScheduleSources {
  /** A filter expression. */
  readonly filter?: string | undefined;
  /** Filter expressions or globs. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** In normal form. The sources have been checked. */
export function scheduleExpression({
  filter,
  include = [],
  exclude = [],
}: ScheduleSources): string {
  const parts: FilterNode[] = filter === undefined ? [] : [parseFilter(filter)];
  const anyOf = (texts: readonly string[]): FilterNode =>
    group(
      "or",
      texts.map((text) => parseFilter(understand(text).expression)),
    );
  if (include.length > 0) parts.push(anyOf(include));
  if (exclude.length > 0) parts.push({ kind: "not", operand: anyOf(exclude) });
  return parts.length === 0 ? "TRUE" : printFilter(group("and", parts));
}
