/** Crawls by protocol modules of users, together with the web. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type CrawledWeb, crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const WEB = (port: number) => ({
  "a.test": {
    pages: {
      "/": linking("gemini://b.test/", "gopher://b.test/", "file:///etc/passwd"),
      "/web": { body: `<p>web on ${port}` },
    },
  },
  "b.test": { pages: {} },
});

/** A module whose server is a table; it connects nowhere. */
const MODULE = `
  const asked = [];
  const page = (...links) => ({
    headers: { "Content-Type": "text/html" },
    body: links.map((link) => \`<a href="\${link}">x</a>\`),
  });
  async function* failing() {
    yield "some";
    throw new Error("lost");
  }
  const PAGES = {
    "/robots.txt": () => ({ body: "User-agent: *\\nDisallow: /private" }),
    "/": () => page("/private", "hidden/../open", "/moved", "/throws", "/hangs", "/half", "/gone",
      "//b.test:1966/other-port", "//b.test:70/", process.env.TROBAR_TEST_WEB),
    "/open": () => ({ headers: { "Content-Type": "text/plain" }, body: "open" }),
    "/same": () => ({ headers: { "Content-Type": "text/plain" }, body: "open" }),
    "/moved": () => ({ status: 302, headers: { Location: "/same" } }),
    "/throws": () => { throw new Error("550 broken"); },
    "/hangs": () => new Promise(() => {}),
    "/half": () => ({ body: failing() }),
    "/gone": () => ({ status: 404, body: "no such page" }),
  };
  export const createProtocol = ({ scheme }) => ({
    async fetch({ url, host, address, port, headers }) {
      const said = new Map(headers).get("User-Agent");
      if (scheme !== "gemini" || host !== "b.test" || !/^127\\./.test(address) || port !== 1965) {
        throw new Error(\`unexpected: \${scheme} \${host} \${address} \${port}\`);
      }
      if (!said.startsWith("Trobar/")) throw new Error("nobody asks");
      return PAGES[new URL(url).pathname]();
    },
    close() {
      throw new Error("while closing");
    },
  });
`;

function flagsFor(web: CrawledWeb, ...modules: readonly string[]): readonly string[] {
  const path = join(web.folder, "gemini.mjs");
  writeFileSync(path, MODULE);
  process.env["TROBAR_TEST_WEB"] = web.url("a.test/web");
  const protocols = [`gemini: ${path}`, ...modules].join(", ");
  return [
    ...["--scope", "any", "--set", `fetch.protocols={ ${protocols} }`],
    ...["--set", "fetch.headerTimeout=1s", "--set", "fetch.connectTimeout=500ms"],
    ...["--set", `fetch.ports=[${new URL(web.url("a.test/")).port}]`],
  ];
}

test("a protocol module is crawled with the rules, the log and the archive of the web", async () => {
  await withWeb(WEB, async (web) => {
    const { code, summary, lines, robotsLines, records, terminal } = await web.crawl(
      ["a.test/"],
      flagsFor(web),
    );
    assert.equal(code, 0, terminal.said);
    const results = new Map(lines.map(({ url, result }) => [url.replace(/:\d+/, ""), result]));
    assert.deepEqual(Object.fromEntries(results), {
      "http://a.test/": 200,
      "http://a.test/web": 200,
      "gemini://b.test/": 200,
      "gemini://b.test/open": 200,
      "gemini://b.test/moved": 302,
      "gemini://b.test/same": 200,
      "gemini://b.test/throws": "FETCH_MODULE_FAILED",
      "gemini://b.test/hangs": "FETCH_TIMED_OUT",
      "gemini://b.test/half": 200,
      "gemini://b.test/gone": 404,
    });
    const refused: Readonly<Record<string, number>> = summary?.refused ?? {};
    assert.deepEqual(
      [refused["robots"], refused["port"], refused["scheme-unsupported"]],
      [1, 2, 2],
    );
    const attempts = lines.filter(({ url }) => url.endsWith("/throws")).map((line) => line.attempt);
    assert.deepEqual(attempts, [1, 2, 3]);
    assert.ok(robotsLines.some(({ url }) => url === "gemini://b.test/robots.txt"));
    const types = records
      .filter(({ targetUri }) => targetUri?.startsWith("gemini:"))
      .map(({ type, targetUri, fields }) => [
        ...[targetUri?.slice("gemini://b.test".length), type],
        ...[fields.get("Content-Type"), fields.get("WARC-Truncated")],
      ]);
    assert.deepEqual(types.toSorted(), [
      ["/", "resource", "text/html", null],
      ["/gone", "metadata", "application/warc-fields", null],
      ["/half", "resource", "application/octet-stream", "disconnect"],
      ["/moved", "metadata", "application/warc-fields", null],
      ["/open", "resource", "text/plain", null],
      ["/same", "revisit", null, "length"],
    ]);
  });
});

test("what is wrong with modules is told before anything is fetched", async () => {
  await withWeb(WEB, async (web) => {
    const flags = flagsFor(web, "x-a: ./no-such-module.js", "x-b: node:path");
    const { code, terminal } = await web.crawl(["gemini://b.test/"], flags);
    assert.equal(code, 2);
    assert.match(terminal.said, /fetch.protocols has 2 mistakes:\n {2}x-a: .*\n {2}x-b: .*/);
    assert.deepEqual(web.asked, []);
  });
});

test("a scheme that is built in, or has no module, is a mistake of the configuration", async () => {
  const terminal = new RecordedTerminal();
  const flags = ["--set", "fetch.protocols={ http: ./mine.js }", "gopher://a.test/"];
  const { code } = await crawlInto("unused", ["crawl", ...flags], terminal);
  assert.equal(code, 2);
  assert.match(terminal.said, /"http" is built in/);
});
