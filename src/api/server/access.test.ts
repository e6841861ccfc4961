import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import type { Route } from "../routes/route.ts";
import { Access, isLoopback } from "./access.ts";
import { Tokens } from "./tokens.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-access-"));
after(() => rmSync(root, { recursive: true }));
const READ = join(root, "read.token");
writeFileSync(READ, "a-token-that-reads-only\n");

const JSON_TYPE = { "content-type": "application/json" };
const WRITE: Pick<Route, "access" | "body"> = {
  access: "write",
  body: { schema: {}, example: null },
};

interface Rig {
  readonly time: SimulatedTime;
  readonly token: string;
  /** The code of the refusal, or what the caller may do. */
  ask(headers: object, route?: Pick<Route, "access" | "body">, address?: string): string | null;
}

function rig(host = "127.0.0.1"): Rig {
  const time = new SimulatedTime();
  const tokens = new Tokens({ token: "auto", readToken: READ });
  const access = new Access({ clock: time, tokens, host, scheme: "http" });
  return {
    ...{ time, token: `Bearer ${tokens.made}` },
    ask(headers, route = { access: "read" }, address = "127.0.0.1") {
      try {
        return access.check({ headers: { host: "127.0.0.1:1", ...headers }, address }, route);
      } catch (error) {
        assert.ok(isCrawlError(error));
        return error.code;
      }
    },
  };
}

test("a token is needed, and one that reads may not write", () => {
  const { ask, token } = rig();
  const reading = { authorization: "Bearer a-token-that-reads-only" };
  assert.equal(ask({}), "API_UNAUTHORIZED");
  assert.equal(ask({}, { access: "open" }), null);
  assert.equal(ask({ authorization: token }), "write");
  assert.equal(ask({ authorization: token.replace("Bearer", "bearer ") }), "write");
  assert.equal(ask({ authorization: token, ...JSON_TYPE }, WRITE), "write");
  assert.equal(ask(reading), "read");
  assert.equal(ask({ ...reading, ...JSON_TYPE }, WRITE), "API_FORBIDDEN");
});

for (const wrong of [
  ...["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Bearer wrong", "Token TOKEN", "TOKEN"],
  ...["Bearer TOKENx", "Bearer TOKE", "Bearer TOKEN TOKEN", "Bearer token", "Bearer undefined"],
  ...["Bearer null", "Bearer a-token-that-reads-onl"],
]) {
  test(`the header ${JSON.stringify(wrong)} is no token`, () => {
    const { ask, token } = rig();
    const made = token.slice("Bearer ".length);
    const given = wrong.replaceAll("TOKEN", made).replace("TOKE", made.slice(0, -1));
    const authorization = given.replace("Bearer token", `Bearer ${made.toLowerCase()}`);
    assert.equal(ask({ authorization }), "API_UNAUTHORIZED");
  });
}

test("wrong tokens are answered ten times a minute", () => {
  const { ask, token, time } = rig();
  const far = "192.0.2.1";
  const wrong = { authorization: "Bearer wrong" };
  const tries = (address: string) =>
    Array.from({ length: 11 }, () => ask(wrong, undefined, address));
  assert.deepEqual(new Set(tries(far).slice(0, 10)), new Set(["API_UNAUTHORIZED"]));
  assert.equal(ask(wrong, undefined, far), "API_TOO_MANY_TRIES");
  assert.equal(ask({ authorization: token }, undefined, far), "API_TOO_MANY_TRIES");
  assert.equal(ask({ authorization: token }, undefined, "192.0.2.2"), "write");
  // On this machine nobody is locked out by others.
  assert.equal(tries("127.0.0.1").at(-1), "API_TOO_MANY_TRIES");
  assert.equal(ask({ authorization: token }), "write");
  time.after(60_001, () => undefined);
  time.step();
  assert.equal(ask({ authorization: token }, undefined, far), "write");
  assert.equal(ask(wrong, undefined, far), "API_UNAUTHORIZED");
});

