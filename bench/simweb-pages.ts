/**
 * Claim: making pages is not the bottleneck of a synthetic web: a page of about 25 kB costs less
 * than some 40 microseconds on one core, compression left out. The reference is the least that any
 * server of such pages must do, a copy of as many bytes into a fresh buffer; rounds interleaved,
 * medians compared. Time is that of the processor, so that other work on the machine counts little. `node bench/simweb-pages.ts [rounds]`
 */
import { changedProfile, GeneratedWeb, PROFILES, type Profile } from "../src/lab/simweb/index.ts";

const PAGES = 20_000;
const rounds = Number(process.argv[2] ?? 7);

/** Sizes of real webs are log-normal; for a price per page they are made equal here. */
function ofEqualSize(profile: Profile): Profile {
  const pages = { medianBytes: 25_000, spread: 0 };
  return changedProfile(profile, { pages, text: { compressed: 0 } });
}

interface Made {
  readonly microseconds: number;
  readonly bytes: number;
}

function makePages(web: GeneratedWeb): Made {
  const requests = Array.from({ length: PAGES }, (_, index) => {
    const host = (index * 7919) % Math.min(200, web.hostCount);
    const slot = index % web.model.hosts.size(host);
    const url = new URL(web.model.url(host, slot));
    const target = url.pathname + url.search;
    return { host: url.hostname, method: "GET", target, headers: [], earlierTries: 9 };
  });
  let bytes = 0;
  const started = process.cpuUsage();
  for (const request of requests) bytes += web.respond(request).body.length;
  return { microseconds: spentSince(started) / PAGES, bytes: bytes / PAGES };
}

function spentSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return user + system;
}

function copyPages(source: Buffer): Made {
  let bytes = 0;
  const started = process.cpuUsage();
  for (let index = 0; index < PAGES; index += 1) {
    const copy = Buffer.allocUnsafeSlow(source.length);
    source.copy(copy);
    bytes += copy.length;
  }
  return { microseconds: spentSince(started) / PAGES, bytes: bytes / PAGES };
}

const startedAtMs = performance.now();
const scale = new GeneratedWeb({ profile: ofEqualSize(PROFILES.scale), seed: "bench" });
const startMs = performance.now() - startedAtMs;
console.log(`scale: ${scale.model.hosts.pageCount} pages exist after ${startMs.toFixed(0)} ms`);

const webs: Readonly<Record<string, GeneratedWeb>> = {
  scale,
  plain: new GeneratedWeb({ profile: ofEqualSize(PROFILES.plain), seed: "bench" }),
  realistic: new GeneratedWeb({ profile: ofEqualSize(PROFILES.realistic), seed: "bench" }),
  hostile: new GeneratedWeb({ profile: ofEqualSize(PROFILES.hostile), seed: "bench" }),
};
const source = Buffer.alloc(25_000, "x");
const made = new Map<string, Made[]>();
for (let round = 0; round < rounds; round += 1) {
  for (const [name, web] of Object.entries(webs)) {
    made.set(name, [...(made.get(name) ?? []), makePages(web)]);
  }
  made.set("copy", [...(made.get("copy") ?? []), copyPages(source)]);
}
const median = (all: readonly Made[]): Made =>
  all.toSorted((one, other) => one.microseconds - other.microseconds)[
    Math.floor(all.length / 2)
  ] as Made;
const copy = median(made.get("copy") ?? []);
for (const [name, all] of made) {
  const { microseconds, bytes } = median(all);
  const rate = Math.round(1_000_000 / microseconds);
  console.log(
    `${name.padEnd(10)} ${microseconds.toFixed(1)} µs for ${Math.round(bytes)} bytes, ` +
      `${rate} pages/s, ${(microseconds / copy.microseconds).toFixed(1)} times a copy`,
  );
}
const memory = process.memoryUsage();
console.log(`memory: ${Math.round(memory.rss / 2 ** 20)} MiB resident`);
