import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withAnchor } from "../../../test/support/rules/scored-link.ts";
import { TopicWords } from "./topic-words.ts";

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
