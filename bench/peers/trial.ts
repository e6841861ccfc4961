/**
 * One run of one crawler: a fresh web on the first core, the crawler on the second. Pages and time
 * are the server's own count, processor time and memory the system's. The crawler finds the web's
 * names in a hosts file that only it sees, mounted over the system's in a namespace of its own.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Peer } from "./peer-table.ts";
import { WEB_PROCESS, type WebOpened, type WebOptions, type WebSeen } from "./web-process.ts";

export interface TrialOptions {
  readonly pages: number;
  readonly secondsMax: number;
  readonly concurrency: number;
  readonly web: Omit<WebOptions, "hostsFile">;
  readonly home: string;
}

export interface Measured {
  readonly pages: number;
  readonly pagesPerSecond: number;
  readonly cpuMsPerPage: number;
  readonly peakMebibytes: number;
  /** Pages asked for more than once, for each page. */
  readonly overlap: number;
  /** The last output of the crawler, if it failed. */
  readonly failure: string | null;
}

const HAS_TWO_CORES = availableParallelism() >= 2;

export async function trial(peer: Peer, options: TrialOptions): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-peer-"));
  const hostsFile = join(folder, "hosts");
  const web = fork(WEB_PROCESS, [JSON.stringify({ ...options.web, hostsFile })], {
    ...(HAS_TWO_CORES && { execPath: "taskset", execArgv: ["-c", "0", process.execPath] }),
  });
  try {
    const [opened] = (await once(web, "message")) as [WebOpened];
    const usage = join(folder, "usage");
    const command = peer.command({ ...options, ...opened, out: folder });
    const failure = await run(command, { ...options, hostsFile, usage });
    web.send(options.pages);
    const [seen] = (await once(web, "message")) as [WebSeen];
    return measured(seen, readFileSync(usage, "utf8"), failure);
  } finally {
    web.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface RunOptions {
  readonly secondsMax: number;
  readonly hostsFile: string;
  readonly usage: string;
}

/** Null when it ended well, or was stopped because its time was over. */
async function run(command: readonly string[], options: RunOptions): Promise<string | null> {
  const { secondsMax, hostsFile, usage } = options;
  const namespace =
    process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  const args = [
    ...["-o", usage, "-q", "-f", "%U %S %M", "timeout", "--kill-after=5", String(secondsMax)],
    ...(HAS_TWO_CORES ? ["taskset", "-c", "1"] : []),
    ...[
      "unshare",
      ...namespace,
      "sh",
      "-c",
      'mount --bind "$0" /etc/hosts && exec "$@"',
      hostsFile,
    ],
    ...command,
  ];
  const child = spawn("/usr/bin/time", args, { stdio: ["ignore", "pipe", "pipe"] });
  let words = "";
  const hear = (piece: Buffer): void => {
    words = (words + piece.toString()).slice(-600);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const [code] = (await once(child, "close")) as [number | null];
  // 124: its time was over. wget says 8 when its quota was used up, or a server answered an error.
  return code === 0 || code === 124 || code === 8 ? null : `exit ${code}: ${words.trim()}`;
}

function measured(seen: WebSeen, usage: string, failure: string | null): Measured {
  const [user = 0, system = 0, kibibytes = 0] = usage.trim().split(/\s+/).map(Number);
  return {
    pages: seen.pages,
    pagesPerSecond: (seen.windowPages / seen.windowMs) * 1000,
    cpuMsPerPage: ((user + system) * 1000) / seen.pages,
    peakMebibytes: kibibytes / 1024,
    overlap: (seen.pages - seen.distinct) / seen.pages,
    failure,
  };
}
