/**
 * Claim: one core serves at least 15,000 pages of about 25 kB a second with keep-alive, making each
 * page anew. `wrk` asks for different pages over 64 connections; the server is a process of its own.
 * The references are a bare socket server that sends one page from memory and knows no HTTP, and
 * `node:http` that does the same. Machines are noisy and shared, so besides pages a second it shows
 * pages for each second of the server's processor time, which is what one core gives; rounds
 * interleaved, medians compared. `node bench/simweb-serve.ts [rounds] [seconds]`
 */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SystemClock } from "../src/base/time/index.ts";
import {
  changedProfile,
  GeneratedWeb,
  PROFILES,
  type SyntheticWeb,
} from "../src/lab/simweb/index.ts";
import { LoopbackListener } from "../src/lab/simweb/serve/loopback-listener.ts";
import { WebServer } from "../src/lab/simweb/serve/web-server.ts";
import { needsProgram } from "../test/support/requirement.ts";

const KINDS = [
  "bare sockets",
  "node:http",
  "one page",
  "plain",
  "scale",
  "realistic",
  "plain, compressed",
] as const;
type Kind = (typeof KINDS)[number];
const CONNECTIONS = 64;
const PAGES = 5000;
const PAGE = Buffer.alloc(25_000, "<p>A page of the synthetic web, always the same one.</p>\n");

interface Told {
  readonly port: number;
  readonly cpuMicroseconds: number;
  readonly urls: readonly string[];
}

/** The server's side: says its port, and its processor time whenever it is asked. */
async function serve(kind: Kind): Promise<void> {
  const { port, urls } = await start(kind);
  const tell = (): void => {
    const { user, system } = process.cpuUsage();
    const told: Told = { port, cpuMicroseconds: user + system, urls };
    process.send?.(told);
  };
  process.on("message", tell);
  tell();
}

async function start(kind: Kind): Promise<{ port: number; urls: readonly string[] }> {
  if (kind === "bare sockets" || kind === "node:http") {
    const server = kind === "node:http" ? httpServer() : bareServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    return { port: typeof bound === "object" ? (bound?.port ?? 0) : 0, urls: ["/ a.example"] };
  }
  const listener = await LoopbackListener.open(0);
  const web = kind === "one page" ? onePage() : madePages(listener.port, kind);
  new WebServer({ web, listener, clock: new SystemClock() });
  return { port: listener.port, urls: web instanceof GeneratedWeb ? urlsOf(web) : ["/ a.example"] };
}

