/** The trial of the example of a protocol module: a crawl of a real FTP server on loopback. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FtpSrv } from "ftp-srv";
import { crawlInto } from "../support/agent/crawl-rig.ts";

/** A body that does not fit into the smallest memory for bodies. */
const LARGE_BYTES = 3 * 1024 * 1024;

const FILES: Readonly<Record<string, string | Buffer>> = {
  "robots.txt": "User-agent: *\nDisallow: /pub/private/\n",
  "secret.txt": "outside the prefix",
  "pub/a.txt": "the first file",
  "pub/b & c.txt": "the second file",
  "pub/page.html": '<a href="a.txt">a</a> <a href="missing.txt">b</a> <a href="deep">c</a>',
  "pub/deep/large.bin": Buffer.alloc(LARGE_BYTES, "x"),
  "pub/private/x.txt": "not for crawlers",
};

export async function crawlFtp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-ftp-"));
  const logins: string[] = [];
  const server = await openServer(join(folder, "served"), logins);
  try {
    const out = join(folder, "crawl");
    const flags = [
      ...["--config", "examples/14-ftp/crawl.yaml", "--json", "--quiet", "-o", out],
      ...["--allow-private", "--delay", "1ms", "--ip-delay", "0", "--min-free-disk", "0"],
      ...["--set", `fetch.ports=[${server.port}]`, "--set", "fetch.bodyMemory=1Mi"],
      ...["--set", `seeds=[ftp://127.0.0.1:${server.port}/pub/]`],
    ];
    const { code, lines, robotsLines, records, terminal } = await crawlInto(out, [
      "crawl",
      ...flags,
    ]);
    assert.equal(code, 0, terminal.said);
    const origin = `ftp://127.0.0.1:${server.port}`;
    assert.deepEqual(
      lines.map(({ url, result }) => `${url.slice(origin.length)} ${result}`).toSorted(),
      [
        "/pub/ 200",
        "/pub/a.txt 200",
        "/pub/b%20%26%20c.txt 200",
        "/pub/deep 301",
        "/pub/deep/ 200",
        "/pub/deep/large.bin 200",
        "/pub/missing.txt 404",
        "/pub/page.html 200",
      ],
    );
    assert.deepEqual(
      robotsLines.map(({ url, result }) => [url, result]),
      [[`${origin}/robots.txt`, 200]],
    );
    const stored = new Map(
      records.map(({ targetUri, type, fields, block }) => [
        targetUri?.slice(origin.length),
        [type, fields.get("Content-Type"), block.length, fields.get("WARC-IP-Address")],
      ]),
    );
    const resource = (path: string, type: string, bytes: number): void =>
      assert.deepEqual(stored.get(path), ["resource", type, bytes, "127.0.0.1"]);
    resource("/pub/a.txt", "text/plain", 14);
    resource("/pub/deep/large.bin", "application/octet-stream", LARGE_BYTES);
    assert.deepEqual(new Set(logins), new Set(["anonymous crawler@example.org"]));
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface OpenServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves the files to everybody; each login is noted. */
async function openServer(root: string, logins: string[]): Promise<OpenServer> {
  for (const [path, content] of Object.entries(FILES)) {
    const at = join(root, path);
    mkdirSync(join(at, ".."), { recursive: true });
    writeFileSync(at, content);
  }
  const port = await freePort();
  const url = `ftp://127.0.0.1:${port}`;
  const server = new FtpSrv({ url, pasv_url: "127.0.0.1", log: silentLog() });
  server.on("login", ({ username, password }, resolve) => {
    logins.push(`${username} ${password}`);
    resolve({ root });
  });
  await server.listen();
  return { port, close: async () => await server.close() };
}

/** One that the system has just given out; ftp-srv cannot choose one itself. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, "127.0.0.1", listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

/** The server would write every command to standard output. */
function silentLog() {
  const nothing = (): void => undefined;
  const log = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
  return { ...log, child: () => silentLog() };
}
