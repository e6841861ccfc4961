/**
 * Claim, not reached yet: one page runs half as many functions as the 1,064 of the first count. Each
 * of them must be read to follow a page through the program.
 *
 *     node bench/page-functions.ts [checkout] [--list]
 *
 * How it is measured. A host on loopback serves a chain: each page has some text and links to the
 * next one. `trobar crawl`, of this checkout or another one, follows it in a process of its own, in
 * which V8 counts the calls of every function from the request for one page to the request for
 * another: the steady middle of the crawl, between whole pages. What is called by at least nine
 * pages of ten counts as run by each page; the rest (timers, commits, tables that grow) is counted
 * apart. Functions of the test lab and of dependencies do not count. `--list` names the functions.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CalledFunction, Counted, CounterOrder } from "./support/call-counter.ts";

const BEGIN_PAGE = 200;
const END_PAGE = 600;
const LAST_PAGE = 620;
const PAGES = END_PAGE - BEGIN_PAGE;
const OFTEN = 0.9;

const counter = new URL("./support/call-counter.ts", import.meta.url).href;

/** Crawls the chain with the program of a checkout; what was called between the two pages. */
async function countCalls(checkout: string): Promise<readonly CalledFunction[]> {
  const folder = mkdtempSync(join(tmpdir(), "page-functions-"));
  let calls: readonly CalledFunction[] = [];
  let child: ChildProcess | null = null;
  const server = createServer(async ({ url = "/" }, response) => {
    const page = Number(url.slice(1));
    if (child !== null && page === BEGIN_PAGE) await ordered(child, "begin");
    if (child !== null && page === END_PAGE) calls = (await ordered(child, "end")).calls;
    const isPage = page > 0 && page <= LAST_PAGE;
    response.writeHead(isPage ? 200 : 404, { "Content-Type": "text/html; charset=utf-8" });
    response.end(isPage ? textOf(page) : "");
  });
  try {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const args = ["crawl", "--quiet", "--allow-private", "--delay", "1ms", "--ip-delay", "0"];
    args.push("--out", join(folder, "crawl"), `http://127.0.0.1:${port}/1`);
    const command = ["--import", counter, join(checkout, "bin", "trobar.js"), ...args];
    child = spawn(process.execPath, command, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const [code] = await once(child, "exit");
    if (code !== 0 || calls.length === 0) throw new Error(`The crawl ended early, with ${code}.`);
    return calls;
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

async function ordered(child: ChildProcess, order: CounterOrder): Promise<Counted> {
  const answer = once(child, "message");
  child.send(order);
  const [counted] = await answer;
  return counted as Counted;
}

/** Of every page another text, so that none is like the one before. */
function textOf(page: number): string {
  const words = Array.from(
    { length: 200 },
    (_, index) => ((page * 7919 + index ** 3) >>> 0) % 9973,
  );
  const text = words.map((word) => `w${word.toString(36)}`).join(" ");
  return (
    `<!doctype html><html lang="en"><title>Page ${page}</title><body><h1>Page ${page}</h1>` +
    `<p>${text}</p><p><a href="/${page + 1}">next</a> <a href="/1">first</a></p></body></html>`
  );
}

/** `base/text` of a file in `src/base/text/` or below. */
function moduleOf(path: string): string {
  return dirname(path).split("/").slice(0, 2).join("/");
}

interface Way {
  functions: number;
  readonly files: Set<string>;
  /** Called, but not by each page. */
  others: number;
}

function printTable(ways: ReadonlyMap<string, Way>): void {
  console.log("| module | functions | files | others |\n|---|--:|--:|--:|");
  for (const [module, { functions, files, others }] of [...ways].sort())
    console.log(`| ${module} | ${functions} | ${files.size} | ${others} |`);
  const all = [...ways.values()];
  const sum = (count: (way: Way) => number): number =>
    all.reduce((total, way) => total + count(way), 0);
  const modules = sum(({ functions }) => Math.min(1, functions));
  const functions = sum((way) => way.functions);
  const files = sum((way) => way.files.size);
  console.log(`| **${modules} modules** | ${functions} | ${files} | ${sum((way) => way.others)} |`);
}

const [checkout = "."] = process.argv.slice(2).filter((word) => word !== "--list");
const source = `${pathToFileURL(resolve(checkout, "src")).href}/`;
const ways = new Map<string, Way>();
const list: string[] = [];
for (const { file, name, offset, count } of await countCalls(resolve(checkout))) {
  const path = file.startsWith(source) ? file.slice(source.length) : "lab/";
  if (path.startsWith("lab/")) continue;
  const module = moduleOf(path);
  const way = ways.get(module) ?? { functions: 0, files: new Set(), others: 0 };
  ways.set(module, way);
  if (count < OFTEN * PAGES) way.others += 1;
  else {
    way.functions += 1;
    way.files.add(path);
    list.push(`${path} ${name || `(at ${offset})`} ${(count / PAGES).toFixed(1)}`);
  }
}
if (process.argv.includes("--list")) console.log(`${list.sort().join("\n")}\n`);
printTable(ways);
