/** Exports that are folders: Markdown, and a copy of the site that opens from disk. */
import assert from "node:assert/strict";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { parse } from "parse5";
import { run } from "../../src/cli/shell/run.ts";
import type { PageRow } from "../../src/store/export/index.ts";
import { type EndedCrawl, type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;
const LONG = "<p>A long paragraph, with commas, about apples and pears, so that it counts. ".repeat(
  9,
);

const SITE: Hosts = () => ({
  "a.test": {
    pages: {
      "/": {
        headers: [["Content-Type", "text/html; charset=iso-8859-1"]],
        body: Buffer.from(
          "<!doctype html><html><head><title>Caf\xe9</title><base href='/'>" +
            '<link rel=stylesheet href="/style.css"><script>alert(1)</script></head>' +
            `<body onload="alert(2)"><nav class="menu"><a href=x>menu</a></nav><article><h1>Head</h1>${LONG}` +
            '<a href="About">about</a><a href="about#part">part</a><a href="/moved">m</a><a href=/untyped>u</a>' +
            '<a href="javascript:alert(3)">js</a><a href="http://other.test/">o</a>' +
            '<img src="/i.png" srcset="/i.png 1x, /big.png 2x"><img src=/v.svg><svg><script>alert(4)</script></svg>' +
            '<iframe srcdoc="<script>alert(5)</script>"></iframe><a href="/q?a=1&amp;b=2">q</a>' +
            "<p style=\"background:url('/i.png')\">styled</article>",
          "latin1",
        ),
      },
      "/about": { headers: [HTML], body: "<title>low</title><p id=part>low" },
      "/About": { headers: [HTML], body: "<title>High</title><p>high" },
      "/q?a=1&b=2": { headers: [HTML], body: "<title>Q</title><p>query" },
      "/untyped": { headers: [], body: "<!doctype html><title>U</title><p>an untyped page" },
      // More elements than are looked at for main content.
      "/many": { headers: [HTML], body: `<html><body>many${"<br>".repeat(50_001)}</body></html>` },
      "/moved": { status: 301, reason: "Moved", headers: [["Location", "/about"]] },
      "/style.css": {
        headers: [["Content-Type", "text/css"]],
        body: 'body{background:url(i.png)}@import "/other.css";',
      },
      "/v.svg": {
        headers: [["Content-Type", "image/svg+xml"]],
        body: '<x:svg xmlns:x="http://www.w3.org/2000/svg"><x:script>alert(6)</x:script><x:image href="i.png"/></x:svg>',
      },
      "/i.png": { headers: [["Content-Type", "image/png"]], body: Buffer.from([137, 80, 78, 71]) },
    },
  },
});

async function exporting(
  format: string,
  use: (path: string, crawl: EndedCrawl) => Promise<void> | void,
  args: readonly string[] = [],
): Promise<void> {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/", "a.test/many"], ["--page-requisites", ...args]);
    const to = join(mkdtempSync(join(tmpdir(), "trobar-export-test-")), "result");
    const terminal = new RecordedTerminal();
    const argv = ["store", "export", format, "-o", crawl.folder, "--to", to, "-q"];
    assert.equal(await run(argv, terminal), 0, terminal.said);
    assert.equal(existsSync(`${to}.part`), false);
    await use(to, crawl);
    rmSync(join(to, ".."), { recursive: true });
  });
}

/** Every attribute of every element. */
function attributesOf(html: string): { element: string; name: string; value: string }[] {
  const found: { element: string; name: string; value: string }[] = [];
  const visit = (node: unknown): void => {
    const {
      nodeName,
      attrs = [],
      childNodes = [],
    } = node as {
      nodeName: string;
      attrs?: { name: string; value: string }[];
      childNodes?: unknown[];
    };
    found.push({ element: nodeName, name: "", value: "" });
    for (const { name, value } of attrs) found.push({ element: nodeName, name, value });
    for (const child of childNodes) visit(child);
  };
  visit(parse(html));
  return found;
}

