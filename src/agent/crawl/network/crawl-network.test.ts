/** The real network of a crawl, on loopback, while its configuration changes. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { requestOf } from "../../../../test/support/fetch/http-fetching.ts";
import { serveRaw } from "../../../../test/support/fetch/raw-server.ts";
import { configured } from "../../../../test/support/rules/configured.ts";
import type { FetchOutcome } from "../../../base/seams/index.ts";
import { DiskStorage } from "../../../base/storage/index.ts";
import { SystemClock } from "../../../base/time/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import { type CrawlNetwork, NO_SECRETS, openNetwork } from "./crawl-network.ts";

const ZIPPED = gzipSync("x".repeat(1000));
const HEAD = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${ZIPPED.length}\r\n\r\n`;

test("another configuration counts for the next fetch: addresses, keep-alive, decoded bytes", async () => {
  await using server = await serveRaw((socket) => {
    socket.write(HEAD);
    socket.write(ZIPPED);
  });
  const folder = mkdtempSync(join(tmpdir(), "trobar-network-"));
  const clock = new SystemClock();
  const world = { clock, scratch: new DiskStorage(folder), secrets: NO_SECRETS };
  const network = await openNetwork(configurationWith(), world);
  const adjust = (...settings: string[]) => network.adjust?.(configurationWith(...settings));
  try {
    assert.equal(await decodedBytes(network, server.url()), 1000);
    adjust("fetch.maxBody=100");
    assert.equal(await decodedBytes(network, server.url()), 100);
    adjust("politeness.blockAddresses=[127.0.0.0/8]");
    // The connection that was kept is not used either.
    const refused = await fetched(network, server.url());
    assert.ok(refused.kind === "failed" && refused.error.code === "FETCH_ADDRESS_REFUSED");
    adjust("fetch.keepAlive=0");
    const earlier = server.accepted;
    for (let count = 0; count < 2; count += 1) await decodedBytes(network, server.url());
    assert.equal(server.accepted, earlier + 2);
    adjust();
    for (let count = 0; count < 2; count += 1) await decodedBytes(network, server.url());
    assert.equal(server.accepted, earlier + 3);
  } finally {
    network.http.close();
    network.resolver.close();
    rmSync(folder, { recursive: true });
  }
});

function configurationWith(...settings: readonly string[]): Configuration {
  const own = ["fetch.allowAddresses=[127.0.0.0/8]", "fetch.ports=any"];
  return configured(...own, ...settings);
}

function fetched({ fetcher }: CrawlNetwork, url: string): Promise<FetchOutcome> {
  return new Promise((resolve) => void fetcher.fetch(requestOf(url), resolve));
}

async function decodedBytes(network: CrawlNetwork, url: string): Promise<number> {
  const outcome = await fetched(network, url);
  assert.ok(outcome.kind === "fetched", outcome.kind);
  const content = await new Promise<{ readonly body: { readonly lengthBytes: number } }>(
    (resolve) => network.answers.decode(outcome, resolve),
  );
  return content.body.lengthBytes;
}
