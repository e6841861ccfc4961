import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { promises } from "node:dns";
import { connect } from "node:net";
import { test } from "node:test";
import { type TableHost, TableWeb } from "../../../../test/support/lab/table-web.ts";
import { SystemClock } from "../../../base/time/index.ts";
import type { SyntheticWeb, WebHost } from "../web/synthetic-web.ts";
import { DnsServer } from "./dns-server.ts";
import { WebNames } from "./web-names.ts";

interface Scene extends AsyncDisposable {
  readonly resolver: promises.Resolver;
  readonly names: WebNames;
  readonly server: DnsServer;
  /** Addresses that were to be listened on. */
  readonly listened: string[];
}

async function scene(hosts: Readonly<Record<string, TableHost>> | SyntheticWeb): Promise<Scene> {
  const clock = new SystemClock();
  const listened: string[] = [];
  const names = new WebNames({
    web: "respond" in hosts ? (hosts as SyntheticWeb) : new TableWeb(hosts),
    clock,
    listenOn: (addresses, done) => {
      listened.push(...addresses);
      done(!addresses.includes("127.9.9.9"));
    },
  });
  const server = await DnsServer.open({ port: 0, names, clock });
  const resolver = resolverAt(server.port, { timeout: 2000, tries: 3 });
  return { resolver, names, server, listened, [Symbol.asyncDispose]: () => server.close() };
}

function resolverAt(
  port: number,
  patience: { readonly timeout: number; readonly tries: number },
): promises.Resolver {
  const resolver = new promises.Resolver(patience);
  resolver.setServers([`127.0.0.1:${port}`]);
  return resolver;
}

test("addresses of both families are given with their time to live", async () => {
  const addresses = ["127.1.0.1", "127.1.0.2", "::1"];
  await using s = await scene({ "a.example": { addresses, dns: { ttlSeconds: 77 } } });
  assert.deepEqual((await s.resolver.resolve4("a.example", { ttl: true })).sort(byAddress), [
    { address: "127.1.0.1", ttl: 77 },
    { address: "127.1.0.2", ttl: 77 },
  ]);
  assert.deepEqual(await s.resolver.resolve6("A.Example", { ttl: true }), [
    { address: "::1", ttl: 77 },
  ]);
  assert.deepEqual(s.listened, addresses, "listened on before they are given out");
});

test("a chain of aliases leads to the addresses, from any point of it", async () => {
  const dns = { aliases: ["cdn.example", "edge-7.example"], ttlSeconds: 9 };
  await using s = await scene({ "www.example": { addresses: ["127.4.4.4"], dns } });
  assert.deepEqual(await s.resolver.resolve4("www.example"), ["127.4.4.4"]);
  assert.deepEqual(await s.resolver.resolveCname("www.example"), ["cdn.example"]);
  assert.deepEqual(await s.resolver.resolveCname("cdn.example"), ["edge-7.example"]);
  assert.deepEqual(await s.resolver.resolve4("cdn.example"), ["127.4.4.4"]);
  assert.deepEqual(await s.resolver.resolve4("edge-7.example"), ["127.4.4.4"]);
});

const FAILURES: readonly (readonly [failure: WebHost["dns"]["failure"], code: string])[] = [
  ["no-such-name", "ENOTFOUND"],
  ["server-failure", "ESERVFAIL"],
  ["silence", "ETIMEOUT"],
];

for (const [failure, code] of FAILURES) {
  test(`a name server that answers ${failure} is seen as ${code}`, async () => {
    await using s = await scene({ "a.example": { dns: { failure } } });
    const resolver = resolverAt(s.server.port, {
      timeout: 100,
      tries: code === "ETIMEOUT" ? 1 : 9,
    });
    await assert.rejects(resolver.resolve4("a.example"), { code });
  });
}

