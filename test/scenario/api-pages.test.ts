/** Pages, links, stories, events and metrics of a crawl that runs, through its API. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CrawledWeb, crawlInto, type EndedCrawl, linking } from "../support/agent/crawl-rig.ts";
import { ApiClient } from "./api-client.ts";

const HOSTS = {
  "a.test": {
    pages: {
      "/": { body: "<title>Start</title><a href=/docs/1>one</a><a href=/docs/2>two</a>" },
      "/docs/1": { body: "<title>One</title><a href=/>back</a><a href=//z.example/>away</a>" },
      "/docs/2": { body: "<script>alert(1)</script>", headers: [["Content-Type", "text/html"]] },
    },
  },
  // Keeps the crawl running: its second page is due in an hour.
  "b.test": { pages: { "/": linking("/later"), "/later": linking() } },
} as const;

let web: CrawledWeb;
let api: ApiClient;
let ended: Promise<EndedCrawl>;

before(async () => {
  web = await CrawledWeb.open(() => HOSTS as never);
  const folder = join(web.folder, "pages");
  const flags = [...web.flags, "--ignore-robots", "--json", "--quiet", "-o", folder];
  const slow = ["--set", "politeness.hosts={b.test: {hostDelay: 1h}}"];
  const seeds = [web.url("a.test/"), web.url("b.test/")];
  ended = crawlInto(folder, ["crawl", ...flags, ...slow, ...seeds]);
  await web.requests(4);
  api = new ApiClient(folder);
  // What was answered is logged a moment later.
  for (;;) {
    const { body } = await api.get(
      `/pages?limit=10&prefix=${encodeURIComponent(web.url("a.test/"))}`,
    );
    if ((body as Pages).pages.length === 3) break;
  }
});

after(async () => {
  await api.ask("POST", "/control", { action: "stop" });
  await ended;
  await web.close();
});

interface Pages {
  readonly pages: readonly { readonly url: string; readonly title: string | null }[];
  readonly cursor: string | null;
}

function asked(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query)}`;
}

test("a page is found by its URL, with what the crawl knows of it", async () => {
  const { status, body } = await api.get(asked("/pages", { url: web.url("a.test/docs/1") }));
  assert.equal(status, 200);
  const [page] = (body as Pages).pages;
  assert.deepEqual([page?.url, page?.title], [web.url("a.test/docs/1"), "One"]);
  assert.equal((await api.get(asked("/pages", { url: web.url("a.test/no") }))).status, 404);
  assert.equal((await api.get("/pages")).status, 400);
  assert.equal((await api.get("/pages?url=x&prefix=y")).status, 400);
});

test("pages below a prefix come in portions", async () => {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const query = { prefix: web.url("a.test/docs/"), limit: "1", ...(after && { after }) };
    const { pages, cursor } = (await api.get(asked("/pages", query))).body as Pages;
    found.push(...pages.map(({ url }) => url));
    after = cursor;
  } while (after !== null);
  assert.deepEqual(found.toSorted(), [web.url("a.test/docs/1"), web.url("a.test/docs/2")]);
  assert.equal((await api.get("/pages?prefix=x&after=nonsense")).status, 400);
});

test("content comes as bytes that no browser shows or runs", async () => {
  const reply = await api.get(asked("/pages/content", { url: web.url("a.test/docs/2") }));
  assert.equal(String(reply.body), "<script>alert(1)</script>");
  assert.equal(reply.headers.get("content-type"), "application/octet-stream");
  assert.equal(reply.headers.get("content-disposition"), "attachment");
  assert.equal(reply.headers.get("x-content-type-options"), "nosniff");
  assert.equal(reply.headers.get("x-archived-type"), "text/html");
  assert.match(reply.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
  assert.equal(reply.headers.get("access-control-allow-origin"), null);
  const absent = await api.get(asked("/pages/content", { url: web.url("a.test/no") }));
  assert.equal(absent.status, 404);
});

test("links are listed in both directions", async () => {
  const url = web.url("a.test/docs/1");
  const links = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
    const { body } = await api.get(asked("/links", { url, ...query }));
    return (body as { links: { url: string }[] }).links.map((link) => link.url);
  };
  assert.deepEqual(await links({}), [web.url("a.test/"), "http://z.example/"]);
  assert.deepEqual(await links({ direction: "in" }), [web.url("a.test/")]);
  assert.deepEqual(await links({ limit: "1", after: "1" }), ["http://z.example/"]);
});

test("the story of a URL is told, fetched, waiting or never met", async () => {
  const state = async (url: string): Promise<string[]> => {
    const { body } = await api.get(asked("/explain", { url }));
    const { state: found, reason } = body as { state: string; reason: string };
    return [found, reason];
  };
  assert.deepEqual(await state(web.url("a.test/docs/1")), ["fetched", "200"]);
  assert.deepEqual(await state(web.url("b.test/later")), ["queued", "accepted"]);
  assert.deepEqual(await state("http://z.example/"), ["refused", "scope"]);
  assert.equal((await api.get(asked("/explain", { url: "no url" }))).status, 400);
});

test("events tell the state at once, and then what happens", async () => {
  const headers = { Authorization: `Bearer ${api.token}` };
  const reading = request(`${api.url}/api/v1/events`, { headers }).end();
  const [response] = await once(reading, "response");
  response.setEncoding("utf8");
  let text = "";
  let heard = (): void => undefined;
  response.on("data", (piece: string) => {
    text += piece;
    heard();
  });
  const until = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(text)) {
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
  };
  await until(/event: status\ndata: .*\n\n/);
  assert.match(text, /^event: state\ndata: \{"state":"running","reason":"none","limit":null\}\n\n/);
  await api.ask("POST", "/control", { action: "pause" });
  await until(/event: state\ndata: \{"state":"paused"/);
  await api.ask("POST", "/control", { action: "resume" });
  await until(/event: state\ndata: \{"state":"running"[\s\S]*\{"state":"running"/);
  await api.ask("POST", "/seeds", { seeds: [web.url("a.test/docs/3")] });
  await until(/event: page\ndata: .*a\.test:\d+\/docs\/3","status":404/);
  reading.destroy();
});

test("metrics have the names, units and labels of Prometheus", async () => {
  const { headers, body } = await api.get("/metrics");
  const text = String(body);
  assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  assert.match(text, /^trobar_responses_total\{class="2xx",code="200"\} \d+$/m);
  assert.match(text, /^trobar_state\{state="running"\} 1$/m);
  assert.match(text, /^trobar_unit_taken_items_total\{unit="parser"\} \d+$/m);
  assert.doesNotMatch(text, /a\.test|b\.test|http:/);
});

test("a crawl does not fetch its own API", async () => {
  const url = `${api.url}/api/v1/health`;
  await api.ask("POST", "/seeds", { seeds: [url] });
  let page: { readonly error: string | null } | undefined;
  while (page === undefined) {
    const { status, body } = await api.get(asked("/pages", { url }));
    if (status === 200) [page] = (body as { pages: { error: string | null }[] }).pages;
  }
  assert.equal(page.error, "FETCH_PORT_REFUSED");
});

test("connections that say nothing, or nothing sensible, do not keep others out", async () => {
  const { port, hostname } = new URL(api.url);
  const silent = Array.from({ length: 20 }, () => connect(Number(port), hostname));
  const odd = connect(Number(port), hostname);
  odd.write("NONSENSE\r\n\r\n");
  const [answer] = await once(odd.setEncoding("latin1"), "data");
  assert.match(answer, /^HTTP\/1\.1 400 .*"code":"API_BAD_REQUEST"/s);
  const long = connect(Number(port), hostname);
  long.write(`GET /api/v1/status HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`);
  const [tooLong] = await once(long.setEncoding("latin1"), "data");
  assert.match(tooLong, /^HTTP\/1\.1 431 /);
  const large = await api.ask("POST", "/seeds", { seeds: ["x".repeat(2_000_000)] });
  assert.equal(large.status, 413);
  assert.equal((await api.get("/status")).status, 200);
  for (const socket of [...silent, odd, long]) socket.destroy();
});