test("the copy of a site is browsed from disk, and nothing in it runs", async () => {
  await exporting("site", (path) => {
    const files = globSync("**/*.*", { cwd: path });
    const home = files.find((file) => /a\.test[^/]*\/index\.html$/.test(file)) as string;
    const html = readFileSync(join(path, home), "utf8");
    assert.match(html, /Café/);
    const attributes = attributesOf(html);
    assert.ok(attributes.every(({ element, name }) => element !== "script" && !/^on/.test(name)));
    assert.ok(
      attributes.every(({ value }) => !/javascript:|alert/.test(value)),
      html,
    );
    assert.ok(attributes.some(({ value }) => /script-src 'none'/.test(value)));
    assert.ok(attributes.every(({ element }) => element !== "base"));
    const local = attributes
      .filter(({ name, element }) => (name === "href" || name === "src") && element !== "meta")
      .map(({ value }) => value)
      .filter((value) => value !== "" && !/^https?:/.test(value));
    assert.ok(local.length >= 6, local.join(" "));
    for (const link of local) {
      const file = normalize(join(dirname(home), link.replace(/#.*/, "")));
      assert.ok(files.includes(file), `${link} leads to ${file}, of ${files.join(" ")}`);
    }
    assert.ok(local.some((link) => link.endsWith("#part")));
    assert.ok(attributes.some(({ value }) => value === "http://other.test/"));
    assert.equal(new Set(files.map((file) => file.toLowerCase())).size, files.length);
    const css = files.find((file) => file.endsWith("style.css")) as string;
    assert.match(readFileSync(join(path, css), "utf8"), /url\("i\.png"\)/);
    const svg = files.find((file) => file.endsWith("v.svg")) as string;
    assert.match(
      readFileSync(join(path, svg), "utf8"),
      /^<svg [^>]*><image href="i\.png"><\/image></,
    );
    assert.match(readFileSync(join(path, "index.html"), "utf8"), /a\.test.*\/untyped/s);
  });
});

test("Markdown has the main content of a page, with absolute links, also in --pages", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-export-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const rows = join(folder, "pages.jsonl");
  const compare = (path: string, crawl: EndedCrawl): void => {
    const files = globSync("**/*.md", { cwd: path });
    const home = files.find((file) => file.endsWith("index.md")) as string;
    const untyped = files.find((file) => file.includes("untyped")) as string;
    assert.match(readFileSync(join(path, untyped), "utf8"), /an untyped page/);
    const text = readFileSync(join(path, home), "utf8");
    assert.match(text, /^---\nurl: "http:\/\/a\.test:\d+\/"\ntitle: "Café"\nfetched: "20/);
    assert.match(text, /A long paragraph, with commas/);
    assert.doesNotMatch(text, /alert|menu|<p>/);
    assert.match(text, /\[about\]\(http:\/\/a\.test:\d+\/About\)/);
    const exported = new Map(
      files.map((file) => {
        const parts = /^---\nurl: ("[^\n]*")\n.*?\n---\n\n(.*)\n$/s.exec(
          readFileSync(join(path, file), "utf8"),
        );
        return [JSON.parse(parts?.[1] ?? "") as string, parts?.[2]];
      }),
    );
    assert.equal(exported.size, 6);
    for (const line of readFileSync(rows, "utf8").trimEnd().split("\n")) {
      const { url, markdown } = JSON.parse(line) as PageRow;
      const isRefused = url.endsWith("/many");
      if (isRefused) assert.match(exported.get(url) ?? "", /^many/);
      assert.equal(markdown, isRefused ? null : (exported.get(url) ?? null), url);
    }
    assert.deepEqual(crawl.summary?.errors, { PAGES_NO_MARKDOWN: 1 });
  };
  await exporting("markdown", compare, ["--pages", rows, "--markdown"]);
});
