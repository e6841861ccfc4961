import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scoredLink } from "../../../test/support/rules/scored-link.ts";
import { BackLinks } from "./back-links.ts";

test("each page that links to a URL counts as one back-link, however often it links there", () => {
  const score = new BackLinks();
  score.pageFetched();
  assert.equal(score.priorityOf(scoredLink(1)), 1);
  assert.equal(score.priorityOf(scoredLink(2)), 1);
  assert.equal(score.priorityOf(scoredLink(1)), 1, "the same page again");
  score.pageFetched();
  assert.equal(score.priorityOf(scoredLink(1)), 2);
  score.pageFetched();
  assert.equal(score.priorityOf(scoredLink(1)), 3);
});

test("back-links are what counting them in a map gives, while all URLs fit", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(50))), (pages) => {
      const score = new BackLinks(1024);
      const counts = new Map<number, number>();
      for (const links of pages) {
        score.pageFetched();
        for (const link of new Set(links)) counts.set(link, (counts.get(link) ?? 0) + 1);
        for (const link of links)
          assert.equal(score.priorityOf(scoredLink(link)), counts.get(link));
      }
    }),
  );
});
