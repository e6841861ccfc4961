import assert from "node:assert/strict";
import { test } from "node:test";
import { pageAt } from "../../../../test/support/store/indexed-pages.ts";
import { pageRow } from "../line-row.ts";
import { ProblemList } from "./problem-list.ts";
import { addLine, compareIndex } from "./verify-index.ts";

test("a page that has a line and no row is told, wherever its key stands", () => {
  const lines: string[] = [];
  const sorter = { add: (line: string) => lines.push(line), sorted: () => lines.toSorted() };
  for (const path of ["a", "b", "c"]) {
    const { key, ...page } = pageAt(path);
    addLine(sorter, key, pageRow({ ...page, key }), path !== "b");
  }
  const problems = new ProblemList();
  compareIndex(sorter, problems);
  assert.deepEqual(
    problems.kept.map(({ url, problem }) => [url, problem]),
    [pageAt("a"), pageAt("c")].map(({ url }) => [url, "the page has no row"]),
    "the log is ahead of the index by b",
  );
});
