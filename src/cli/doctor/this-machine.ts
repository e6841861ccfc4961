/** What `trobar doctor` sees of the machine it runs on. */
import { existsSync } from "node:fs";
import { mkdtemp, open, rm, stat, statfs } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join, resolve as resolvePath } from "node:path";
import { fittedToProcess } from "../../agent/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { findServer } from "../../base/transport/index.ts";
import { openResolver } from "../../fetch/dns/index.ts";
import { AddressPolicy } from "../../formats/address/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { DiskFacts, Machine, NameFacts } from "./machine.ts";

const clock = new SystemClock();
const WRITES = 5;
const WRITE_BYTES = 64 * 1024;

export function thisMachine({ dns }: Pick<Configuration, "dns">): Machine {
  const { node, openssl = "none", ...rest } = process.versions;
  // Not among the names that the types know.
  const { sqlite = "none" } = rest as { readonly sqlite?: string };
  return {
    cores: availableParallelism(),
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
    shortage: (configuration) => fittedToProcess(configuration).note,
    versions: { node, openssl, sqlite },
    get nowMs() {
      return clock.wallMs();
    },
    disk: tryDisk,
    resolve: (host, server) => askServer(host, server, dns.timeout),
    natsVersion: async () => (await findServer())?.version ?? null,
  };
}

/** In a folder of its own, which is removed. */
async function tryDisk(folder: string): Promise<DiskFacts> {
  const place = nearest(resolvePath(folder));
  let own: string | null = null;
  try {
    own = await mkdtemp(join(place, ".trobar-doctor-"));
    const path = join(own, "write");
    const syncMs = await timeWrites(path);
    const { mtimeMs: writtenAtMs } = await stat(path);
    const { bavail, bsize, type: fileSystem } = await statfs(place);
    const freeBytes = bavail * bsize;
    return { kind: "usable", folder: place, freeBytes, fileSystem, syncMs, writtenAtMs };
  } catch (error) {
    return { kind: "unusable", folder: place, why: thrownReason(error) };
  } finally {
    if (own !== null) await rm(own, { recursive: true, force: true });
  }
}

/** How long a write takes to be durable; the middle one of several counts. */
async function timeWrites(path: string): Promise<number> {
  const file = await open(path, "w");
  const tookMs: number[] = [];
  try {
    for (let write = 0; write < WRITES; write += 1) {
      const beganAtMs = clock.nowMs();
      await file.write(Buffer.alloc(WRITE_BYTES));
      await file.sync();
      tookMs.push(clock.nowMs() - beganAtMs);
    }
  } finally {
    await file.close();
  }
  return tookMs.sort((one, other) => one - other)[WRITES >> 1] ?? 0;
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

function askServer(host: string, server: string | null, timeoutMs: number): Promise<NameFacts> {
  const resolver = openResolver({
    ...{ clock, timeoutMs, servers: server === null ? [] : [server], cacheSize: 1 },
    policy: new AddressPolicy({ allow: "any", block: [], ports: "any" }),
    failureTtlMsMax: 0,
  });
  const beganAtMs = clock.nowMs();
  return new Promise((done) => {
    resolver.resolve(host as HostName, (resolution) => {
      resolver.close();
      const tookMs = clock.nowMs() - beganAtMs;
      if (resolution.kind === "failed") done({ kind: "failed", why: resolution.error.message });
      else done({ kind: "found", addresses: resolution.addresses.length, tookMs });
    });
  });
}
