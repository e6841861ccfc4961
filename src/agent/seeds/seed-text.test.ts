import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readSeed } from "./seed-text.ts";

describe("bare domains get https", () => {
  for (const [text, url] of [
    ["example.org", "https://example.org"],
    ["Example.org/docs?x=1", "https://Example.org/docs?x=1"],
    ["example.org:8443", "https://example.org:8443"],
    ["localhost:8080/x", "https://localhost:8080/x"],
    ["192.0.2.1", "https://192.0.2.1"],
    ["[2001:db8::1]:80/", "https://[2001:db8::1]:80/"],
    ["b\u00fccher.example", "https://b\u00fccher.example"],
    ["1,google.com", "https://google.com"],
    ["1000000\texample.org", "https://example.org"],
  ] as const) {
    test(JSON.stringify(text), () => {
      assert.deepEqual(readSeed(text), { ok: true, url, isAssumed: true, credential: null });
    });
  }

  for (const text of [
    "nothing here",
    "seeds",
    ":::",
    "ftp://a/",
    "mailto:me@example.org",
    "a.b:x",
  ]) {
    test(`${JSON.stringify(text)} is none`, () => {
      assert.equal(readSeed(text).ok, false);
    });
  }

  for (const text of ["http://example.org/", "https://example.org", "file:///a"]) {
    test(`${text} stays as it is`, () => {
      assert.deepEqual(readSeed(text), { ok: true, url: text, isAssumed: false, credential: null });
    });
  }
});

describe("user and password of a seed", () => {
  test("are removed from the URL and sent to that host and port only", () => {
    const read = readSeed("http://me:s%40cret@EXAMPLE.org:8080/x@y");
    assert.ok(read.ok);
    assert.equal(read.url, "http://EXAMPLE.org:8080/x@y");
    assert.deepEqual(read.credential, {
      ...{ host: "example.org", port: 8080, mayBeClear: true },
      authorization: `Basic ${Buffer.from("me:s@cret").toString("base64")}`,
    });
  });

  test("are for https only if the seed is https, also with an @ in the password", () => {
    const read = readSeed("https://me:a@b@[2001:db8::1]/");
    assert.ok(read.ok);
    assert.equal(read.url, "https://[2001:db8::1]/");
    assert.deepEqual(read.credential, {
      ...{ host: "2001:db8::1", port: 443, mayBeClear: false },
      authorization: `Basic ${Buffer.from("me:a@b").toString("base64")}`,
    });
  });

  test("are for the default port of the seed's scheme if it names none", () => {
    const ports = ["http", "https"].map((scheme) => {
      const read = readSeed(`${scheme}://me:secret@example.org/`);
      return read.ok && read.credential?.port;
    });
    assert.deepEqual(ports, [80, 443]);
  });

  test("may be a name without a password", () => {
    const read = readSeed("https://token@example.org/");
    assert.ok(read.ok);
    const authorization = `Basic ${Buffer.from("token:").toString("base64")}`;
    assert.equal(read.credential?.authorization, authorization);
  });
});

test("a seed may have the scheme of a protocol module, which is given no password", () => {
  const schemes = new Set(["ftp"]);
  const url = "ftp://example.org/pub/";
  assert.deepEqual(readSeed(url, schemes), { ok: true, url, isAssumed: false, credential: null });
  assert.equal(readSeed(url).ok, false);
  const read = readSeed("ftp://me:secret@example.org/pub/", schemes);
  assert.ok(!read.ok && /not given passwords/.test(read.problem));
});

test("a seed with control characters or invisible marks is kept as it is fetched", () => {
  const seeds = [
    ["http://a.test/\u001b[2J", "http://a.test/%1B[2J"],
    ["http://a.test/\u200bx", "http://a.test/%E2%80%8Bx"],
    ["a.test/\u202e", "https://a.test/%E2%80%AE"],
    ["http://a.test/?\u2028", "http://a.test/?%E2%80%A8"],
    ["http://a.test/caf\u00e9", "http://a.test/caf\u00e9"],
  ];
  for (const [text = "", url] of seeds) {
    const read = readSeed(text);
    assert.equal(read.ok && read.url, url);
  }
});
