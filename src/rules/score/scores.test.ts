import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scoredLink, scoredPage, withAnchor } from "../../../test/support/scored-link.ts";
import { BackLinks } from "./back-links.ts";
import { Cash } from "./cash.ts";
import { TopicWords } from "./topic-words.ts";

test("a URL has as many back-links as pages that lead to it, however often each does", () => {
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

test("a link with words of the topic in its text comes before one with them in the URL", () => {
  const score = new TopicWords(["Venezia", "Piazza San Marco"]);
  const priority = (href: string, anchor: string): number =>
    score.priorityOf(withAnchor(1, href, anchor));
  assert.equal(priority("http://a.example/", "Roma"), 0);
  assert.equal(priority("http://a.example/venezia.html", "Roma"), 1);
  assert.equal(priority("http://a.example/", "A day in VENEZIA!"), 2);
  assert.equal(priority("http://a.example/piazza-san-marco", "Venezia: piazza\n San Marco"), 5);
  assert.equal(priority("http://a.example/", "Veneziano"), 0, "words are whole");
  assert.equal(priority("http://a.example/%70iazza_San%20Marco", ""), 1);
});

test("topics of any script are found, in other spellings of the same letters too", () => {
  const score = new TopicWords(["città", "история"]);
  assert.equal(score.priorityOf(withAnchor(1, "http://a.example/", "la CITTA\u0300 antica")), 2);
  assert.equal(score.priorityOf(withAnchor(1, "http://a.example/citt%C3%A0", "")), 1);
  assert.equal(score.priorityOf(withAnchor(1, "http://a.example/citt%E0", "")), 0, "not UTF-8");
  assert.equal(score.priorityOf(withAnchor(1, "http://a.example/", "История города")), 2);
});

test("no text or topic makes the topic score throw, and it is finite", () => {
  const text = fc.string({ unit: "binary", maxLength: 50 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), text, (topic, anchor) => {
      const score = new TopicWords(topic);
      const priority = score.priorityOf(withAnchor(1, "http://a.example/%zz%e0", anchor));
      assert.ok(priority >= 0 && priority <= 3 * topic.length);
    }),
  );
});
