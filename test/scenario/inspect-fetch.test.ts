/** `trobar inspect robots|links URL`: the one URL is fetched as a crawl would, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ERRORS } from "../../src/base/errors/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

/** As a crawl is told of the names of a web on loopback, and of a short pause. */
function flags(web: CrawledWeb): string[] {
  const dns = web.flags.find((flag) => flag.startsWith("dns.servers")) ?? "";
  return ["--allow-private", "--set", dns, "--set", "politeness.hostDelay=5ms", "--json"];
}

async function inspect(web: CrawledWeb, what: string, words: readonly string[]) {
  const terminal = new RecordedTerminal();
  const code = await run(["inspect", what, ...flags(web), ...words], terminal);
  return { code, rows: terminal.rows(), said: terminal.said };
}

/** What was asked for, in order. */
function asked(web: CrawledWeb): string[] {
  return web.entries.map(({ host, target }) => host + target);
}

const RULES = "User-agent: *\nDisallow: /private\nCrawl-delay: 2\nSitemap: /map.xml\n";

test("inspect robots fetches the robots.txt of the site, through redirects, and not the page", async () => {
  const hosts = (port: number) => ({
    "a.test": {
      pages: {
        "/robots.txt": {
          status: 301,
          headers: [["Location", `http://b.test:${port}/rules.txt`] as const],
        },
      },
    },
    "b.test": { pages: { "/rules.txt": { body: RULES } } },
  });
  await withWeb(hosts, async (web) => {
    const urls = [web.url("a.test/private/1"), web.url("a.test/open")];
    const { code, rows, said } = await inspect(web, "robots", urls);
    assert.deepEqual([code, said], [0, ""]);
    assert.deepEqual(
      rows.map(({ url, allowed, crawlDelay }) => [url, allowed, crawlDelay]),
      [
        [urls[0], false, undefined],
        [urls[1], true, undefined],
        [undefined, undefined, 2],
      ],
    );
    assert.deepEqual(rows[2]?.["sitemaps"], [web.url("a.test/map.xml")]);
    assert.deepEqual(asked(web), ["a.test/robots.txt", "b.test/rules.txt"]);
  });
});

test("the URL of a robots.txt stands for the file, and what is missing allows everything", async () => {
  await withWeb(
    () => ({ "a.test": { pages: { "/robots.txt": { body: RULES } } }, "b.test": {} }),
    async (web) => {
      const words = [web.url("a.test/robots.txt"), web.url("a.test/private")];
      const { rows } = await inspect(web, "robots", words);
      assert.deepEqual(
        rows.map(({ allowed }) => allowed),
        [false, undefined],
      );
      const none = await inspect(web, "robots", [web.url("b.test/x")]);
      assert.deepEqual([none.code, none.rows[0]?.["allowed"]], [0, true]);
      assert.match(none.said, /there is no robots\.txt: everything is allowed/);
    },
  );
});

test("a robots.txt that cannot be fetched allows nothing, and the reason is printed", async () => {
  await withWeb(
    () => ({ "a.test": { pages: { "/robots.txt": { status: 503 } } } }),
    async (web) => {
      const { code, rows, said } = await inspect(web, "robots", [web.url("a.test/")]);
      assert.deepEqual([code, rows[0]?.["allowed"]], [5, false]);
      assert.match(said, /robots-unreachable.*answered 503/);
      assert.deepEqual(asked(web), ["a.test/robots.txt"], "nothing is tried again");
      const missing = await inspect(web, "robots", ["http://missing.test/"]);
      assert.equal(missing.code, 5);
      assert.ok(missing.said.includes(ERRORS.DNS_NOT_FOUND.remedy), missing.said);
      const terminal = new RecordedTerminal();
      const plain = flags(web).filter((flag) => flag !== "--allow-private");
      const code2 = await run(["inspect", "links", ...plain, "http://a.test/"], terminal);
      assert.equal(code2, 5);
      assert.match(terminal.said, /FETCH_ADDRESS_REFUSED.*--allow-private/s);
    },
  );
});

