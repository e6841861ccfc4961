/** `--page-requisites`: what pages need to be shown, from any host, one step beyond the page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noteOf } from "../../src/store/archive/index.ts";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";
import type { TablePage } from "../support/lab/table-web.ts";

function css(body: string): TablePage {
  return { headers: [["Content-Type", "text/css"]], body };
}

function image(body: string): TablePage {
  return { headers: [["Content-Type", "image/png"]], body };
}

/** A page with everything that a page may need, on two hosts. */
const SITE = (port: number) => {
  const cdn = `http://cdn.test:${port}`;
  return {
    "a.test": {
      pages: {
        "/": {
          body:
            `<link rel="stylesheet" href="${cdn}/site.css"><link rel=icon href=/icon.png>` +
            `<script src=/app.js></script><style>p{background:url(/inline.png)}</style>` +
            `<p style="background:url('/attribute.png')">x` +
            `<img src=/one.png srcset="/two.png 2x, ${cdn}/three.png 3x">` +
            "<video poster=/poster.png><source src=/film.webm></video>" +
            `<a href=/next>next</a><a href="${cdn}/page">out</a>`,
        },
        "/next": { body: "<img src=/only-next.png><a href=/last>last</a>" },
        "/last": { body: "<p>the end" },
        "/icon.png": image("icon"),
        "/app.js": { headers: [["Content-Type", "text/javascript"] as const], body: "'/x.html'" },
        "/inline.png": image("inline"),
        "/attribute.png": image("attribute"),
        "/one.png": image("one"),
        "/two.png": image("two"),
        "/poster.png": image("poster"),
        "/film.webm": image("film"),
        "/only-next.png": image("next"),
      },
    },
    "cdn.test": {
      pages: {
        "/site.css": css("@import 'more.css';@font-face{src:url(/font.woff2)}"),
        "/more.css": css("body{background:url(deep/paper.png)}"),
        "/font.woff2": image("font"),
        "/deep/paper.png": image("paper"),
        "/three.png": image("three"),
        "/page": { body: "<p>not in scope" },
      },
    },
  };
};

const OF_FIRST = [
  ...["a.test/app.js", "a.test/attribute.png", "a.test/film.webm", "a.test/icon.png"],
  ...["a.test/inline.png", "a.test/one.png", "a.test/poster.png", "a.test/two.png"],
  ...["cdn.test/deep/paper.png", "cdn.test/font.woff2", "cdn.test/more.css", "cdn.test/site.css"],
  "cdn.test/three.png",
];

test("a page comes with what it needs, counted apart, each once", async () => {
  await withWeb(SITE, async (web) => {
    const { code, summary, lines } = await web.crawl(["a.test/"], ["--page-requisites"]);
    assert.equal(code, 0);
    const pages = ["a.test/", "a.test/last", "a.test/next"];
    const requisites = [...OF_FIRST, "a.test/only-next.png"].sort();
    assert.deepEqual(web.asked.sort(), [...pages, ...requisites].sort());
    assert.deepEqual([summary?.pages, summary?.requisites], [3, 14]);
    const noted = lines.filter((line) => noteOf(line, "requisite") !== null);
    assert.deepEqual(
      noted.map(({ url }) => url).sort(),
      requisites.map((one) => web.url(one)).sort(),
    );
    assert.ok(noted.every(({ place }) => place !== null));
  });
});

test("without the flag none of it is asked for", async () => {
  await withWeb(SITE, async (web) => {
    const { summary } = await web.crawl(["a.test/"]);
    // An icon is a link like others then.
    assert.deepEqual(web.asked.sort(), [
      ...["a.test/", "a.test/icon.png", "a.test/last", "a.test/next"],
    ]);
    assert.deepEqual([summary?.pages, summary?.requisites], [4, 0]);
  });
});

test("a limit on pages counts pages, and waits for what they need", async () => {
  await withWeb(SITE, async (web) => {
    const { summary } = await web.crawl(["a.test/"], ["--page-requisites", "-n", "1"]);
    assert.deepEqual(web.asked.sort(), ["a.test/", ...OF_FIRST].sort());
    assert.deepEqual([summary?.pages, summary?.requisites, summary?.reason], [1, 13, "limit"]);
    assert.equal(summary?.queued, 1);
  });
});

test("the pages of --scope page and of -d 0 have their requisites too", async () => {
  for (const limit of [
    ["--scope", "page"],
    ["-d", "0"],
  ]) {
    await withWeb(SITE, async (web) => {
      const { summary } = await web.crawl(["a.test/"], ["--page-requisites", ...limit]);
      assert.deepEqual([summary?.pages, summary?.requisites], [1, 13]);
    });
  }
});

test("rows of requisites say so", async () => {
  await withWeb(SITE, async (web) => {
    const file = join(web.folder, "pages.jsonl");
    await web.crawl(["a.test/"], ["--page-requisites", "--pages", file]);
    const rows = readFileSync(file, "utf8").trim().split("\n");
    const requisites = rows.filter((row) => JSON.parse(row).requisite === true);
    assert.deepEqual([rows.length, requisites.length], [17, 14]);
  });
});

