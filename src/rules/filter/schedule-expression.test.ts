import assert from "node:assert/strict";
import { test } from "node:test";
import { ExampleView } from "../../../test/support/rules/example-views.ts";
import { loadFilter } from "./load-filter.ts";
import { scheduleExpression } from "./schedule-expression.ts";
import { FILTER_PLACES } from "./view.ts";

test("without any source everything is scheduled", () => {
  assert.equal(scheduleExpression({}), "TRUE");
});

test("the filter, the inclusions and the exclusions are joined", () => {
  const text = scheduleExpression({
    filter: "SchemeEquals(https) or SameHost() # with a comment",
    include: ["*.org/*", "HostEndsWith(.net)"],
    exclude: ["*/login*", "PathStartsWith(/tmp)"],
  });
  assert.equal(
    text,
    "(SchemeEquals(https) or SameHost()) and (URLGlob(*.org/*) or HostEndsWith(.net)) " +
      "and not (URLGlob(*/login*) or PathStartsWith(/tmp))",
  );
});

test("an exclusion refuses what an inclusion accepts", async () => {
  const text = scheduleExpression({ include: ["*.org/*"], exclude: ["*/login*"] });
  const filter = await loadFilter(text, FILTER_PLACES.schedule);
  const accepts = (url: string) => filter.accepts(new ExampleView(url));
  assert.equal(accepts("https://example.org/a"), true);
  assert.equal(accepts("https://example.org/login"), false);
  assert.equal(accepts("https://example.com/a"), false);
});