test("nothing is claimed about the content of a robots.txt that was not fetched", async () => {
  await withWeb(
    () => ({ "a.test": { pages: { "/robots.txt": { status: 503 } } } }),
    async (web) => {
      const open = flags(web);
      const shut = open.filter((flag) => flag !== "--allow-private");
      // A server without TLS waits for more of what it does not understand.
      const impatient = [...open, "--set", "fetch.connectTimeout=300ms"];
      for (const [given, url, why] of [
        [open, web.url("a.test/private"), "robots-unreachable"],
        [open, "http://missing.test/private", "DNS_NOT_FOUND"],
        [shut, "http://a.test/private", "FETCH_ADDRESS_REFUSED"],
        [impatient, web.url("a.test/private").replace("http:", "https:"), "TLS|FETCH|CERT"],
      ] as const) {
        const json = new RecordedTerminal();
        assert.equal(await run(["inspect", "robots", ...given, url], json), 5);
        assert.deepEqual(json.rows(), [{ url, allowed: false, rule: null, line: null }]);
        assert.match(json.said, new RegExp(why));
        const text = new RecordedTerminal();
        const flagsOfText = given.filter((flag) => flag !== "--json");
        assert.equal(await run(["inspect", "robots", ...flagsOfText, url], text), 5);
        assert.equal(text.written, `refused  ${url}  (robots.txt cannot be fetched)\n`);
      }
    },
  );
});

test("a bare domain is fetched by https unless there is such a file, and this is said once", async () => {
  await withWeb(
    () => ({ "a.test": {} }),
    async (web) => {
      for (const what of ["links", "robots"]) {
        const { code, said } = await inspect(web, what, ["missing.test/private"]);
        assert.equal(code, 5);
        assert.equal(said.split("https:// is assumed: https://missing.test/private\n").length, 2);
        const file = await inspect(web, what, ["missing.html", "https://a.test/"]);
        assert.equal(file.code, 2);
        assert.match(file.said, /"missing\.html" does not exist/);
      }
    },
  );
});

test("inspect links fetches the page after its robots.txt, unpacks it and follows redirects", async () => {
  const page = '<title>Page</title><meta name=robots content=noindex><a href="next">On</a>';
  const hosts = () => ({
    "a.test": {
      pages: {
        "/": { status: 302, headers: [["Location", "/dir/page"] as const] },
        "/dir/page": {
          body: gzipSync(page),
          headers: [
            ["Content-Type", "text/html; charset=windows-1252"] as const,
            ["Content-Encoding", "gzip"] as const,
            ["X-Robots-Tag", "noarchive"] as const,
          ],
        },
      },
    },
  });
  await withWeb(hosts, async (web) => {
    const { code, rows, said } = await inspect(web, "links", [web.url("a.test/")]);
    assert.equal(code, 0);
    assert.match(said, /^note: it redirects to .*\/dir\/page\n$/);
    assert.deepEqual(rows, [
      { url: web.url("a.test/dir/next"), kind: "a", rel: "", text: "On" },
      {
        base: web.url("a.test/dir/page"),
        charset: "windows-1252",
        title: "Page",
        robots: "noarchive, noindex",
      },
    ]);
    assert.deepEqual(asked(web), ["a.test/robots.txt", "a.test/", "a.test/dir/page"]);
  });
});

test("inspect links says when a page is cut, on its way or in its packing", async () => {
  const page = `<a href="next">On</a>${"<p>text ".repeat(999)}`;
  const packed = gzipSync(page);
  const headers = [["Content-Encoding", "gzip"]] as const;
  const hosts = () => ({
    "a.test": {
      pages: {
        "/whole": { body: packed, headers },
        "/packed": { body: packed.subarray(0, -20), headers },
        "/long": { body: page.repeat(9) },
      },
    },
  });
  await withWeb(hosts, async (web) => {
    for (const [path, isCut] of [
      ["/whole", false],
      ["/packed", true],
      ["/long", true],
    ] as const) {
      const words = [web.url(`a.test${path}`), "--set", "fetch.maxBody=20k"];
      const { code, rows, said } = await inspect(web, "links", words);
      assert.deepEqual([code, rows[0]?.["text"]], [0, "On"], path);
      assert.equal(said.includes("the page is cut"), isCut, path);
    }
  });
});

test("inspect links obeys robots.txt unless told otherwise, and tells why nothing is shown", async () => {
  const pages = { "/robots.txt": { body: RULES }, "/private": { body: "<a href=/x>x</a>" } };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const url = web.url("a.test/private");
      const refused = await inspect(web, "links", [url]);
      assert.deepEqual([refused.code, refused.rows], [5, []]);
      assert.match(refused.said, /failed \(robots\)\. Its robots\.txt disallows it\./);
      assert.deepEqual(asked(web), ["a.test/robots.txt"]);
      const ignoring = await inspect(web, "links", [url, "--ignore-robots"]);
      assert.deepEqual([ignoring.code, ignoring.rows.length], [0, 2]);
    },
  );
});

test("endless redirects, and texts that are not URLs, are refused", async () => {
  const pages = { "/": { status: 301, headers: [["Location", "/"] as const] } };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const loop = await inspect(web, "links", [web.url("a.test/")]);
      assert.equal(loop.code, 5);
      assert.match(loop.said, /redirect/);
      assert.equal((await inspect(web, "links", ["http://"])).code, 2);
    },
  );
});
