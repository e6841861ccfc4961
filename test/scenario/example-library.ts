/** What the programs of the example `20-library` print and write, each run once on a web of its own. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type CrawlOptions, crawl } from "../../src/index.ts";
import "./source-library.ts";
import { tinyPdf } from "./tiny-pdf.ts";

interface Served {
  readonly type?: string;
  readonly body: string | Uint8Array;
  /** Whether it is only for those who log in. */
  readonly isPrivate?: boolean;
}

const SITE: Readonly<Record<string, Served>> = {
  "/": {
    body:
      "<title>Home</title><h1>Welcome</h1><b class=price>3.50</b><img src=i.png>" +
      "<nav><a href=/shop>shop</a></nav><a href=/news>all news</a><a href=/gone>gone</a>",
  },
  "/shop": {
    body: "<title>Shop</title><b class=price>1.20</b><i class=tag>old</i><a class=next href=/p2>2</a>",
  },
  "/p2": { body: "<title>Second</title><a class=next href=/p3>3</a><a href=/login>log in</a>" },
  "/p3": { body: "<title>Third</title>" },
  "/news": { body: "<title>News</title><a href=/list>list</a><a href=/paper.pdf>paper</a>" },
  "/login": { body: "<title>Login</title>" },
  "/hidden": { body: "<title>Hidden</title>" },
  "/list": { type: "text/x-list", body: "/p3\n/listed\n" },
  "/listed": { body: "<title>Listed</title>" },
  "/paper.pdf": {
    type: "application/pdf",
    body: tinyPdf("A paper", "Read more at http://x.test/"),
  },
  "/private/": { body: "<title>Secrets</title><a href=/private/2>2</a>", isPrivate: true },
  "/private/2": { body: "<title>More secrets</title>", isPrivate: true },
  "/robots.txt": { type: "text/plain", body: "Sitemap: /map.xml\nUser-agent: *\nAllow: /" },
  "/map.xml": {
    type: "text/xml",
    body: "<urlset><url><loc>/hidden</loc></url><url><loc>/p3</loc></url></urlset>",
  },
};

const LOGIN = "me:secret";

interface Tried {
  readonly url: string;
  readonly folder: string;
  /** Runs a program of the example; the lines that it prints, those about this site without its origin. */
  readonly run: (program: string, ...args: string[]) => Promise<string[]>;
}

/** Serves the site while `trial` runs. */
async function withSite(trial: (tried: Tried) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    const {
      type = "text/html",
      body,
      isPrivate = false,
    } = SITE[request.url ?? ""] ?? { body: null };
    const login = Buffer.from(LOGIN).toString("base64");
    const isRefused = isPrivate && request.headers.authorization !== `Basic ${login}`;
    const status = isRefused ? 401 : body === null ? 404 : 200;
    response.writeHead(status, { "Content-Type": type }).end(status === 200 ? body : "");
  });
  const { promise, resolve: listening } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening);
  await promise;
  const address = server.address();
  assert(typeof address === "object" && address !== null);
  const url = `http://127.0.0.1:${address.port}/`;
  const folder = mkdtempSync(join(tmpdir(), "trobar-examples-"));
  const run = async (program: string, ...args: string[]): Promise<string[]> => {
    const lines = await printedBy(program, args);
    return lines.map((line) => line.replaceAll(url, "/"));
  };
  try {
    await trial({ url, folder, run });
  } finally {
    rmSync(folder, { recursive: true });
    server.close();
    server.closeAllConnections();
  }
}

/** Runs a program of the example in this process, as if it had been started with these arguments. */
async function printedBy(program: string, args: readonly string[]): Promise<string[]> {
  const { argv } = process;
  const { log, error } = console;
  const lines: string[] = [];
  const path = resolve("examples/20-library", program);
  process.argv = [process.execPath, path, ...args];
  console.log = (...words: unknown[]) => lines.push(words.map(String).join(" "));
  console.error = () => {};
  try {
    await import(pathToFileURL(path).href);
  } finally {
    process.argv = argv;
    console.log = log;
    console.error = error;
  }
  return lines;
}

function rowsOf(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The programs of the example, by their files. */
export const LIBRARY_PROGRAMS: readonly string[] = [
  ...["broken-links.js", "login.js", "own-links.js", "own-parts.js", "polite.js", "prices.js"],
  ...["sitemap.js", "titles.js"],
];

export async function tryLibrary(): Promise<void> {
  await withSite(async ({ url, folder, run }) => {
    const titles = join(folder, "titles.jsonl");
    assert.deepEqual(await run("titles.js", url, titles), [`8 pages, in ${titles}`]);
    assert.equal(rowsOf(titles).find((row) => row["url"] === url)?.["heading"], "Welcome");

    const followed = await run("own-links.js", url);
    assert.deepEqual(followed, ["0 200 Home", "1 200 Shop", "2 200 Second"]);

    const told = await run("polite.js", url);
    assert.deepEqual(told.slice(0, -1), ["404 null /gone"]);
    assert.match(told.at(-1) ?? "", /^exhausted/);

    process.env["SITE_LOGIN"] = LOGIN;
    assert.deepEqual(await run("login.js", `${url}private/`), ["200 Secrets", "200 More secrets"]);
    delete process.env["SITE_LOGIN"];

    const listed = await run("sitemap.js", url);
    assert.deepEqual(listed.sort(), ["/ Home", "/hidden Hidden", "/p3 Third"]);

    const prices = join(folder, "prices.csv");
    await run("prices.js", url, prices);
    const [head = "", ...rows] = readFileSync(prices, "utf8").trimEnd().split("\r\n");
    assert.match(head, /,price,image,tags,cheap$/);
    assert.match(rows.find((row) => row.startsWith(`${url},`)) ?? "", /,3\.50,i\.png,.*,false$/);
    assert.match(rows.find((row) => row.startsWith(`${url}shop,`)) ?? "", /,1\.20,.*old.*,true$/);

    const broken = await run("broken-links.js", url, join(folder, "crawl"));
    assert.equal(broken[0], "/ -> /gone");
    assert.match(broken[1] ?? "", /^9 pages, \d+ bytes$/);

    const found = await run("own-parts.js", url);
    assert.deepEqual(found.slice(0, 2), ["Home /", "News /news"]);
    assert.equal(found.at(-1), "10 texts");
    assert.ok(found.includes("A list /list") && found.includes("Listed /listed"), found.join("\n"));
  });
}

export async function tryPdf(): Promise<void> {
  await withSite(async ({ url }) => {
    const path = pathToFileURL(resolve("examples/21-pdf-text/pdf-text.js")).href;
    const { createParser } = await import(path);
    const options: CrawlOptions = {
      seeds: [`${url}paper.pdf`],
      fetch: { allowAddresses: ["127.0.0.0/8"], ports: "any" },
      politeness: { hostDelay: 0, ipDelay: 0, robots: "ignore" },
      parse: { parsers: [createParser(), "html", "text", "binary"] },
    };
    const run = await crawl({ ...options, text: true, links: true });
    for await (const page of run.pages()) {
      assert.equal(page.title, "A paper");
      assert.match(page.text ?? "", /Read more at/);
      assert.deepEqual(
        page.links?.map((link) => link.url),
        ["http://x.test/"],
      );
    }
    assert.equal(run.summary().pages, 1);
    const broken = { url, media: "application/pdf", bytes: Buffer.from("%PDF-nothing") };
    assert.deepEqual(createParser().read(broken), {});
  });
}
