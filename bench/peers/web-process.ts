/**
 * The web that the peers crawl, in a process of its own: the plain profile, pages of about 25 kB. It
 * says where it is, and when it is asked what it saw: how many pages it served, and how long the
 * first of them took.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SystemClock } from "../../src/base/time/index.ts";
import {
  changedProfile,
  type GeneratedWeb,
  openGeneratedWeb,
  PROFILES,
  type ServedWeb,
} from "../../src/lab/simweb/index.ts";

export const WEB_PROCESS: string = fileURLToPath(import.meta.url);

export interface WebOptions {
  readonly hosts: number;
  readonly urls: number;
  /** Where the names of the web are written as a hosts file. */
  readonly hostsFile: string;
}

export interface WebOpened {
  readonly seed: string;
  readonly dnsPort: number;
}

export interface WebSeen {
  /** Pages that were served whole, and how many different ones. */
  readonly pages: number;
  readonly distinct: number;
  readonly bytes: number;
  readonly connections: number;
  /** From the first request to the end of the last of the pages asked about. */
  readonly windowMs: number;
  /** Of those, how many fell into the window. */
  readonly windowPages: number;
}

async function open({ hosts, urls }: WebOptions): Promise<ServedWeb<GeneratedWeb>> {
  const profile = changedProfile(PROFILES.plain, {
    hosts: { count: hosts, pages: urls, slow: 0, dead: 0 },
    pages: { medianBytes: 25_000, spread: 0.5 },
  });
  return await openGeneratedWeb({ profile, seed: "peers", clock: new SystemClock() });
}

function hostsFile(web: GeneratedWeb): string {
  const lines = ["127.0.0.1 localhost"];
  for (let index = 0; index < web.hostCount; index += 1) {
    const { name, addresses } = web.hostAt(index);
    lines.push(`${addresses[0] ?? "127.0.0.1"} ${name}`);
  }
  return `${lines.join("\n")}\n`;
}

/** What was served up to the end of the page that is `pagesMax`th to end. */
function seen(served: ServedWeb<GeneratedWeb>, pagesMax: number): WebSeen {
  const { log } = served.server;
  const pages = [...log.entries()].filter(
    ({ isRobots, status, ending }) => !isRobots && status === 200 && ending === "whole",
  );
  const ends = pages.map(({ endMs }) => endMs).sort((one, other) => one - other);
  const begin = pages.reduce((least, { startMs }) => Math.min(least, startMs), Infinity);
  const windowPages = Math.min(pagesMax, pages.length);
  return {
    pages: pages.length,
    distinct: new Set(pages.map(({ host, target }) => host + target)).size,
    bytes: pages.reduce((sum, { bytesSent }) => sum + bytesSent, 0),
    connections: served.server.stats().connections,
    windowMs: (ends[windowPages - 1] ?? begin) - begin,
    windowPages,
  };
}

if (process.argv[1] === WEB_PROCESS) {
  const options = JSON.parse(process.argv[2] ?? "{}") as WebOptions;
  const served = await open(options);
  writeFileSync(options.hostsFile, hostsFile(served.web));
  const opened: WebOpened = { seed: served.web.seeds()[0] ?? "", dnsPort: served.dnsPort };
  process.send?.(opened);
  process.on("message", (pagesMax: number) => process.send?.(seen(served, pagesMax)));
  process.on("disconnect", () => process.exit());
}
