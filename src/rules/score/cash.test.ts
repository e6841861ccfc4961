import assert from "node:assert/strict";
import { test } from "node:test";
import { scoredLink, scoredPage } from "../../../test/support/rules/scored-link.ts";
import { Cash } from "./cash.ts";

test("a page shares its cash equally among its links, and keeps none", () => {
  const score = new Cash();
  score.pageFetched(scoredPage(0, 2, true));
  assert.equal(score.priorityOf(scoredLink(1)), 64 * Math.cbrt(1 / 2));
  assert.equal(score.priorityOf(scoredLink(2)), 64 * Math.cbrt(1 / 2));
  score.pageFetched(scoredPage(1, 4));
  assert.equal(score.priorityOf(scoredLink(2)), 64 * Math.cbrt(1 / 2 + 1 / 8));
  assert.equal(score.priorityOf(scoredLink(3)), 64 * Math.cbrt(1 / 8));
  score.pageFetched(scoredPage(1, 1));
  assert.equal(score.priorityOf(scoredLink(4)), 0, "it gave everything away before");
});
