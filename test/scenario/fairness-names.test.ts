/** A domain whose name servers never answer delays only itself. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crawlInto } from "../support/agent/crawl-rig.ts";
import { HostileWorld } from "../support/lab/hostile-world.ts";

const NAMES = process.env["TROBAR_FULL"] === "1" ? 20_000 : 2000;
const HONEST = 12;
/** Domains wait in 256 lines by a secret hash: now and then an honest one is behind the silent one. */
const UNLUCKY = 2;

test("thousands of names that are never answered hold up no connection and no other host", async () => {
  const links: string[] = [];
  await using world = await HostileWorld.open({
    addressOf: (name) => (name.endsWith("tarpit.test") ? null : "127.0.0.1"),
    serve: (host, path, response) => {
      if (path === "/robots.txt") response.writeHead(404).end();
      else response.end(host === "seed.test" ? links.join("\n") : `<title>${host}</title>`);
    },
  });
  const link = (host: string): void => {
    links.push(`<a href="${world.url(host)}">x</a>`);
  };
  for (let name = 0; name < NAMES; name += 1) link(`h${name}.tarpit.test`);
  for (let host = 0; host < HONEST; host += 1) link(`www.honest${host}.test`);
  const folder = mkdtempSync(join(tmpdir(), "trobar-fairness-"));
  const { code, summary } = await crawlInto(folder, [
    ...["crawl", "--allow-private", "--scope", "any", "--json", "--quiet", "-o", folder],
    ...["--concurrency", "4", "--delay", "1ms", "--ip-delay", "0", "--min-free-disk", "0"],
    ...["--set", `dns.servers=['127.0.0.1:${world.dnsPort}']`],
    ...["--set", "limits.linksPerPage=100k", "--limit", String(1 + HONEST - UNLUCKY)],
    world.url("seed.test"),
  ]);
  rmSync(folder, { recursive: true, force: true });
  assert.equal(code, 0);
  assert.equal(summary?.pages, 1 + HONEST - UNLUCKY);
  const asked = [...world.names].filter((name) => name.endsWith("tarpit.test"));
  assert.ok(asked.length > 0, "the silent names were asked for");
  assert.ok(asked.length < NAMES / 2, `${asked.length} silent names went before honest ones`);
});
