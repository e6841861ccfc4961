/**
 * Claim: an answer from the cache, checked against the policy, costs a small multiple of looking
 * into a plain map; a name that must be asked for costs little more than the two questions of
 * Node's bare resolver. The name server runs in a process of its own; rounds are interleaved.
 */
import { fork } from "node:child_process";
import { Resolver as BareResolver } from "node:dns";
import { SystemClock } from "../src/base/time/index.ts";
import { openResolver, type Resolution } from "../src/fetch/dns/index.ts";
import { AddressPolicy } from "../src/formats/address/index.ts";
import type { HostName } from "../src/formats/url/index.ts";
import { openNameServer } from "../test/support/fetch/name-server.ts";
import { TableWeb } from "../test/support/lab/table-web.ts";

const CACHED_HOSTS = 50_000;
const ASKED_HOSTS = 4_000;
const AT_ONCE = 50;
const ROUNDS = 7;
const ADDRESS = "93.184.216.34";

async function serve(): Promise<void> {
  const any = new TableWeb({ host: { addresses: [ADDRESS] } });
  const host = any.hostAt(0);
  const { port } = await openNameServer({
    hostCount: 1,
    hostAt: () => host,
    hostNamed: (name) => ({ ...host, name }),
    respond: (request) => any.respond(request),
  });
  process.send?.(port);
  process.on("disconnect", () => process.exit());
}

async function measure(port: number): Promise<void> {
  const servers = [`127.0.0.1:${port}`];
  const clock = new SystemClock();
  const policy = new AddressPolicy({ allow: [], block: [], ports: [80] });
  const options = { clock, policy, servers, timeoutMs: 5_000 };
  const caching = openResolver({ ...options, cacheSize: CACHED_HOSTS });
  const forgetful = openResolver({ ...options, cacheSize: 0 });
  const bare = new BareResolver();
  bare.setServers(servers);

  const hosts = Array.from({ length: CACHED_HOSTS }, (_, at) => `www.site-${at}.org` as HostName);
  const plain = new Map<HostName, Resolution>();
  await throughAll(hosts, AT_ONCE, (host, done) => {
    caching.resolve(host, (resolution) => {
      plain.set(host, resolution);
      done();
    });
  });
  const times = {
    cached: [] as number[],
    map: [] as number[],
    asked: [] as number[],
    bare: [] as number[],
  };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const some = Array.from({ length: ASKED_HOSTS }, (_, at) => `r${round}.s${at}.org` as HostName);
    const measured = {
      cached: await timed(() =>
        throughAll(hosts, 1_000, (host, done) => caching.resolve(host, done)),
      ),
      map: await timed(() => throughAll(hosts, 1_000, (host, done) => done(plain.get(host)))),
      asked: await timed(() =>
        throughAll(some, AT_ONCE, (host, done) => forgetful.resolve(host, done)),
      ),
      bare: await timed(() => throughAll(some, AT_ONCE, (host, done) => askBare(bare, host, done))),
    };
    // The first round is for the compiler.
    if (round === 0) continue;
    for (const key of ["cached", "map", "asked", "bare"] as const) times[key].push(measured[key]);
  }
  caching.close();
  forgetful.close();
  report("cached, against a plain map", times.cached, times.map, CACHED_HOSTS);
  report("asked, against the bare resolver", times.asked, times.bare, ASKED_HOSTS);
}

function askBare(bare: BareResolver, host: string, done: () => void): void {
  let left = 2;
  const answered = (): void => {
    left -= 1;
    if (left === 0) done();
  };
  bare.resolve4(host, { ttl: true }, answered);
  bare.resolve6(host, { ttl: true }, answered);
}

/** Does `one` for every host, `atOnce` of them at a time. */
function throughAll(
  hosts: readonly HostName[],
  atOnce: number,
  one: (host: HostName, done: (value?: unknown) => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    let next = 0;
    let ended = 0;
    let isStarting = false;
    const start = (): void => {
      // What ends inside its call must not nest.
      if (isStarting) return;
      isStarting = true;
      while (next < hosts.length && next - ended < atOnce) {
        const host = hosts[next] as HostName;
        next += 1;
        one(host, () => {
          ended += 1;
          if (ended === hosts.length) resolve();
          else start();
        });
      }
      isStarting = false;
    };
    start();
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

function report(name: string, ours: readonly number[], theirs: readonly number[], n: number): void {
  const ratio = median(ours) / median(theirs);
  const perSecond = (n / median(ours)) * 1000;
  console.log(
    `${name.padEnd(36)} ${ratio.toFixed(2).padStart(6)} times its time; ` +
      `here ${Math.round(perSecond).toLocaleString("en")} hosts/s`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

if (process.argv[2] === "serve") await serve();
else {
  const server = fork(import.meta.filename, ["serve"]);
  const port = await new Promise<number>((told) => {
    server.once("message", (message) => told(Number(message)));
  });
  await measure(port);
  server.disconnect();
}