function bareServer(): ReturnType<typeof createServer> {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\n\r\n`;
  const answer = Buffer.concat([Buffer.from(head), PAGE]);
  return createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", () => socket.write(answer));
  });
}

function httpServer(): ReturnType<typeof createHttpServer> {
  return createHttpServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html", "Content-Length": PAGE.length });
    response.end(PAGE);
  });
}

function onePage(): SyntheticWeb {
  const host = madePages(80, "plain").hostAt(0);
  const response = {
    status: 200,
    reason: "OK",
    headers: [["Content-Type", "text/html"]] as const,
    body: PAGE,
    delayMs: 0,
    bytesPerSecond: 0,
    oddity: null,
  };
  return { hostCount: 1, hostAt: () => host, hostNamed: () => host, respond: () => response };
}

/** Pages of equal size, on hosts that answer at once: what is measured is a price for each. */
function madePages(port: number, kind: Kind): GeneratedWeb {
  const base = kind === "scale" || kind === "realistic" ? PROFILES[kind] : PROFILES.plain;
  const profile = changedProfile(base, {
    hosts: { slow: 0, dead: 0 },
    pages: { medianBytes: 25_000, spread: 0 },
    text: { compressed: kind.endsWith("compressed") ? 1 : 0 },
  });
  return new GeneratedWeb({ profile, seed: "bench", port });
}

function urlsOf(web: GeneratedWeb): string[] {
  const urls: string[] = [];
  for (let index = 0; urls.length < PAGES; index += 1) {
    const host = (index * 7919) % web.hostCount;
    const slot = index % web.model.hosts.size(host);
    const { hostname, pathname, search } = new URL(web.model.url(host, slot));
    const target = pathname + search;
    const request = { host: hostname, method: "GET", target, headers: [], earlierTries: 0 };
    const { status, oddity } = web.respond(request);
    if (status === 200 && oddity === null) urls.push(`${target} ${hostname}`);
  }
  return urls;
}

/** A script for wrk: one URL after the other, each with its host. */
function wrkScript(urls: readonly string[], folder: string): string {
  const requests = urls.map((url) => {
    const [target, host] = url.split(" ");
    return `wrk.format("GET", ${JSON.stringify(target)}, {["Host"]=${JSON.stringify(host)}, ["Accept-Encoding"]="gzip"})`;
  });
  const path = join(folder, "urls.lua");
  // Formatted once, at the start: the client must not be what is measured.
  writeFileSync(
    path,
    `local r = {}\nlocal i = 0\nfunction init()\n${requests.map((one, index) => `r[${index}] = ${one}`).join("\n")}\nend\n` +
      `function request()\ni = i + 1\nreturn r[i % ${requests.length}]\nend\n`,
  );
  return path;
}

interface Round {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly kilobytes: number;
}

async function measure(kind: Kind, seconds: number, folder: string): Promise<Round> {
  const child = fork(import.meta.filename, ["serve", kind], { stdio: "inherit" });
  try {
    const first = await told(child);
    const script = wrkScript(first.urls, folder);
    wrk(first.port, script, 1);
    const before = await ask(child);
    const { requests, bytes, perSecond } = wrk(first.port, script, seconds);
    const after = await ask(child);
    const cpuSeconds = (after.cpuMicroseconds - before.cpuMicroseconds) / 1e6;
    return { perSecond, perCpuSecond: requests / cpuSeconds, kilobytes: bytes / requests / 1000 };
  } finally {
    child.kill();
  }
}

function wrk(
  port: number,
  script: string,
  seconds: number,
): { requests: number; bytes: number; perSecond: number } {
  const args = [
    "-t1",
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    "-s",
    script,
    `http://127.0.0.1:${port}`,
  ];
  const { stdout } = spawnSync("wrk", args, { encoding: "utf8" });
  const totals = /(\d+) requests in [\d.]+m?s, ([\d.]+)(MB|GB|KB) read/.exec(stdout);
  const perSecond = Number(/Requests\/sec: *([\d.]+)/.exec(stdout)?.[1]);
  if (totals === null || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const unit = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }[totals[3] ?? ""] ?? 1;
  return { requests: Number(totals[1]), bytes: Number(totals[2]) * unit, perSecond };
}

function ask(child: ChildProcess): Promise<Told> {
  child.send("how much");
  return told(child);
}

function told(child: ChildProcess): Promise<Told> {
  return new Promise((resolve) => child.once("message", (message) => resolve(message as Told)));
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0;
}

async function compare(rounds: number, seconds: number): Promise<void> {
  const missing = needsProgram("wrk");
  if (missing !== false) throw new Error(`This bench needs wrk: ${missing}`);
  const folder = mkdtempSync(join(tmpdir(), "simweb-serve-"));
  const results = new Map<Kind, Round[]>(KINDS.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of KINDS) results.get(kind)?.push(await measure(kind, seconds, folder));
  }
  rmSync(folder, { recursive: true });
  const bare = median(results.get("bare sockets")?.map(({ perCpuSecond }) => perCpuSecond) ?? []);
  console.log(`pages of about 25 kB, ${CONNECTIONS} connections kept alive, medians of ${rounds}`);
  for (const [kind, list] of results) {
    const perCpuSecond = median(list.map((one) => one.perCpuSecond));
    // Neighbours on the machine make processor time longer, never shorter.
    const best = Math.max(...list.map((one) => one.perCpuSecond));
    console.log(
      `${kind.padEnd(17)} ${number(median(list.map((one) => one.perSecond)))} pages/s, ` +
        `${number(perCpuSecond)} per CPU-s (best ${number(best).trim()}), ${median(list.map((one) => one.kilobytes)).toFixed(1)} kB, ` +
        `${(perCpuSecond / bare).toFixed(2)} of bare sockets`,
    );
  }
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en").padStart(7);
}

if (process.argv[2] === "serve") await serve(process.argv[3] as Kind);
else await compare(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 3));
