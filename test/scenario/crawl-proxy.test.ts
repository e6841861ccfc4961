import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crawlInto } from "../support/agent/crawl-rig.ts";
import { startProxy } from "../support/fetch/proxy-server.ts";
import { serveRaw } from "../support/fetch/raw-server.ts";

const PAGE = '<a href="/next">next</a>';
const ROBOTS = "User-agent: *\nAllow: /\n";

test("a crawl through a proxy needs no name server of its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-proxy-"));
  await using server = await serveRaw((socket, request) => {
    const body = request.startsWith("GET /robots.txt") ? ROBOTS : PAGE;
    const type = "Content-Type: text/html\r\n";
    socket.write(`HTTP/1.1 200 OK\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`);
  });
  await using proxy = await startProxy({ port: server.port });
  const flags = ["--delay", "1ms", "--min-free-disk", "0", "--json", "-q", "-o", join(folder, "c")];
  const { code, summary, lines } = await crawlInto(join(folder, "c"), [
    ...["crawl", ...flags, "--set", `fetch.proxy=http://127.0.0.1:${proxy.port}`],
    // Nothing answers there, and nothing is asked.
    ...["--set", "dns.servers=['127.0.0.1:9']", "http://nobody-knows.test/"],
  ]);
  assert.equal(code, 0);
  assert.deepEqual([summary?.pages, summary?.errors], [2, {}]);
  assert.deepEqual(
    lines.map(({ url, address }) => [url, address]),
    [
      ["http://nobody-knows.test/", null],
      ["http://nobody-knows.test/next", null],
    ],
  );
  assert.match(proxy.requests[0] ?? "", /^GET http:\/\/nobody-knows\.test\/robots\.txt HTTP/);
  rmSync(folder, { recursive: true });
});
