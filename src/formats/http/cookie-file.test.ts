import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { HostName } from "../url/index.ts";
import type { CookieOrigin } from "./cookie.ts";
import { readCookieFile } from "./cookie-file.ts";
import { CookieJar } from "./cookie-jar.ts";

function origin(host: string, path = "/", isSecure = true): CookieOrigin {
  return { host: host as HostName, path, isSecure };
}

function line(...fields: readonly string[]): string {
  return fields.join("\t");
}

/** What a jar that was given this file sends. */
function sent(jar: CookieJar, to: CookieOrigin): string | null {
  return jar.headerFor(to)?.text ?? null;
}

function jarOf(text: string, clock = new SimulatedTime()): CookieJar {
  const { cookies, mistakes } = readCookieFile(text);
  assert.deepEqual(mistakes, []);
  return new CookieJar(clock, cookies);
}

describe("a file of cookies", () => {
  test("has comments, blank lines, CRLF, a BOM and the mark of curl", () => {
    const text = [
      "\uFEFF# Netscape HTTP Cookie File",
      "",
      line("example.org", "FALSE", "/", "FALSE", "0", "a", "1"),
      `#HttpOnly_${line(".example.org", "TRUE", "/", "true", "1893456000", "b", "x=y z")}`,
      line("Example.ORG", "FALSE", "/", "FALSE", "1893456000.25", "empty", ""),
    ].join("\r\n");
    const { cookies, mistakes } = readCookieFile(text);
    assert.deepEqual(mistakes, []);
    const common = { domain: "example.org", hasSubdomains: false, path: "/", isSecure: false };
    assert.deepEqual(cookies, [
      { ...common, expiresAtMs: null, name: "a", value: "1" },
      {
        ...{ ...common, hasSubdomains: true, isSecure: true },
        ...{ expiresAtMs: 1893456000_000, name: "b", value: "x=y z" },
      },
      { ...common, expiresAtMs: 1893456000_250, name: "empty", value: "" },
    ]);
  });

  const bad: readonly (readonly [string, RegExp])[] = [
    ["example.org FALSE / FALSE 0 a b", /has 1 field instead of seven/],
    [line("example.org", "FALSE", "/", "FALSE", "0", "a"), /has 6 fields/],
    [line("", "FALSE", "/", "FALSE", "0", "a", "b"), /no host in its first field/],
    [line("http://x/", "FALSE", "/", "FALSE", "0", "a", "b"), /no host in its first field/],
    [line("example.org", "yes", "/", "FALSE", "0", "a", "b"), /in its second field/],
    [line("example.org", "FALSE", "x", "FALSE", "0", "a", "b"), /does not begin with a slash/],
    [line("example.org", "FALSE", "/", "1", "0", "a", "b"), /in its fourth field/],
    [line("example.org", "FALSE", "/", "FALSE", "soon", "a", "b"), /not a number of seconds/],
    [line("example.org", "FALSE", "/", "FALSE", "0", "a b", "c"), /a name that no cookie/],
    [line("example.org", "FALSE", "/", "FALSE", "0", "", "c"), /a name that no cookie/],
    [line("example.org", "FALSE", "/", "FALSE", "0", "a", "b;c"), /a value that no cookie/],
    [line("example.org", "FALSE", "/", "FALSE", "0", "a", "x".repeat(5000)), /longer than 4096/],
    [line(".co.uk", "TRUE", "/", "FALSE", "0", "a", "b"), /anybody can register/],
    [line("com", "TRUE", "/", "FALSE", "0", "a", "b"), /anybody can register/],
  ];
  test("is read strictly, and every bad line is named without its value", () => {
    const good = line("localhost", "TRUE", "/", "FALSE", "0", "ok", "1");
    const { cookies, mistakes } = readCookieFile([good, ...bad.map(([text]) => text)].join("\n"));
    assert.deepEqual(
      cookies.map(({ name }) => name),
      ["ok"],
    );
    assert.deepEqual(
      mistakes.map((mistake) => mistake.line),
      bad.map((_, index) => index + 2),
    );
    for (const [index, [, problem]] of bad.entries()) {
      assert.match(mistakes[index]?.problem ?? "", problem);
    }
  });
});

describe("cookies that the user gave", () => {
  const FILE = [
    line("example.org", "TRUE", "/", "FALSE", "0", "all", "1"),
    line("www.example.org", "FALSE", "/news", "FALSE", "0", "own", "2"),
    line("example.org", "FALSE", "/", "TRUE", "0", "bare", "3"),
  ].join("\n");

  test("go by domain, path and scheme", () => {
    const jar = jarOf(FILE);
    assert.equal(sent(jar, origin("example.org")), "all=1; bare=3");
    assert.equal(sent(jar, origin("example.org", "/", false)), "all=1");
    assert.equal(sent(jar, origin("www.example.org", "/news/1")), "own=2; all=1");
    assert.equal(sent(jar, origin("www.example.org", "/newspaper")), "all=1");
    assert.equal(sent(jar, origin("a.www.example.org", "/news")), "all=1");
    assert.equal(sent(jar, origin("badexample.org")), null);
    assert.equal(sent(jar, origin("org")), null);
  });

  test("are shown with a mark for each value, those of the host as they are", () => {
    const jar = jarOf(FILE);
    jar.offer("sid=7", origin("example.org"));
    const header = jar.headerFor(origin("example.org"));
    assert.equal(header?.text, "all=1; bare=3; sid=7");
    assert.equal(header?.shown, "all=[removed]; bare=[removed]; sid=7");
  });

  test("are replaced, or removed, by the host that sets them again", () => {
    const jar = jarOf(FILE);
    const host = origin("example.org");
    jar.offer("all=new; Path=/", host);
    assert.equal(sent(jar, host), "bare=3; all=new");
    jar.offer("all=; Path=/; Max-Age=0", host);
    assert.equal(sent(jar, host), "bare=3");
    assert.equal(sent(jar, host), "bare=3");
    assert.equal(sent(jar, origin("www.example.org")), "all=1");
  });

  test("are not sent after they expire", () => {
    const clock = new SimulatedTime();
    const seconds = String(Math.ceil(clock.wallMs() / 1000) + 10);
    const jar = jarOf(line("example.org", "FALSE", "/", "FALSE", seconds, "a", "1"), clock);
    const texts: (string | null)[] = [sent(jar, origin("example.org"))];
    clock.after(12_000, () => texts.push(sent(jar, origin("example.org"))));
    clock.settle();
    assert.deepEqual(texts, ["a=1", null]);
  });
});
