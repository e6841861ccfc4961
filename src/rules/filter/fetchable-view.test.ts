import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseUrl } from "../../formats/url/index.ts";
import { FetchableView } from "./fetchable-view.ts";

function viewOf(text: string): FetchableView {
  const outcome = parseUrl(text);
  assert.ok(outcome.kind !== "refused", text);
  return new FetchableView(outcome.url);
}

test("a view has the parts of its URL, and the port that is connected to", () => {
  const { href, scheme, host, port, path, query, domain } = viewOf("HTTPS://www.bbc.co.uk/a?b=c#d");
  assert.deepEqual(
    [href, scheme, host, port, path, query, domain],
    ["https://www.bbc.co.uk/a?b=c", "https", "www.bbc.co.uk", 443, "/a", "b=c", "bbc.co.uk"],
  );
  assert.equal(viewOf("http://a.org:8080").port, 8080);
  assert.equal(viewOf("http://a.org").port, 80);
});

test("an address is its own domain", () => {
  assert.equal(viewOf("http://192.0.2.1/").domain, "192.0.2.1");
  assert.equal(viewOf("http://[2001:db8::1]/").domain, "[2001:db8::1]");
});

test("the parts are those of the platform's parser", () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, validSchemes: ["http", "https"] }),
      (text) => {
        const view = viewOf(text);
        const parsed = new URL(text);
        assert.equal(view.host, parsed.hostname);
        assert.equal(view.path, parsed.pathname);
        assert.equal(`${view.query === "" ? "" : "?"}${view.query}`, parsed.search);
        assert.equal(`${view.scheme}:`, parsed.protocol);
      },
    ),
  );
});