test("robots.txt and the address policy apply to requisites too", async () => {
  const hosts = (port: number) => ({
    "a.test": {
      pages: { "/": { body: `<img src="http://b.test:${port}/x.png"><img src=/y.png>` } },
    },
    "b.test": {
      pages: {
        "/robots.txt": {
          body: "User-agent: *\nDisallow: /",
          headers: [["Content-Type", "text/plain"]] as const,
        },
        "/x.png": image("x"),
      },
    },
  });
  await withWeb(hosts, async (web) => {
    const { summary } = await web.crawl(["a.test/"], ["--page-requisites"]);
    assert.deepEqual(web.asked, ["a.test/", "a.test/y.png"]);
    assert.equal(summary?.refused["robots"], 1);
  });
});

/** Where a requisite of one page is a page to another, in both orders, HTML and not. */
const BOTH = () => ({
  "a.test": {
    pages: {
      "/": linking("/early", "/1"),
      "/early": { body: '<a href="/photo.png">p</a><img src=/shown.html><img src=/photo.png>' },
      "/1": linking("/2"),
      "/2": linking("/3"),
      "/3": linking("/shown.html", "/photo.png"),
      "/photo.png": image("photo"),
      "/shown.html": { body: "<a href=/behind>b</a><img src=/within.png>" },
      "/behind": { body: "<p>behind" },
      "/within.png": image("within"),
    },
  },
});

test("what is a requisite here and a page there is a page, fetched once, whichever came first", async () => {
  // Exactly as many as there are pages: a requisite that becomes a page takes a place once.
  for (const args of [[], ["-d", "9"], ["-n", "8"]]) {
    await withWeb(BOTH, async (web) => {
      const { summary, lines } = await web.crawl(["a.test/"], ["--page-requisites", ...args]);
      const asked = web.asked.sort();
      assert.deepEqual(asked, [
        ...["a.test/", "a.test/1", "a.test/2", "a.test/3", "a.test/behind", "a.test/early"],
        ...["a.test/photo.png", "a.test/shown.html", "a.test/within.png"],
      ]);
      assert.equal(lines.length, asked.length);
      assert.deepEqual([summary?.pages, summary?.requisites], [8, 1], args.join(" "));
    });
  }
});

test("a requisite that becomes a page counts for the limit, which stays exact", async () => {
  for (const limit of [6, 7]) {
    await withWeb(BOTH, async (web) => {
      const { summary } = await web.crawl(["a.test/"], ["--page-requisites", "-n", String(limit)]);
      assert.deepEqual([summary?.pages, summary?.reason], [limit, "limit"]);
    });
  }
});

test("a chain of style sheets ends, and HTML is not read for more", async () => {
  const sheets = Array.from({ length: 12 }, (_, step) => [
    `/${step}.css`,
    css(`@import '/${step + 1}.css'`),
  ]);
  const hosts = () => ({
    "a.test": {
      pages: {
        "/": { body: "<link rel=stylesheet href=/0.css><img src=/html>" },
        "/html": { body: "<img src=/never.png><a href=/neither>x</a>" },
        ...Object.fromEntries(sheets),
      },
    },
  });
  await withWeb(hosts, async (web) => {
    const { summary } = await web.crawl(["a.test/"], ["--page-requisites"]);
    assert.deepEqual(
      web.asked.sort(),
      ["a.test/", "a.test/html", ...[0, 1, 2, 3, 4].map((step) => `a.test/${step}.css`)].sort(),
    );
    assert.deepEqual([summary?.pages, summary?.requisites], [1, 6]);
    assert.equal(summary?.refused["requisite-depth"], 1);
  });
});

test("redirects of requisites are followed, wherever they lead", async () => {
  const hosts = (port: number) => ({
    "a.test": {
      pages: {
        "/": { body: "<img src=/moved.png>" },
        "/moved.png": {
          status: 302,
          headers: [["Location", `http://b.test:${port}/here.png`] as const],
        },
      },
    },
    "b.test": { pages: { "/here.png": image("here") } },
  });
  await withWeb(hosts, async (web) => {
    const { summary } = await web.crawl(["a.test/"], ["--page-requisites"]);
    assert.deepEqual(web.asked, ["a.test/", "a.test/moved.png", "b.test/here.png"]);
    assert.deepEqual([summary?.pages, summary?.requisites], [1, 1]);
  });
});

test("a page that must not be archived comes without its requisites", async () => {
  const hosts = () => ({
    "a.test": { pages: { "/": { body: "<meta name=robots content=noarchive><img src=/x.png>" } } },
  });
  await withWeb(hosts, async (web) => {
    await web.crawl(["a.test/"], ["--page-requisites"]);
    assert.deepEqual(web.asked, ["a.test/"]);
  });
});
