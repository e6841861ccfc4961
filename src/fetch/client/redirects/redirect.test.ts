/** Where answers lead: threat rows S4 (16 cases and more) and S6. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Header } from "../../../base/seams/index.ts";
import { redirectTarget } from "./redirect.ts";
import { hopVerdict } from "./redirect-count.ts";

const BASE = "https://example.org/a/b?c";

/** What an answer with these headers leads to, in one line. */
function leadsTo(status: number, headers: readonly Header[], base = BASE): string {
  const found = redirectTarget({ status, headers }, { base });
  if (found.kind === "none") return "none";
  return found.kind === "refused" ? `refused: ${found.reason}` : `${found.kind}: ${found.to}`;
}

function location(value: string): Header[] {
  return [["Location", value]];
}

describe("a redirect is a new URL", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    test(`with status ${status}`, () => {
      assert.equal(leadsTo(status, location("/x")), "redirected: https://example.org/x");
    });
  }

  for (const status of [200, 201, 204, 300, 304, 305, 306, 399, 404, 500]) {
    test(`but not with status ${status}`, () => {
      assert.equal(leadsTo(status, location("/x")), "none");
    });
  }

  const targets: readonly (readonly [written: string, target: string])[] = [
    ["https://other.example/x", "https://other.example/x"],
    ["http://example.org/", "http://example.org/"],
    ["//other.example/x", "https://other.example/x"],
    ["\\\\other.example\\x", "https://other.example/x"],
    ["x", "https://example.org/a/x"],
    ["?q", "https://example.org/a/b?q"],
    ["../../../x", "https://example.org/x"],
    ["/x#fragment", "https://example.org/x"],
    ["#top", "https://example.org/a/b?c"],
    ["  /x  ", "https://example.org/x"],
    ["/a b", "https://example.org/a%20b"],
    ["/x\ty", "https://example.org/xy"],
    ["HTTPS://EXAMPLE.org/X", "https://example.org/X"],
    ["https://name:secret@example.org/", "https://example.org/"],
    // Private addresses are refused when connecting, not here.
    ["http://127.0.0.1/", "http://127.0.0.1/"],
    ["//0x7f.1/latest/meta-data", "https://127.0.0.1/latest/meta-data"],
    ["http://[::1]:8080/", "http://[::1]:8080/"],
  ];
  for (const [written, target] of targets) {
    test(`to ${JSON.stringify(written)}`, () => {
      assert.equal(leadsTo(302, location(written)), `redirected: ${target}`);
    });
  }

  test("to what bytes beyond ASCII say in UTF-8", () => {
    const value = Buffer.from("/café/é?ü").toString("latin1");
    assert.equal(
      leadsTo(301, location(value)),
      "redirected: https://example.org/caf%C3%A9/%C3%A9?%C3%BC",
    );
    const host = Buffer.from("//bücher.example/").toString("latin1");
    assert.equal(leadsTo(301, location(host)), "redirected: https://xn--bcher-kva.example/");
  });

  test("to the escaped bytes when they are not UTF-8", () => {
    assert.equal(leadsTo(301, location("/caf\xe9")), "redirected: https://example.org/caf%E9");
  });

  test("to one target, though the header comes twice", () => {
    const twice: Header[] = [
      ["location", "/x"],
      ["LOCATION", "/x"],
    ];
    assert.equal(leadsTo(302, twice), "redirected: https://example.org/x");
  });
});

describe("a redirect is refused", () => {
  const refusals: readonly (readonly [written: string, reason: string])[] = [
    ["", "location-empty"],
    ["file:///etc/passwd", "file-from-web"],
    ["FILE:/etc/passwd", "file-from-web"],
    ["file://localhost/etc/passwd", "file-from-web"],
    ["file://server/share", "scheme-unsupported"],
    ["gopher://localhost:6379/_FLUSHALL", "scheme-unsupported"],
    ["data:text/html,<script>alert(1)</script>", "scheme-unsupported"],
    ["javascript:alert(1)", "scheme-unsupported"],
    ["ftp://example.org/", "scheme-unsupported"],
    ["mailto:a@example.org", "scheme-unsupported"],
    ["view-source:https://example.org/", "scheme-unsupported"],
    ["blob:https://example.org/1", "scheme-unsupported"],
    ["ws://example.org/", "scheme-unsupported"],
    ["http://", "host-missing"],
    ["//exa mple.org/", "host-invalid"],
    ["http://example.org:99999/", "port-invalid"],
    [`/${"x".repeat(70_000)}`, "url-too-long"],
  ];
  for (const [written, reason] of refusals) {
    test(`to ${JSON.stringify(written.slice(0, 50))}`, () => {
      assert.equal(leadsTo(302, location(written)), `refused: ${reason}`);
    });
  }

  test("without a Location", () => {
    assert.equal(leadsTo(302, []), "refused: location-missing");
    assert.equal(leadsTo(302, [["Content-Location", "/x"]]), "refused: location-missing");
  });

  test("with two different ones", () => {
    assert.equal(
      leadsTo(302, [...location("/x"), ...location("/y")]),
      "refused: location-ambiguous",
    );
  });

  test("when its target is longer than the limit for URLs", () => {
    const answer = { status: 302, headers: location(`/${"x".repeat(3000)}`) };
    const found = redirectTarget(answer, { base: BASE, lengthMax: 2048 });
    assert.deepEqual(found, { kind: "refused", reason: "url-too-long" });
  });
});

