import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { HostName } from "../url/index.ts";
import type { CookieOrigin } from "./cookie.ts";
import type { GivenCookie } from "./cookie-file.ts";
import { CookieJar } from "./cookie-jar.ts";

function origin(host: string, path = "/", isSecure = true): CookieOrigin {
  return { host: host as HostName, path, isSecure };
}

const SITE = origin("www.example.co.uk", "/news/today");

function jarWith(...headers: readonly string[]): CookieJar {
  const jar = new CookieJar(new SimulatedTime());
  for (const header of headers) jar.offer(header, SITE);
  return jar;
}

function headerOf(jar: CookieJar, to: CookieOrigin): string | null {
  return jar.headerFor(to)?.text ?? null;
}

describe("a cookie goes back to the host that set it", () => {
  test("with its name and value, in the order of setting", () => {
    const jar = jarWith("a=1", "b= two ; HttpOnly; SameSite=Lax", 'c="x=y"', "a=3");
    assert.equal(headerOf(jar, SITE), 'b=two; c="x=y"; a=3');
  });

  test("and to no other, whatever domain it names", () => {
    const jar = jarWith("a=1", "b=2; Domain=example.co.uk");
    assert.equal(headerOf(jar, SITE), "a=1; b=2");
    assert.equal(headerOf(jar, origin("example.co.uk")), null);
    assert.equal(headerOf(jar, origin("shop.example.co.uk")), null);
  });

  test("only for its path", () => {
    const jar = jarWith("a=1; Path=/news", "b=2; Path=/", "c=3", "d=4; Path=elsewhere");
    assert.equal(headerOf(jar, origin(SITE.host, "/news/today")), "a=1; b=2; c=3; d=4");
    assert.equal(headerOf(jar, origin(SITE.host, "/news")), "a=1; b=2; c=3; d=4");
    assert.equal(headerOf(jar, origin(SITE.host, "/newspaper")), "b=2");
  });

  test("a secure one never over plain HTTP", () => {
    const jar = jarWith("a=1; Secure", "b=2");
    assert.equal(headerOf(jar, origin(SITE.host, "/news", false)), "b=2");
    assert.equal(jar.offer("c=3; Secure", origin("x.test", "/", false)), false);
  });

  test("not after its time, which may be given as an age or as a date", () => {
    const clock = new SimulatedTime();
    const jar = new CookieJar(clock);
    const date = new Date(clock.wallMs() + 5000).toUTCString();
    jar.offer("a=1; Max-Age=10", SITE);
    jar.offer(`b=2; Expires=${date}`, SITE);
    jar.offer(`c=3; Expires=${date}; Max-Age=20`, SITE);
    jar.offer("d=4; Expires=nonsense", SITE);
    const sent: (string | null)[] = [];
    for (const afterMs of [1000, 7000, 12_000, 25_000]) {
      clock.after(afterMs, () => sent.push(headerOf(jar, SITE)));
    }
    clock.settle();
    assert.deepEqual(sent, ["a=1; b=2; c=3; d=4", "a=1; c=3; d=4", "c=3; d=4", "d=4"]);
  });

  test("one that is set again as expired is removed", () => {
    const jar = jarWith("a=1", "a=; Max-Age=0");
    assert.equal(headerOf(jar, SITE), null);
    assert.equal(jar.hostCount, 0);
  });
});

describe("an answer in the clear leaves secure cookies alone", () => {
  const clear = origin(SITE.host, "/login", false);
  const secure: GivenCookie = {
    domain: "example.co.uk",
    hasSubdomains: true,
    path: "/",
    isSecure: true,
    expiresAtMs: null,
    name: "sid",
    value: "mine",
  };

  test("those that the host set under TLS", () => {
    const jar = jarWith("sid=mine; Secure; Path=/", "open=1; Path=/");
    for (const header of ["sid=evil; Path=/", "sid=evil; Path=/news", "sid=; Path=/; Max-Age=0"]) {
      assert.equal(jar.offer(header, clear), false, header);
    }
    assert.equal(jar.offer("open=2; Path=/", clear), true);
    assert.equal(headerOf(jar, SITE), "sid=mine; open=2");
  });

  test("those that the user gave, until the host replaces them under TLS", () => {
    const jar = new CookieJar(new SimulatedTime(), [secure]);
    for (const header of ["sid=evil; Path=/", "sid=evil; Path=/news", "sid=; Path=/; Max-Age=0"]) {
      assert.equal(jar.offer(header, clear), false, header);
    }
    assert.equal(headerOf(jar, SITE), "sid=mine");
    assert.equal(jar.offer("sid=theirs; Path=/", SITE), true);
    assert.equal(jar.offer("sid=clear; Path=/", clear), true);
    assert.equal(headerOf(jar, SITE), "sid=clear");
  });

  test("but not those of another name, of a path below, or that have expired", () => {
    const clock = new SimulatedTime();
    const over = { ...secure, expiresAtMs: clock.wallMs() - 1 };
    const jar = new CookieJar(clock, [over, { ...secure, name: "other", path: "/news" }]);
    assert.equal(jar.offer("sid=1; Path=/", clear), true);
    assert.equal(jar.offer("other=1; Path=/", clear), true);
  });

  test("nor does it push them out", () => {
    const jar = jarWith("sid=mine; Secure; Path=/");
    for (let index = 0; index < 100; index++) jar.offer(`c${index}=1; Path=/`, clear);
    assert.equal(jar.offer("sid=evil; Path=/", clear), false);
    assert.match(headerOf(jar, SITE) ?? "", /^sid=mine; c51=1; /);
  });
});

