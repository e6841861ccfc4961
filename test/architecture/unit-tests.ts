/**
 * How tests and sources find each other: `x.test.ts`, or `x-aspect.test.ts` where the tests of one
 * source are split by behaviour, lies beside `x.ts`.
 */
import { COVERED_ELSEWHERE } from "./covered-elsewhere.ts";
import type { References } from "./references.ts";

/** Shorter sources may be tested through those that use them. */
export const UNTESTED_LINES_MAX = 99;

/** The source that a unit test is named after: the longest name of a source beside it. */
export function sourceOf(test: string, paths: ReadonlySet<string>): string | undefined {
  const stem = test.slice(0, -".test.ts".length);
  const slash = stem.lastIndexOf("/");
  for (let end = stem.length; end > slash; end = stem.lastIndexOf("-", end - 1)) {
    const source = `${stem.slice(0, end)}.ts`;
    if (paths.has(source)) return source;
  }
  return undefined;
}

/** A source that declares types and nothing that runs has nothing to test. */
export function hasCode(text: string): boolean {
  return /^(?:export )?(?:abstract )?(?:async )?(?:class|function|const|let)\b/m.test(text);
}

/** One sentence for each entry of the list that is wrong or not needed. */
export function listMistakes(
  references: References,
  untested: ReadonlySet<string>,
  list: Readonly<Record<string, string>> = COVERED_ELSEWHERE,
): string[] {
  const paths = new Set(references.paths);
  return Object.entries(list).flatMap(([source, test]) => {
    if (!paths.has(source)) return [`${source}: is not there`];
    if (!untested.has(source)) return [`${source}: has a test of its own, or needs none`];
    if (!/\.test\.ts$/.test(test) || !paths.has(test)) return [`${source}: ${test} is not there`];
    return references.reachOf(test).has(source) ? [] : [`${source}: ${test} does not reach it`];
  });
}
