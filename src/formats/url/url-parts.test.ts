import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type FetchableUrl,
  hostOf,
  keyHostOf,
  keyOf,
  originOf,
  parseUrl,
  partsOf,
  registrableDomain,
  surtOf,
} from "./index.ts";

function fetchable(text: string): FetchableUrl {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted", text);
  return outcome.url;
}

test("a URL is split into its parts", () => {
  assert.deepEqual(partsOf(fetchable("https://example.org:8443/a:b/c?d:e/?f")), {
    scheme: "https",
    host: "example.org",
    port: ":8443",
    path: "/a:b/c",
    query: "?d:e/?f",
  });
  assert.deepEqual(partsOf(fetchable("http://[::1]?]:1")), {
    scheme: "http",
    host: "[::1]",
    port: "",
    path: "/",
    query: "?]:1",
  });
});

test("the parts of any URL are those of the parser", () => {
  const anyUrl = fc.webUrl({
    authoritySettings: { withIPv4: true, withIPv6: true, withPort: true },
    withQueryParameters: true,
  });
  fc.assert(
    fc.property(anyUrl, (text) => {
      const url = fetchable(text);
      const { scheme, host, port, path, query } = partsOf(url);
      const parsed = new URL(url);
      assert.equal(`${scheme}:`, parsed.protocol);
      assert.equal(host, parsed.hostname);
      assert.equal(port.slice(1), parsed.port);
      assert.equal(path, parsed.pathname);
      assert.equal(query === "?" ? "" : query, parsed.search);
      assert.equal(`${scheme}://${host}${port}${path}${query}`, url);
      assert.equal(hostOf(url), parsed.hostname);
      assert.equal(originOf(url), parsed.origin);
    }),
    { numRuns: 300 },
  );
});

test("politeness goes by the host that is contacted, assignment by the host of the key", () => {
  const url = fetchable("http://example.org./");
  assert.equal(hostOf(url), "example.org.");
  assert.equal(keyHostOf(keyOf(url)), "example.org");
});

test("hosts are reversed for indexes, addresses are not", () => {
  assert.equal(surtOf(fetchable("http://localhost/")), "localhost)/");
  assert.equal(surtOf(fetchable("http://[::1]/")), "[::1])/");
  assert.equal(surtOf(fetchable("https://www.bme.hu/a?b#c")), "hu,bme,www)/a?b");
  assert.equal(surtOf(fetchable("http://www.bme.hu:8080")), "hu,bme,www:8080)/");
  assert.equal(surtOf(fetchable("http://10.0.0.1:81/x")), "10.0.0.1:81)/x");
});

test("the registrable domain is one label more than the public suffix, private ones included", () => {
  const domain = (text: string): string | null => registrableDomain(hostOf(fetchable(text)));
  assert.equal(domain("http://a.b.example.co.uk/"), "example.co.uk");
  assert.equal(domain("http://example.org./"), "example.org");
  assert.equal(domain("http://www.alice.github.io/"), "alice.github.io");
  assert.equal(domain("http://github.io/"), null);
  assert.equal(domain("http://co.uk/"), null);
  assert.equal(domain("http://localhost/"), null);
  assert.equal(domain("http://127.0.0.1/"), null);
  assert.equal(domain("http://[::1]/"), null);
  assert.equal(domain("http://.example.org/"), null);
  assert.equal(domain("http://食狮.公司.cn/"), "xn--85x722f.xn--55qx5d.cn");
  assert.equal(domain("http://server.intranet/"), "server.intranet");
});