test("a name that does not exist, and one without such records", async () => {
  await using s = await scene({ "a.example": { addresses: ["127.0.0.1"] } });
  await assert.rejects(s.resolver.resolve4("b.example"), { code: "ENOTFOUND" });
  await assert.rejects(s.resolver.resolve6("a.example"), { code: "ENODATA" });
  await assert.rejects(s.resolver.resolveMx("a.example"), { code: "ENODATA" });
  assert.equal(s.names.stats().noSuchName, 1);
});

test("failures pass after the tries that they last", async () => {
  await using s = await scene({
    "a.example": { dns: { failure: "no-such-name", failingTries: 2 } },
    "b.example": { dns: { failure: "silence", failingTries: 1 } },
  });
  await assert.rejects(s.resolver.resolve4("a.example"));
  await assert.rejects(s.resolver.resolve4("a.example"));
  assert.deepEqual(await s.resolver.resolve4("a.example"), ["127.0.0.1"]);
  const hasty = resolverAt(s.server.port, { timeout: 100, tries: 9 });
  assert.deepEqual(await hasty.resolve4("b.example"), ["127.0.0.1"], "the client asks again");
});

test("a truncated answer is asked for again over TCP", async () => {
  const many = Array.from({ length: 400 }, (_, index) => `127.2.${index >> 8}.${index & 255}`);
  await using s = await scene({
    "a.example": { dns: { failure: "truncated" } },
    "b.example": { addresses: many },
  });
  assert.deepEqual(await s.resolver.resolve4("a.example"), ["127.0.0.1"]);
  assert.equal((await s.resolver.resolve4("b.example")).length, 400);
  assert.equal(s.names.stats().truncated, 2);
});

test("slow answers come late", async () => {
  await using s = await scene({ "a.example": { dns: { delayMs: 50 } } });
  assert.deepEqual(await s.resolver.resolve4("a.example"), ["127.0.0.1"]);
});

test("hosts that are made up on the way resolve as they are asked for", async () => {
  const web = new TableWeb({ "trap.example": { addresses: ["127.5.5.5"] } });
  const wildcard: SyntheticWeb = {
    hostCount: 1,
    hostAt: (index) => web.hostAt(index),
    hostNamed: (name) => web.hostNamed(name.endsWith(".trap.example") ? "trap.example" : name),
    respond: (request) => web.respond(request),
  };
  await using s = await scene(wildcard);
  for (const name of ["x1.trap.example", "x2.y.trap.example"])
    assert.deepEqual(await s.resolver.resolve4(name), ["127.5.5.5"]);
});

test("an address that cannot be listened on is not given out", async () => {
  await using s = await scene({ "a.example": { addresses: ["127.9.9.9"] } });
  await assert.rejects(s.resolver.resolve4("a.example"), { code: "ESERVFAIL" });
});

test("garbage over UDP and TCP is survived", async () => {
  await using s = await scene({ "a.example": {} });
  const socket = createSocket("udp4");
  for (let size = 0; size < 200; size += 1) {
    const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 31 + size * 7) & 255));
    await new Promise((sent) => socket.send(bytes, s.server.port, "127.0.0.1", sent));
  }
  socket.close();
  const isReset = await new Promise((resolve) => {
    const stream = connect(s.server.port, "127.0.0.1", () =>
      stream.write("GET / HTTP/1.1\r\n\r\n"),
    );
    stream.on("error", () => resolve(true));
    stream.on("end", () => resolve(false));
    stream.resume();
  });
  assert.equal(isReset, true);
  assert.deepEqual(await s.resolver.resolve4("a.example"), ["127.0.0.1"]);
});

test("a port that is taken is an error that names the flag", async () => {
  await using s = await scene({});
  const options = { port: s.server.port, names: s.names, clock: new SystemClock() };
  await assert.rejects(DnsServer.open(options), {
    code: "SIMWEB_LISTEN_FAILED",
    message: /name server.*--dns-port/,
  });
});

function byAddress(one: { address: string }, other: { address: string }): number {
  return one.address < other.address ? -1 : 1;
}