describe("a Refresh header is a link", () => {
  const refreshes: readonly (readonly [value: string, target: string])[] = [
    ["0; url=/x", "refreshed: https://example.org/x"],
    ["5;URL='/x'", "refreshed: https://example.org/x"],
    ["0, //other.example/", "refreshed: https://other.example/"],
    ["0; url=file:///etc/passwd", "refused: file-from-web"],
    ["0; url=javascript:alert(1)", "refused: scheme-unsupported"],
    ["30", "none"],
    ["nonsense", "none"],
  ];
  for (const [value, target] of refreshes) {
    test(JSON.stringify(value), () => {
      assert.equal(leadsTo(200, [["Refresh", value]]), target);
    });
  }

  test("that counts less than a redirect", () => {
    const both: Header[] = [
      ["Refresh", "0; url=/y"],
      ["Location", "/x"],
    ];
    assert.equal(leadsTo(302, both), "redirected: https://example.org/x");
  });
});

test("a file may lead to a file, and to the web", () => {
  const base = "file:///corpus/index.html";
  assert.equal(leadsTo(302, location("page.html"), base), "redirected: file:///corpus/page.html");
  assert.equal(
    leadsTo(302, location("https://example.org"), base),
    "redirected: https://example.org/",
  );
});

test("whatever the headers contain, there is an answer", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.webUrl());
  const header = fc.tuple(fc.constantFrom("Location", "Refresh", "X"), text);
  fc.assert(
    fc.property(fc.array(header), fc.integer({ min: 100, max: 599 }), (headers, status) => {
      const found = redirectTarget({ status, headers }, { base: BASE });
      if (found.kind === "redirected") assert.match(found.to, /^https?:\/\//);
    }),
  );
});

/** Follows redirects as a frontier without a sieve would; returns how many and why it ended. */
function follow(next: (url: string) => string, redirectsMax: number): [number, string] {
  let url = "https://example.org/0";
  let redirects = 0;
  for (;;) {
    const verdict = hopVerdict({ from: url, to: next(url), redirects, redirectsMax });
    if (verdict.kind === "refused") return [redirects, verdict.reason];
    redirects = verdict.redirects;
    url = next(url);
    if (url.endsWith("/end")) return [redirects, "arrived"];
  }
}

describe("redirects in a row end", () => {
  const chain =
    (length: number) =>
    (url: string): string => {
      const step = Number(url.slice(url.lastIndexOf("/") + 1)) + 1;
      return `https://example.org/${step === length ? "end" : step}`;
    };
  const cases: readonly (readonly [string, (url: string) => string, number, [number, string]])[] = [
    ["a chain of 10", chain(10), 10, [10, "arrived"]],
    ["a chain of 11", chain(11), 10, [10, "too-many-redirects"]],
    ["a chain without end", chain(Number.NaN), 10, [10, "too-many-redirects"]],
    ["a URL that leads to itself", (url) => url, 10, [0, "redirect-loop"]],
    [
      "two hosts that point at each other",
      (url) => (url.includes(".org") ? "https://example.net/" : "https://example.org/"),
      10,
      [10, "too-many-redirects"],
    ],
    [
      "http and https that point at each other",
      (url) => (url.startsWith("https") ? "http://example.org/" : "https://example.org/"),
      5,
      [5, "too-many-redirects"],
    ],
    ["when none is allowed", chain(3), 0, [0, "too-many-redirects"]],
  ];
  for (const [name, next, redirectsMax, expected] of cases) {
    test(name, () => {
      assert.deepEqual(follow(next, redirectsMax), expected);
    });
  }
});

test("a redirect may lead to the scheme of a protocol module, and from it to the web", () => {
  const schemes = new Set(["ftp"]);
  const target = (to: string, base: string): string => {
    const found = redirectTarget({ status: 302, headers: location(to) }, { base, schemes });
    return found.kind === "redirected" ? found.to : found.kind;
  };
  assert.equal(target("ftp://example.org/x", BASE), "ftp://example.org/x");
  assert.equal(target("y", "ftp://example.org/x"), "ftp://example.org/y");
  assert.equal(target(BASE, "ftp://example.org/x"), BASE);
  assert.equal(target("file:///etc/passwd", "ftp://example.org/x"), "refused");
  assert.equal(leadsTo(302, location("ftp://example.org/x")), "refused: scheme-unsupported");
});
