/** The resolver on real sockets: a name server of a synthetic web on loopback. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { test } from "node:test";
import { type NameServer, openNameServer } from "../../../test/support/fetch/name-server.ts";
import { outcomeOf } from "../../../test/support/fetch/resolver-rig.ts";
import { FORBIDDEN } from "../../../test/support/fetch/special-table.ts";
import { type TableHost, TableWeb } from "../../../test/support/lab/table-web.ts";
import { SystemClock } from "../../base/time/index.ts";
import { AddressPolicy } from "../../formats/address/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { SyntheticWeb } from "../../lab/simweb/index.ts";
import { openResolver } from "./open-resolver.ts";
import type { Resolution, Resolver } from "./resolver.ts";

const A = "93.184.216.34";

interface Scene extends AsyncDisposable {
  readonly resolver: Resolver;
  readonly names: NameServer["names"];
  resolve(host: string): Promise<Resolution>;
  outcome(host: string): Promise<string>;
}

interface SceneOptions {
  readonly timeoutMs?: number;
  readonly cacheSize?: number;
}

async function scene(
  hosts: Readonly<Record<string, TableHost>> | SyntheticWeb,
  { timeoutMs = 5_000, cacheSize = 1_000 }: SceneOptions = {},
): Promise<Scene> {
  const clock = new SystemClock();
  const web = "respond" in hosts ? (hosts as SyntheticWeb) : new TableWeb(hosts);
  const server = await openNameServer(web);
  const resolver = openResolver({
    clock,
    policy: new AddressPolicy({ allow: [], block: [], ports: [80] }),
    servers: [`127.0.0.1:${server.port}`],
    timeoutMs,
    cacheSize,
  });
  const resolve = (host: string) =>
    new Promise<Resolution>((done) => resolver.resolve(host as HostName, done));
  return {
    resolver,
    names: server.names,
    resolve,
    outcome: async (host) => outcomeOf(await resolve(host)),
    [Symbol.asyncDispose]: async () => {
      resolver.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("a host is resolved by the configured server, and kept", async () => {
  const addresses = [A, "2606:2800:220:1::1"];
  await using s = await scene({ "a.example": { addresses } });
  assert.equal(await s.outcome("a.example"), addresses.join(" "));
  assert.equal(await s.outcome("a.example."), addresses.join(" "));
  assert.equal(s.names.stats().queries, 2);
});

test("the system's table of hosts does not count when servers are configured", async () => {
  await using s = await scene({ localhost: { addresses: [A] }, vm: { addresses: [A] } });
  assert.equal(await s.outcome("vm"), A);
  assert.equal(await s.outcome("localhost"), "FETCH_ADDRESS_REFUSED");
});

test("what servers do wrong has its code", async () => {
  await using s = await scene({
    "broken.example": { addresses: [A], dns: { failure: "server-failure" } },
    "empty.example": { addresses: [] },
    "truncated.example": { addresses: [A], dns: { failure: "truncated" } },
  });
  assert.equal(await s.outcome("nobody.example"), "DNS_NOT_FOUND");
  assert.equal(await s.outcome("empty.example"), "DNS_NOT_FOUND");
  assert.equal(await s.outcome("broken.example"), "DNS_SERVER_FAILED");
  assert.equal(await s.outcome("truncated.example"), A, "asked again over TCP");
  assert.equal(await s.outcome("odd!~name.example"), "DNS_NOT_FOUND");
});

test("a server that is not there has a code, not an exception", async () => {
  const socket = createSocket("udp4");
  await new Promise<void>((bound) => socket.bind(0, "127.0.0.1", bound));
  const { port } = socket.address();
  await new Promise<void>((closed) => socket.close(closed));
  const resolver = openResolver({
    clock: new SystemClock(),
    policy: new AddressPolicy({ allow: [], block: [], ports: [80] }),
    servers: [`127.0.0.1:${port}`, `[::1]:${port}`],
    timeoutMs: 1_000,
    cacheSize: 10,
  });
  const resolution = await new Promise<Resolution>((done) =>
    resolver.resolve("a.example" as HostName, done),
  );
  assert.match(outcomeOf(resolution), /^DNS_(?:SERVER_FAILED|TIMED_OUT)$/);
  resolver.close();
});

test("every special address is refused when a server gives it out", async () => {
  const entries = FORBIDDEN.map((address, at) => [`h${at}.example`, { addresses: [address] }]);
  await using s = await scene(Object.fromEntries(entries));
  const outcomes = await Promise.all(FORBIDDEN.map((_, at) => s.outcome(`h${at}.example`)));
  for (const [at, outcome] of outcomes.entries())
    assert.equal(outcome, "FETCH_ADDRESS_REFUSED", FORBIDDEN[at]);
});

test("a name that is public first and then this machine is never given out as this machine", async () => {
  let asked = 0;
  const table = new TableWeb({});
  const rebound: SyntheticWeb = {
    hostCount: 0,
    hostAt: (at) => table.hostAt(at),
    respond: (request) => table.respond(request),
    hostNamed: (name) => {
      asked += 1;
      const addresses = asked <= 2 ? [A] : ["127.0.0.1"];
      return new TableWeb({ [name]: { addresses, dns: { ttlSeconds: 0 } } }).hostNamed(name);
    },
  };
  await using s = await scene(rebound, { cacheSize: 0 });
  assert.equal(await s.outcome("rebound.example"), A);
  assert.equal(await s.outcome("rebound.example"), "FETCH_ADDRESS_REFUSED");
});

test("of a thousand addresses sixteen are used, unless one of them is forbidden", async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `93.184.${at >> 8}.${at & 255}`);
  await using s = await scene({
    "many.example": { addresses: many },
    "spoilt.example": { addresses: [...many, "10.0.0.1"] },
  });
  assert.equal((await s.outcome("many.example")).split(" ").length, 16);
  assert.equal(await s.outcome("spoilt.example"), "FETCH_ADDRESS_REFUSED");
});

test("a long chain of aliases ends in an answer", async () => {
  const aliases = Array.from({ length: 400 }, (_, at) => `alias-${at}.example`);
  await using s = await scene({ "a.example": { addresses: [A], dns: { aliases } } });
  assert.equal(await s.outcome("a.example"), A);
});

test("a tarpit costs its own hosts the timeout, and others nothing", async () => {
  const tarpit = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`h${at}.tarpit.org`, { dns: silent }]),
  );
  await using s = await scene(
    { ...tarpit, "good.example": { addresses: [A] } },
    { timeoutMs: 1_000 },
  );
  const trapped = Object.keys(tarpit).map((host) => s.outcome(host));
  const first = await Promise.race([s.outcome("good.example"), ...trapped]);
  assert.equal(first, A, "a good host is resolved before any trapped one is given up");
  assert.deepEqual(new Set(await Promise.all(trapped)), new Set(["DNS_TIMED_OUT"]));
});

const silent = { failure: "silence" } as const;

test("answers that are late but in time are taken", async () => {
  const late = { addresses: [A], dns: { delayMs: 600 } };
  const quick = Array.from({ length: 20 }, (_, at) => [`q${at}.example`, { addresses: [A] }]);
  await using s = await scene({ ...Object.fromEntries(quick), "late.example": late });
  for (const [host] of quick) await s.outcome(String(host));
  assert.equal(await s.outcome("late.example"), A);
});

test("many hosts at once are all resolved", async () => {
  const host = (at: number): string => `h${at}.d${at % 300}.example`;
  const all = Array.from({ length: 3_000 }, (_, at) => host(at));
  await using s = await scene(Object.fromEntries(all.map((name) => [name, { addresses: [A] }])));
  const outcomes = await Promise.all(all.map((name) => s.outcome(name)));
  assert.deepEqual(new Set(outcomes), new Set([A]));
});

test("every caller is answered when the resolver is closed while names are asked for", async () => {
  await using s = await scene({ "a.example": { dns: silent } });
  const asked = [s.outcome("a.example"), s.outcome("b.tarpit.org")];
  s.resolver.close();
  assert.deepEqual(await Promise.all(asked), ["DNS_CLOSED", "DNS_CLOSED"]);
});
