import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordedTerminal, withFile } from "../../../test/support/cli/recorded-terminal.ts";
import { inspectRobots } from "./inspect-robots.ts";

const FILE = [
  "User-agent: trobar",
  "Disallow: /private/ # not for you",
  "Allow: /private/open",
  "Crawl-delay: 2.5",
  "",
  "User-agent: *",
  "Disallow: /",
  "Sitemap: /map.xml",
  "Sitemap: https://b.org/map.xml",
].join("\n");

interface Options {
  readonly json?: boolean;
  readonly agent?: string;
  readonly stdin?: readonly (string | Uint8Array)[];
}

async function inspect(robots: string, urls: readonly string[], options: Options = {}) {
  const { agent = "trobar", json = true } = options;
  const terminal = new RecordedTerminal({ input: options.stdin ?? [] });
  const flags = ["--agent", agent, ...(json ? ["--json"] : [])];
  const code = await withFile(robots, (path) =>
    inspectRobots([path, ...flags, "--", ...urls], terminal),
  );
  assert.equal(code, 0);
  return terminal.written;
}

async function rows(robots: string, urls: readonly string[], options: Options = {}) {
  const out = await inspect(robots, urls, options);
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("each URL is answered with the rule that decided, then the delay and the sitemaps", async () => {
  const urls = ["https://a.org/x", "https://a.org/private/", "https://a.org/private/open?x#y"];
  assert.deepEqual(await rows(FILE, urls), [
    { url: urls[0], allowed: true, rule: null, line: null },
    { url: urls[1], allowed: false, rule: "Disallow: /private/", line: 2 },
    { url: urls[2], allowed: true, rule: "Allow: /private/open", line: 3 },
    { crawlDelay: 2.5, sitemaps: ["https://a.org/map.xml", "https://b.org/map.xml"] },
  ]);
});

test("the agent may be given as a whole User-Agent header", async () => {
  const [row] = await rows(FILE, ["https://a.org/x"], { agent: "Trobar/1.0 (+https://c.org)" });
  assert.equal(row.allowed, true);
  const [other] = await rows(FILE, ["https://a.org/x"], { agent: "Other/1.0" });
  assert.equal(other.allowed, false);
});

test("a URL is compared as the crawler would send it", async () => {
  const [row] = await rows(FILE, ["https://a.org/x/../private\\"]);
  assert.equal(row.allowed, false);
});

test("a bare domain among the URLs is compared by its path", async () => {
  const [row] = await rows(FILE, ["a.org/private/x"]);
  assert.deepEqual([row.url, row.allowed], ["a.org/private/x", false]);
});

test("URLs come from standard input too, cut anywhere", async () => {
  const stdin = ["https://a.org/pri", Buffer.from("vate/\r\n\nhttps://a.org/ü"), "/x"];
  const answers = await rows(FILE, ["-", "https://a.org/"], { stdin });
  assert.deepEqual(
    answers.slice(0, 3).map(({ url, allowed }) => [url, allowed]),
    [
      ["https://a.org/private/", false],
      ["https://a.org/ü/x", true],
      ["https://a.org/", true],
    ],
  );
});

test("without URLs on standard input the sitemaps are shown as they were written", async () => {
  assert.deepEqual(await rows(FILE, ["-"]), [
    { crawlDelay: 2.5, sitemaps: ["/map.xml", "https://b.org/map.xml"] },
  ]);
});

test("a file that is not there, and a line without URLs, are mistakes of usage", async () => {
  const terminal = new RecordedTerminal();
  const missing = inspectRobots(["no-such-file", "https://a.org/"], terminal);
  await assert.rejects(missing, /no-such-file.* does not exist/);
  await assert.rejects(
    inspectRobots(["robots.txt"], terminal),
    /needs more: trobar inspect robots/,
  );
});

test("people get sentences in which nothing can act on the terminal", async () => {
  const text = "User-agent: *\nDisallow: /\u001b[2J\nSitemap: /a\u0007\n";
  const out = await inspect(text, ["https://a.org/\u001b[2J", "nonsense"], { json: false });
  assert.equal(
    out,
    "refused  https://a.org/\\x1b[2J  (line 2: Disallow: /\\x1b[2J)\n" +
      "allowed  nonsense  (no rule matches)\n" +
      "crawl delay: none\nsitemap: https://a.org/a\n",
  );
  const page = await inspect("<html>", ["https://a.org/robots.txt"], { json: false });
  assert.match(page, /robots.txt itself may always be fetched/);
  assert.match(page, /The file is a web page: it has no rules\.\ncrawl delay: none\n$/);
});
