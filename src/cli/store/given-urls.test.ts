import assert from "node:assert/strict";
import { test } from "node:test";
import { urlProblem } from "./given-urls.ts";

test("a word that is not a URL is told how to write one", () => {
  for (const word of ["x", "/etc", ""]) {
    const problem = urlProblem(word);
    assert.match(problem ?? "", /neither a URL nor a domain.*https:\/\//, word);
  }
  for (const url of ["https://example.org/", "example.org", "gopher://a.test/x", "file:///a"]) {
    assert.equal(urlProblem(url), null, url);
  }
});