describe("cookies that are refused", () => {
  const refused: readonly string[] = [
    "no equals sign",
    "=value",
    "",
    `a=${"x".repeat(5000)}`,
    `${"x".repeat(100_000)}=a`,
    "a=b\0c",
    "a=b\r\nX: y",
    "a=\x1b",
    "a=b; Domain=co.uk",
    "a=b; Domain=uk",
    "a=b; Domain=other.co.uk",
    "a=b; Domain=le.co.uk",
    "a=b; Domain=news.www.example.co.uk",
    "__Secure-a=b",
    "__Host-a=b; Secure; Path=/news",
    "__Host-a=b; Secure; Path=/; Domain=www.example.co.uk",
  ];
  for (const header of refused) {
    test(JSON.stringify(header.slice(0, 60)), () => {
      const jar = jarWith();
      assert.equal(jar.offer(header, SITE), false);
      assert.equal(headerOf(jar, SITE), null);
    });
  }

  test("a name with a promise is accepted if the promise is kept", () => {
    assert.equal(headerOf(jarWith("__Host-a=b; Secure; Path=/"), SITE), "__Host-a=b");
    assert.equal(headerOf(jarWith("__Secure-a=b; Secure"), SITE), "__Secure-a=b");
  });
});

describe("bombs of cookies", () => {
  test("a host keeps its fifty newest", () => {
    const jar = jarWith(...Array.from({ length: 1000 }, (_, index) => `c${index}=1`));
    const names = (headerOf(jar, SITE) ?? "").split("; ");
    assert.equal(names.length, 50);
    assert.equal(names[0], "c950=1");
  });

  test("a request carries no more than eight kilobytes of them", () => {
    const value = "x".repeat(3000);
    const jar = jarWith(...Array.from({ length: 50 }, (_, index) => `c${index}=${value}`));
    const names = (headerOf(jar, SITE) ?? "").split("; ").map((one) => one.split("=")[0]);
    assert.deepEqual(names, ["c0", "c1"], "as many whole cookies as fit, and a third does not");
    assert.ok((headerOf(jar, SITE) ?? "").length <= 8192);
  });

  test("of the many that a user gave, those that fit are looked at and sent", () => {
    let looks = 0;
    const given = Array.from({ length: 20_000 }, (_, index) => ({
      domain: SITE.host,
      hasSubdomains: false,
      path: "/",
      isSecure: false,
      expiresAtMs: null,
      value: "1",
      get name() {
        looks += 1;
        return `c${index}`;
      },
    }));
    const jar = new CookieJar(new SimulatedTime(), given);
    assert.ok(looks <= 2 * given.length, "each is looked at a fixed number of times");
    looks = 0;
    const text = headerOf(jar, SITE) ?? "";
    assert.match(text, /^c0=1; c1=1; /);
    assert.ok(text.length > 8100 && text.length <= 8192);
    assert.ok(looks < 5000, "and no more for a request than it carries");
  });

  test("twenty thousand hosts leave the newest ten thousand", () => {
    const jar = jarWith();
    for (let index = 0; index < 20_000; index++) jar.offer("a=b", origin(`h${index}.test`));
    assert.equal(jar.hostCount, 10_000);
    assert.equal(headerOf(jar, origin("h19999.test")), "a=b");
  });

  test("whatever a server sets, what goes back is one line of ASCII and latin1", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 60 })), (headers) => {
        const text = headerOf(jarWith(...headers), SITE) ?? "";
        assert.match(text, /^[\t\x20-\x7e\x80-\xff]*$/);
      }),
      { numRuns: 1000 },
    );
  });
});
