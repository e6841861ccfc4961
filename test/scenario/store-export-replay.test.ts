/** An exported WACZ is replayed by ReplayWeb.page in a real browser, served on loopback. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { needsProgram } from "../support/requirement.ts";

const HTML = ["Content-Type", "text/html; charset=utf-8"] as const;
const CHROMIUM = "/usr/bin/chromium";
/**
 * Only for a browser that hangs. The browser's own limits of 30 seconds are too short for a machine
 * with much else to do: 40 seconds were seen where the test has 3 when alone.
 */
const HANG_MS = 4 * 60_000;

/**
 * The part of `playwright-core` that is used here. Its own declarations need the browser's and do
 * not compile with ours, so the few shapes are stated and the module is loaded by name.
 */
interface Playwright {
  readonly chromium: {
    launch(options: LaunchOptions): Promise<Browser>;
  };
}

interface LaunchOptions {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly timeout: number;
}

interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

interface Page {
  setDefaultTimeout(timeoutMs: number): void;
  goto(url: string, options: { waitUntil: "commit" }): Promise<unknown>;
  frames(): readonly Frame[];
  waitForEvent(name: "framenavigated"): Promise<unknown>;
  on(name: "console", callback: (message: { text(): string }) => void): void;
}

interface Frame {
  url(): string;
  locator(selector: string): {
    textContent(): Promise<string | null>;
    click(): Promise<void>;
  };
  /** Resolves when the expression is true. */
  waitForFunction(expression: string): Promise<unknown>;
}

const PACKAGE: string = "playwright-core";

const SITE: Hosts = () => ({
  "www.site.test": {
    pages: {
      "/": {
        headers: [HTML],
        body: '<title>Home</title><link rel=stylesheet href="/s.css"><p id=said>replayed é</p><a id=next href="/Two?b=1&a=2">next</a>',
      },
      "/s.css": { headers: [["Content-Type", "text/css"]], body: "#said{color:rgb(1,2,3)}" },
      "/Two?b=1&a=2": { headers: [HTML], body: "<title>Two</title><p id=second>second page" },
    },
  },
});

/**
 * What a frame shows that was asked for too soon: the replay program opens it when its service worker is
 * registered, which may be before that worker is active and answers in place of this server.
 */
const TOO_SOON =
  "<!doctype html><script>navigator.serviceWorker.ready.then(() => location.reload())</script>";

/** The replay program at `/`, its service worker below `/replay/`, and the file in ranges. */
async function serve(wacz: Buffer, url: string): Promise<Server> {
  const replay = (name: string): Buffer =>
    readFileSync(join("node_modules", "replaywebpage", name));
  const page =
    '<!doctype html><meta charset="utf-8"><script src="/ui.js"></script>' +
    `<replay-web-page source="/crawl.wacz" url="${url}" embed="replayonly"></replay-web-page>`;
  const files: Record<string, [type: string, bytes: Buffer]> = {
    "/": ["text/html", Buffer.from(page)],
    "/ui.js": ["text/javascript", replay("ui.js")],
    "/replay/": ["text/html", Buffer.from(TOO_SOON)],
    "/replay/sw.js": ["text/javascript", replay("sw.js")],
    "/crawl.wacz": ["application/wacz", wacz],
  };
  const server = createServer((request, response) => {
    const [type, bytes] = files[(request.url ?? "").replace(/\?.*/, "")] ?? ["", null];
    if (bytes === null) return response.writeHead(404).end();
    const headers = { "Content-Type": type, "Accept-Ranges": "bytes" };
    const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "");
    const end = bytes.length - 1;
    const [from, to] =
      range === null
        ? [0, end]
        : range[1] === ""
          ? [Math.max(0, bytes.length - Number(range[2])), end]
          : [Number(range[1]), Math.min(range[2] === "" ? end : Number(range[2]), end)];
    const part = bytes.subarray(from, to + 1);
    const place = { "Content-Range": `bytes ${from}-${to}/${bytes.length}` };
    response.writeHead(range === null ? 200 : 206, {
      ...headers,
      ...(range === null ? {} : place),
      "Content-Length": part.length,
    });
    return response.end(request.method === "HEAD" ? undefined : part);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** The frame in which an archived page is shown. */
async function replayed(page: Page, url: string): Promise<Frame> {
  for (;;) {
    const navigated = page.waitForEvent("framenavigated");
    navigated.catch(() => undefined);
    const frame = page.frames().find((one) => one.url().includes(`mp_/${url}`));
    if (frame !== undefined) return frame;
    await navigated;
  }
}

/** Follows a link from the home page; if that fails, tells what the browser showed and said. */
async function looksAtPages(page: Page, replayer: string, home: string): Promise<void> {
  const said: string[] = [];
  page.setDefaultTimeout(HANG_MS);
  page.on("console", (message) => said.push(message.text()));
  try {
    await page.goto(replayer, { waitUntil: "commit" });
    const first = await replayed(page, home);
    assert.equal(await first.locator("#said").textContent(), "replayed é");
    // A style sheet may come after the text that it is for.
    const colour = "window.getComputedStyle(document.querySelector('#said')).color";
    await first.waitForFunction(`${colour} === "rgb(1, 2, 3)"`);
    await first.locator("#next").click();
    const second = await replayed(page, `${home}Two`);
    assert.equal(await second.locator("#second").textContent(), "second page");
  } catch (error) {
    const frames = page.frames().map((frame) => frame.url());
    throw new Error(`${error}\nframes: ${frames.join(" ")}\n${said.join("\n")}`, { cause: error });
  }
}

test("ReplayWeb.page shows the pages of an exported WACZ in Chromium", {
  skip: needsProgram("chromium"),
}, async () => {
  let wacz = Buffer.alloc(0);
  let home = "";
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["www.site.test/"], ["--page-requisites"]);
    const to = join(web.folder, "crawl.wacz");
    const terminal = new RecordedTerminal();
    const argv = ["store", "export", "wacz", "-o", crawl.folder, "--to", to, "-q"];
    assert.equal(await run(argv, terminal), 0, terminal.said);
    wacz = readFileSync(to);
    home = web.url("www.site.test/");
  });
  // The crawled web is gone: everything shown comes from the file.
  const server = await serve(wacz, home);
  let browser: Browser | null = null;
  try {
    const { chromium }: Playwright = await import(PACKAGE);
    browser = await chromium.launch({
      ...{ executablePath: CHROMIUM, args: ["--no-sandbox"], timeout: HANG_MS },
    });
    const page = await browser.newPage();
    const { port } = server.address() as AddressInfo;
    await looksAtPages(page, `http://127.0.0.1:${port}/`, home);
  } finally {
    await browser?.close();
    server.close();
    server.closeAllConnections();
  }
});
