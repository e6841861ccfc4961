/**
 * A whole crawl of damaged answers: every URL has its line in the crawl log, nothing of it is an
 * internal fault, and the crawl ends by itself.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crawlInto } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { type CorpusName, casesOf } from "./fuzzing.ts";

const COUNTS = { usual: 40, full: 1500 };

/** What is sent before a damaged body. */
const HEADS: Readonly<Partial<Record<CorpusName, string>>> = {
  gzip: "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
  sitemap: "Content-Type: application/xml\r\n",
  html: "Content-Type: text/html\r\n",
  robots: "Content-Type: text/plain\r\n",
};

function answers(): Buffer[] {
  const all = [...casesOf("http1", COUNTS)];
  for (const name of ["gzip", "sitemap", "html", "robots"] as const) {
    for (const body of casesOf(name, COUNTS)) {
      all.push(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${HEADS[name]}\r\n`), body]));
    }
  }
  return all;
}

test("a crawl of damaged answers ends with every URL accounted for", async () => {
  const all = answers();
  const server = createServer((socket: Socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (request) => {
      const number = /^GET \/page\/(\d+)/.exec(request.toString("latin1"))?.[1];
      socket.end(number === undefined ? NOT_FOUND : (all[Number(number)] ?? NOT_FOUND));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const folder = mkdtempSync(join(tmpdir(), "trobar-fuzz-"));
  const urls = all.map((_, number) => `http://127.0.0.1:${port}/page/${number}`);
  try {
    const terminal = new RecordedTerminal({ input: [urls.join("\n")] });
    const out = join(folder, "crawl");
    const ended = await crawlInto(out, ["crawl", ...FLAGS, "-o", out, "-i", "-"], terminal);
    assert.equal(ended.code, 0, terminal.said);
    assert.equal(ended.summary?.reason, "exhausted");
    const logged = new Set(ended.lines.map(({ url }) => url));
    assert.deepEqual(
      urls.filter((url) => !logged.has(url as never)),
      [],
    );
    const codes = Object.keys(ended.summary?.errors ?? {});
    assert.deepEqual(
      codes.filter((code) => code.startsWith("INTERNAL_")),
      [],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

const NOT_FOUND = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

const FLAGS: readonly string[] = [
  ...["--allow-private", "--delay", "0", "--ip-delay", "0", "--min-free-disk", "0"],
  ...["--scope", "page", "--json", "--quiet", "--set", "fetch.retries=0"],
  // A damaged Retry-After may ask for years, and is granted the longest wait.
  ...["--set", "fetch.retryWait=5ms", "--set", "fetch.retryMaxWait=20ms"],
];
