import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type FetchableUrl,
  hostOf,
  keyOf,
  LinkResolver,
  originOf,
  parseUrl,
  partsOf,
} from "./index.ts";
import { BUILT_IN_SCHEMES, portOfScheme } from "./scheme.ts";

const schemes: ReadonlySet<string> = new Set(["ftp", "gemini", "x-own"]);

const resolver = new LinkResolver({
  fingerprintKey: new Uint8Array(16),
  shards: 64,
  urlLengthMax: 2048,
  schemes,
});

function accepted(text: string, base?: string): FetchableUrl {
  const outcome = parseUrl(text, { base, schemes });
  assert.ok(outcome.kind === "accepted", `${text} is refused`);
  return outcome.url;
}

function refusal(text: string, given: ReadonlySet<string> = schemes): string {
  const outcome = parseUrl(text, { schemes: given });
  return outcome.kind === "refused" ? outcome.reason : "accepted";
}

test("a scheme is accepted only if it is given", () => {
  assert.equal(accepted("ftp://example.org/a"), "ftp://example.org/a");
  assert.equal(refusal("ftp://example.org/a", new Set()), "scheme-unsupported");
  assert.equal(refusal("gopher://example.org/a"), "scheme-unsupported");
  assert.equal(refusal("file:///etc/passwd"), "scheme-unsupported");
});

test("hosts, ports and paths of any scheme are read like those of http", () => {
  const cases = [
    ["FTP://User:secret@Example.ORG:21/a/../b#top", "ftp://example.org/b"],
    ["ftp://example.org", "ftp://example.org/"],
    ["gemini://Example.ORG", "gemini://example.org/"],
    ["gemini://example.org:1965/a?q", "gemini://example.org/a?q"],
    ["gemini://example.org:80/", "gemini://example.org:80/"],
    ["gemini://bücher.example/ä", "gemini://xn--bcher-kva.example/%C3%A4"],
    ["gemini://u@[::0:1]:7/a b", "gemini://[::1]:7/a%20b"],
    ["x-own://example.org:4/./x", "x-own://example.org:4/x"],
  ] as const;
  for (const [text, expected] of cases) assert.equal(accepted(text), expected);
});

test("a URL without a host of its own is refused with the reason", () => {
  assert.equal(refusal("ftp://"), "host-missing");
  assert.equal(refusal("gemini:///a"), "host-missing");
  assert.equal(refusal("gemini:a"), "host-missing");
  assert.equal(refusal("gemini://a b/"), "host-invalid");
  assert.equal(refusal("gemini://%00/"), "host-invalid");
  assert.equal(refusal("ftp://example.org:99999/"), "port-invalid");
});

test("the parts of such a URL are found, and its key is made like any other", () => {
  const url = accepted("x-own://www.example.org.:4/a%7E?b");
  assert.deepEqual(partsOf(url), {
    scheme: "x-own",
    host: "www.example.org.",
    port: ":4",
    path: "/a%7E",
    query: "?b",
  });
  assert.equal(hostOf(url), "www.example.org.");
  assert.equal(originOf(url), "x-own://www.example.org.:4");
  assert.equal(keyOf(url), "x-own://www.example.org:4/a~?b");
});

test("pages of every scheme link to every scheme that is fetched, but not to files", () => {
  const linked = (link: string, page: string): string => {
    const resolved = resolver.resolve(link, resolver.base(accepted(page)));
    return typeof resolved === "string" ? resolved : resolved.url;
  };
  const [web, ftp] = ["https://example.org/a/", "ftp://example.org/pub/list"];
  assert.equal(linked("ftp://Host.example/x", web), "ftp://host.example/x");
  assert.equal(linked("FTP://host.example/x", web), "ftp://host.example/x");
  assert.equal(linked("gopher://host.example/x", web), "scheme-unsupported");
  assert.equal(linked("../file.txt", ftp), "ftp://example.org/file.txt");
  assert.equal(linked("//other.example/", ftp), "ftp://other.example/");
  assert.equal(linked("http://example.org/b", ftp), "http://example.org/b");
  assert.equal(linked("file:///etc/passwd", ftp), "scheme-unsupported");
  assert.equal(linked("mailto:a@example.org", ftp), "scheme-unsupported");
});

test("whatever is accepted is its own fetchable form, and so is its key", () => {
  const texts = fc
    .tuple(
      fc.constantFrom("ftp", "gemini", "x-own"),
      fc.oneof(
        fc.domain(),
        fc.ipV6().map((address) => `[${address}]`),
        fc.string(),
      ),
      fc.oneof(fc.webPath(), fc.string()),
    )
    .map(([scheme, host, path]) => `${scheme}://${host}${path}`);
  fc.assert(
    fc.property(texts, (text) => {
      const outcome = parseUrl(text, { schemes });
      if (outcome.kind === "refused") return;
      assert.match(outcome.url, /^[a-z-]+:\/\/[^/?#@]+\/[\x21-\x7e]*$/);
      assert.equal(accepted(outcome.url), outcome.url);
      const key = keyOf(outcome.url);
      assert.equal(accepted(key), key.toString());
      assert.equal(keyOf(key), key);
      const resolved = resolver.resolve(outcome.url, resolver.base(outcome.url));
      if (typeof resolved !== "string") assert.equal(resolved.key, key);
    }),
  );
});

test("schemes that are known have the port that IANA assigned", () => {
  assert.deepEqual(BUILT_IN_SCHEMES.map(portOfScheme), [80, 443, 0]);
  assert.deepEqual(["ftp", "gemini", "x-own"].map(portOfScheme), [21, 1965, 0]);
});