test("addresses with wrong tokens are not remembered without end", () => {
  const { ask } = rig();
  const wrong = (address: string) => ask({ authorization: "Bearer wrong" }, undefined, address);
  for (let count = 0; count < 10; count += 1) wrong("192.0.2.1");
  assert.equal(wrong("192.0.2.1"), "API_TOO_MANY_TRIES");
  for (let other = 0; other < 1000; other += 1) wrong(`2001:db8::${other.toString(16)}`);
  assert.equal(wrong("192.0.2.1"), "API_UNAUTHORIZED");
});

const HOSTS: readonly [host: string | undefined, told: string | null][] = [
  ...(
    ["127.0.0.1", "127.0.0.1:80", "localhost:1", "LOCALHOST", "[::1]:5", "10.0.0.7:1"] as const
  ).map((host) => [host, null] as [string, null]),
  ...["evil.example", "evil.example:1", "localhost.evil.example", "127.0.0.1.evil.example", ""].map(
    (host) => [host, "API_BAD_HOST"] as [string, string],
  ),
  [undefined, "API_BAD_HOST"],
  ["a,b", "API_BAD_HOST"],
  ["[::1", "API_BAD_HOST"],
  ["127.1", "API_BAD_HOST"],
  ["0x7f000001", "API_BAD_HOST"],
];
for (const [host, told] of HOSTS) {
  test(`the host ${host} is ${told === null ? "ours" : "refused"}, with or without a token`, () => {
    const { ask, token } = rig();
    assert.equal(ask({ host }, { access: "open" }), told);
    assert.equal(ask({ host, authorization: token }), told ?? "write");
  });
}

test("the name that the API was given is its own", () => {
  const { ask } = rig("crawler.example.org");
  assert.equal(ask({ host: "Crawler.example.org:80" }, { access: "open" }), null);
});

const SITES: readonly [headers: object, told: string | null][] = [
  [{ origin: "http://127.0.0.1:1" }, null],
  [{ origin: "http://127.0.0.1:1", "sec-fetch-site": "same-origin" }, null],
  [{ "sec-fetch-site": "none" }, null],
  [{ origin: "null" }, "API_BAD_ORIGIN"],
  [{ origin: "http://127.0.0.1:2" }, "API_BAD_ORIGIN"],
  [{ origin: "https://127.0.0.1:1" }, "API_BAD_ORIGIN"],
  [{ origin: "http://localhost:1" }, "API_BAD_ORIGIN"],
  [{ origin: "https://evil.example" }, "API_BAD_ORIGIN"],
  [{ origin: "http://127.0.0.1:1.evil.example" }, "API_BAD_ORIGIN"],
  [{ origin: "" }, "API_BAD_ORIGIN"],
  [{ "sec-fetch-site": "cross-site" }, "API_BAD_ORIGIN"],
  [{ "sec-fetch-site": "same-site" }, "API_BAD_ORIGIN"],
];
for (const [headers, told] of SITES) {
  test(`a page with ${JSON.stringify(headers)} is ${told === null ? "let in" : "refused"}`, () => {
    const { ask, token } = rig();
    const whole = { ...headers, ...JSON_TYPE, authorization: token };
    assert.equal(ask(whole, WRITE), told ?? "write");
    assert.equal(ask({ ...headers, authorization: token }), told ?? "write");
  });
}

for (const type of [
  ...["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
  ...["application/jsonx", "text/json", "application/json, text/plain"],
  ...["application/json; charset=utf-16"],
]) {
  test(`a change whose body is ${JSON.stringify(type)} is refused, as a form of another site is`, () => {
    const { ask, token } = rig();
    const headers = { "content-type": type, authorization: token };
    assert.equal(ask(headers, WRITE), "API_MEDIA_TYPE");
  });
}

test("loopback is every address of this machine's own network, and localhost", () => {
  for (const host of ["127.0.0.1", "127.9.9.9", "[::1]", "::1", "::ffff:127.0.0.1", "localhost"]) {
    assert.equal(isLoopback(host), true, host);
  }
  for (const host of [
    "0.0.0.0",
    "[::]",
    "10.0.0.1",
    "example.org",
    "::ffff:10.0.0.1",
    "128.0.0.1",
  ]) {
    assert.equal(isLoopback(host), false, host);
  }
});
