/**
 * Servers that send drop by drop on every connection, with real sockets and default limits. Only in
 * the full run: slowness is measured in real seconds. The same in virtual time is in
 * `test/simulation/fairness.test.ts`.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crawlInto } from "../support/agent/crawl-rig.ts";
import { drip, HostileWorld } from "../support/lab/hostile-world.ts";

const HOSTILE = 600;
const PAGES = 20;

async function dripBeside(addressOf: (number: number) => string): Promise<void> {
  await using world = await HostileWorld.open({
    addressOf: (name) => {
      const number = /^slow(\d+)/.exec(name)?.[1];
      return number === undefined ? "127.1.0.1" : addressOf(Number(number));
    },
    serve: (host, path, response) => {
      if (host !== "honest.test") drip(response, 600);
      else if (path === "/robots.txt") response.writeHead(404).end();
      else response.end(`<a href="/${Number(path.slice(1)) + 1}">next page after ${path}</a>`);
    },
  });
  const hosts = Array.from({ length: HOSTILE }, (_, at) => `slow${at}.test`);
  const seeds = [...hosts, "honest.test"].map((host) => world.url(host, "/1"));
  const folder = mkdtempSync(join(tmpdir(), "trobar-fairness-"));
  const { summary, lines } = await crawlInto(folder, [
    ...["crawl", "--allow-private", "--json", "--quiet", "-o", folder, "--min-free-disk", "0"],
    ...["--set", `dns.servers=['127.0.0.1:${world.dnsPort}']`, "--limit", String(PAGES)],
    ...seeds,
  ]);
  rmSync(folder, { recursive: true, force: true });
  assert.equal(summary?.pages, PAGES);
  const honest = lines.filter(({ url }) => url.includes("//honest.test"));
  assert.ok(honest.length >= PAGES, `${honest.length} pages of the honest host`);
}

if (process.env["TROBAR_FULL"] === "1") {
  test("600 dripping servers in three networks leave connections for an honest host", async () => {
    await dripBeside((number) => `127.2.${number >> 8}.${number & 255}`);
  });

  test("600 dripping servers, each in its own network, leave connections for an honest host", async () => {
    await dripBeside((number) => `127.${10 + (number >> 8)}.${number & 255}.1`);
  });
}
