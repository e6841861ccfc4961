/**
 * Only a complete robots.txt gives permission. The servers here are bare sockets that send the rules
 * that allow and break off before those that forbid.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { crawlInto, type EndedCrawl } from "../support/agent/crawl-rig.ts";
import { type RawServer, type Serve, serveRaw } from "../support/fetch/raw-server.ts";

const RULES = "User-agent: *\nAllow: /open\nDisallow: /\n";
const FIRST = RULES.slice(0, RULES.indexOf("Disallow"));
const PACKED = gzipSync(RULES);
const RETRIES = 2;

type Answer = (socket: Parameters<Serve>[0]) => void;

/** Bytes go as latin1 text. */
const say = (...lines: readonly string[]): string => `HTTP/1.1 200 OK\r\n${lines.join("\r\n")}`;
const length = (bytes: number): string => `Content-Length: ${bytes}`;
const coded = (coding: string, body: Buffer | string, bytes = body.length): string =>
  say(`Content-Encoding: ${coding}`, length(bytes), "", body.toString("latin1"));
const send =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text, "latin1");

function damaged(): Buffer {
  const bytes = Buffer.from(gzipSync(`${FIRST}#${"x y z ".repeat(2000)}\nDisallow: /\n`));
  bytes[bytes.length - 12] = (bytes[bytes.length - 12] ?? 0) ^ 0xff;
  return bytes;
}

/** Longer than the limit even when packed, and damaged long before it. */
function damagedAndLong(): Buffer {
  const text = `${FIRST}${"# more\n".repeat(100_000)}Disallow: /\n`;
  const bytes = gzipSync(text, { level: 0 });
  const secondBlock = 15 + bytes.readUInt16LE(11);
  bytes.writeUInt16LE(0, secondBlock + 3);
  return bytes;
}

const CHUNKED = "Transfer-Encoding: chunked";
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const SHAPES: Readonly<Record<string, Answer>> = {
  "cut by a disconnection": (socket) =>
    void socket.end(say(length(RULES.length), "", FIRST), "latin1"),
  "cut by a reset": (socket) => {
    socket.write(say(length(RULES.length), "", FIRST), "latin1", () => socket.resetAndDestroy());
  },
  stalled: send(say(length(RULES.length), "", FIRST)),
  "below the minimum rate": (socket) => {
    socket.write(say(length(RULES.length + 4000), "", FIRST), "latin1");
    const timer = setInterval(() => void socket.write("#"), 10);
    socket.on("close", () => clearInterval(timer));
  },
  "with a bad chunk": send(say(CHUNKED, "", `${chunk(FIRST)}zz\r\nDisallow: /\r\n0\r\n\r\n`)),
  "without its last chunk": (socket) => void socket.end(say(CHUNKED, "", chunk(FIRST)), "latin1"),
  "packed and cut": send(coded("gzip", PACKED.subarray(0, -14))),
  "packed and cut by a disconnection": (socket) =>
    void socket.end(coded("gzip", PACKED.subarray(0, -14), PACKED.length), "latin1"),
  "packed and damaged": send(coded("gzip", damaged())),
  "packed, damaged and beyond the size limit": send(coded("gzip", damagedAndLong())),
  "in an unknown coding": send(coded("rot13", FIRST)),
  "in too many codings": send(coded("gzip, gzip, gzip", FIRST)),
  "of which a part was sent": send(
    `HTTP/1.1 206 Partial Content\r\n${length(FIRST.length)}\r\n\r\n${FIRST}`,
  ),
  "said to be unchanged, though nobody has it": send("HTTP/1.1 304 Not Modified\r\n\r\n"),
};

interface Served {
  readonly summary: EndedCrawl["summary"];
  readonly code: number;
  /** What each server was asked for, in the order of the requests. */
  readonly targets: readonly (readonly string[])[];
}

/** Answers the nth request for a robots.txt. */
type Robots = (nth: number) => Answer;

const PAGE = '<title>open</title><a href="/secret">x</a>';

function serve(robots: Robots): Promise<RawServer> {
  let nth = 0;
  return serveRaw((socket, request) => {
    if (request.startsWith("GET /robots.txt ")) {
      robots(nth)(socket);
      nth++;
    } else socket.write(say("Content-Type: text/html", length(PAGE.length), "", PAGE));
  });
}

/** Crawls servers of one host, each on a port of its own, from `/open`, which links to `/secret`. */
async function crawlServers(...robots: readonly Robots[]): Promise<Served> {
  const servers = await Promise.all(robots.map(serve));
  const folder = mkdtempSync(join(tmpdir(), "trobar-robots-"));
  const settings = ["fetch.idleTimeout=40ms", "fetch.minRate=100k", `fetch.retries=${RETRIES}`];
  try {
    const { code, summary } = await crawlInto(join(folder, "crawl"), [
      ...["crawl", "--allow-private", "--delay", "1ms", "--ip-delay", "0", "--min-free-disk", "0"],
      ...[...settings, "fetch.retryWait=1ms"].flatMap((one) => ["--set", one]),
      ...["--json", "--quiet", "-o", join(folder, "crawl")],
      ...servers.map(({ port }) => `http://127.0.0.1:${port}/open`),
    ]);
    const targets = servers.map(({ requests }) =>
      requests.map((one) => one.split(" ", 2)[1] ?? ""),
    );
    return { code, summary, targets };
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

const ASKED = Array(RETRIES + 1).fill("/robots.txt");

test("a robots.txt that did not arrive whole is asked for again, then nothing may be fetched", async () => {
  const shapes = Object.entries(SHAPES);
  const crawl = await crawlServers(
    ...shapes.map(
      ([, answer]) =>
        () =>
          answer,
    ),
  );
  for (const [index, [name]] of shapes.entries()) {
    assert.deepEqual(crawl.targets[index], ASKED, name);
  }
  assert.deepEqual(crawl.summary?.refused, { "robots-unreachable": shapes.length });
  assert.equal(crawl.code, 5);
});

test("a robots.txt that arrives whole in the end counts", async () => {
  const shapes = Object.values(SHAPES).slice(0, RETRIES);
  const whole = send(say(length(RULES.length), "", RULES));
  const { summary, targets } = await crawlServers((nth) => shapes[nth] ?? whole);
  assert.deepEqual(targets, [[...ASKED, "/open"]]);
  assert.deepEqual(summary?.refused, { robots: 1 });
});

test("a robots.txt beyond the size limit counts as far as its last whole line", async () => {
  // The limit falls into the last rule, whose beginning would allow what was forbidden.
  const head = "User-agent: *\nDisallow: /secret\n";
  const last = "Allow: /secret\n";
  const filler = `#${"x".repeat(500 * 1024 - head.length - last.length - 1)}\n`;
  const long = `${head}${filler}${last.slice(0, -1)}-not\n${"# more\n".repeat(1000)}`;
  const crawl = await crawlServers(
    () => send(say(length(long.length), "", long)),
    () => send(coded("gzip", gzipSync(long))),
    // What is not packed well is cut before it is decoded.
    () => send(coded("gzip", gzipSync(long, { level: 0 }))),
  );
  for (const targets of crawl.targets) assert.deepEqual(targets, ["/robots.txt", "/open"]);
  assert.deepEqual(crawl.summary?.refused, { robots: 3 });
});
