/**
 * What a user learns about a seed that cannot be fetched: the code and the remedy, at once and again
 * in the last lines, whether the page failed, its host, or its robots.txt on the way to it.
 */
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createServer } from "node:tls";
import { ERRORS } from "../../src/base/errors/index.ts";
import {
  type CrawledWeb,
  crawlInto,
  type EndedCrawl,
  withWeb,
} from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { CertificateAuthority } from "../support/fetch/certificates.ts";

const HOSTS = () => ({ "a.test": { pages: { "/": { body: "one" } } } });

/** The settings of a new user, but for the name server: a retry would take ten seconds. */
function newUser(web: CrawledWeb): string[] {
  const at = web.flags.findIndex((flag) => flag.startsWith("dns.servers"));
  return ["--min-free-disk", "0", "--set", web.flags[at] ?? ""];
}

let crawls = 0;

async function crawl(
  web: CrawledWeb,
  args: readonly string[],
  terminal: RecordedTerminal = new RecordedTerminal(),
): Promise<EndedCrawl> {
  crawls += 1;
  const folder = join(web.folder, `failed-${crawls}`);
  return await crawlInto(folder, ["crawl", ...newUser(web), "-o", folder, ...args], terminal);
}

async function withUntrusted(use: (port: number) => Promise<void>): Promise<void> {
  const { cert, key } = new CertificateAuthority().issue({ host: "a.test" });
  const server = createServer({ cert, key });
  server.on("tlsClientError", () => {});
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}

/** What is said at once, and what stands in the last lines. */
function assertTold(ended: EndedCrawl, url: string, code: keyof typeof ERRORS): void {
  assert.equal(ended.code, 5);
  const events = ended.terminal.said.split("\n").filter((line) => line.startsWith("{"));
  const told = events
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "seed-failed");
  assert.equal(told.length, 1, ended.terminal.said);
  assert.deepEqual(
    [told[0].url, told[0].why, told[0].remedy, told[0].retryInSeconds],
    [url, code, ERRORS[code].remedy, null],
  );
  assert.ok(ended.terminal.written.includes(code), ended.terminal.written);
  assert.ok(ended.terminal.written.includes(ERRORS[code].remedy), ended.terminal.written);
}

test("an untrusted certificate is reported with its remedy and never tried again", async () => {
  await withWeb(HOSTS, async (web) => {
    await withUntrusted(async (port) => {
      const url = `https://a.test:${port}/`;
      const ended = await crawl(web, ["--allow-private", url]);
      assertTold(ended, url, "FETCH_TLS_CERTIFICATE");
      const { summary } = await crawl(web, ["--allow-private", "--json", url]);
      assert.deepEqual(summary?.refused, { "robots-unreachable": 1 });
      assert.equal(summary?.failedSeeds[0]?.why, "FETCH_TLS_CERTIFICATE");
      const ignoring = await crawl(web, ["--allow-private", "--ignore-robots", "--json", url]);
      assert.deepEqual(ignoring.summary?.errors, { FETCH_TLS_CERTIFICATE: 1 });
      assert.deepEqual([ignoring.code, ignoring.summary?.fetches], [5, 1]);
    });
  });
});

test("a host that does not exist, a forbidden address and a forbidden port are reported at once", async () => {
  await withWeb(HOSTS, async (web) => {
    assertTold(await crawl(web, ["http://missing.test/"]), "http://missing.test/", "DNS_NOT_FOUND");
    assertTold(await crawl(web, ["http://a.test/"]), "http://a.test/", "FETCH_ADDRESS_REFUSED");
    const port = await crawl(web, ["http://a.test:9/"]);
    assert.equal(port.code, 5);
    assert.match(port.terminal.written, /http:\/\/a\.test:9\/ {2}port: .*\n.*fetch\.ports/);
    assert.match(port.terminal.said, /"why":"port".*--allow-private/);
  });
});

test("a closed port is reported when it is met, with the time of the next try", async () => {
  await withWeb(HOSTS, async (web) => {
    const terminal = new RecordedTerminal({ isLive: true });
    const ended = crawl(web, ["--allow-private", "http://a.test:1/"], terminal);
    await terminal.heard(/http:\/\/a\.test:1\/ failed \(FETCH_CONNECT_FAILED\)/);
    // Before any retry, and before the user interrupts.
    assert.match(
      terminal.said,
      /nothing accepts connections there\. It is tried again in 1\d\.\d s/,
    );
    terminal.interrupt();
    assert.equal((await ended).code, 130);
  });
});

test("an absent proxy and a failing robots.txt are reported as such", async () => {
  const hosts = () => ({ "a.test": { pages: { "/robots.txt": { status: 500 } } } });
  await withWeb(hosts, async (web) => {
    const quick = ["--allow-private", "--set", "fetch.retries=1", "--set", "fetch.retryWait=5ms"];
    const proxied = ["--set", "fetch.proxy=http://127.0.0.1:1/", "http://a.test/"];
    const proxy = await crawl(web, [...quick, ...proxied]);
    assert.equal(proxy.code, 5);
    assert.match(
      proxy.terminal.written,
      /http:\/\/a\.test\/ {2}FETCH_PROXY_FAILED: .*\n.*fetch\.proxy/,
    );
    const failing = await crawl(web, [...quick, web.url("a.test/")]);
    assert.equal(failing.code, 5);
    assert.match(failing.terminal.written, /robots-unreachable: Its robots\.txt answered 500/);
    const [first] = failing.terminal.said
      .split("\n")
      .filter((line) => line.includes("seed-failed"));
    assert.notEqual(
      JSON.parse(first ?? "{}").retryInSeconds,
      null,
      "it says that it is tried again",
    );
  });
});

test("where every seed is answered with an error the crawl ends with 5 and the statuses", async () => {
  const statuses = [401, 404, 503];
  const hosts = () => ({
    "a.test": { pages: Object.fromEntries(statuses.map((status) => [`/${status}`, { status }])) },
  });
  await withWeb(hosts, async (web) => {
    const quick = ["--allow-private", "--delay", "1ms", "--set", "fetch.retries=0"];
    const urls = statuses.map((status) => web.url(`a.test/${status}`));
    const ended = await crawl(web, [...quick, ...urls]);
    assert.equal(ended.code, 5);
    assert.match(ended.terminal.said, /no page could be fetched: .*401.*404.*503/);
    for (const url of urls) assert.ok(ended.terminal.written.includes(url), url);
  });
});

test("a seed that redirects to a failing URL is reported under its own URL", async () => {
  const hosts = () => ({
    "a.test": { pages: { "/": { status: 301, headers: [["Location", "http://gone.test/"]] } } },
  });
  await withWeb(hosts as never, async (web) => {
    const ended = await crawl(web, ["--allow-private", web.url("a.test/")]);
    assertTold(ended, web.url("a.test/"), "DNS_NOT_FOUND");
  });
});

test("what robots.txt forbids and a Crawl-delay that is too long end with the reason", async () => {
  const robots = (text: string) => ({ pages: { "/robots.txt": { body: text } } });
  const hosts = () => ({
    "a.test": robots("User-agent: *\nDisallow: /"),
    "b.test": robots("User-agent: *\nCrawl-delay: 3600"),
  });
  await withWeb(hosts, async (web) => {
    const ended = await crawl(web, ["--allow-private", web.url("a.test/"), web.url("b.test/")]);
    assert.equal(ended.code, 5);
    assert.match(
      ended.terminal.written,
      /robots: Its robots\.txt disallows it\.\n.*inspect robots/,
    );
    assert.match(ended.terminal.written, /crawl-delay: .*\n.*politeness\.crawlDelayMax/);
  });
});
