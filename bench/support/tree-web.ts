/**
 * A web without end that costs next to nothing, in a process of its own: page N links to the pages
 * 2N + 1 and 2N + 2, so that a crawl of any size has about as many URLs waiting as it has fetched, and to
 * some earlier ones. Hosts are loopback addresses, which need no names. What a page says follows from
 * its number, so the archive of a crawl can be made without asking for it (`grown-crawl.ts`).
 */
import { createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";

export const TREE_WEB: string = fileURLToPath(import.meta.url);

export interface TreeWeb {
  /** At most 65,536. */
  readonly hosts: number;
  readonly port: number;
}

/** Asked since an instant, in milliseconds since 1970. */
export interface TreeWebQuestion {
  readonly fromMs: number;
}

export interface TreeWebSeen {
  readonly visits: number;
  /** When the first request since then came; null if none did. */
  readonly firstAtMs: number | null;
}

const WORDS = 120;
const EARLIER = 4;

export function treeUrl(number: number, { hosts, port }: TreeWeb): string {
  // Neighbours are on hosts that are far from each other.
  const host = Math.imul(number, 0x9e3779b1) >>> 0;
  const at = host % hosts;
  return `http://127.77.${at >> 8}.${at & 255}:${port}/p/${number}`;
}

/** Links from page 0. */
export function treeDepth(number: number): number {
  return 31 - Math.clz32(number + 1);
}

/** The page that led to this one; null for page 0. */
export function treeParent(number: number): number | null {
  return number === 0 ? null : (number - 1) >> 1;
}

export function treeBody(number: number, web: TreeWeb): string {
  let state = (number + 1) >>> 0;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const words = Array.from({ length: WORDS }, () => `w${draw(4000).toString(36)}`);
  const earlier = Array.from({ length: EARLIER }, () => draw(number + 1));
  const links = [2 * number + 1, 2 * number + 2, ...earlier].map(
    (to) => `<li><a href="${treeUrl(to, web)}">page ${to}</a>`,
  );
  return (
    `<!doctype html><title>Page ${number}</title><main><p>${words.join(" ")}</p>` +
    `<ul>${links.join("")}</ul></main>`
  );
}

export const TREE_HEADERS: readonly (readonly [string, string])[] = [
  ["Server", "tree"],
  ["Content-Type", "text/html; charset=utf-8"],
];

function answer(socket: Socket, request: string, web: TreeWeb): void {
  const number = Number(/^GET \/p\/(\d+) /.exec(request)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) {
    socket.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    return;
  }
  const body = treeBody(number, web);
  const headers = TREE_HEADERS.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
}

function serve(web: TreeWeb): void {
  const visitsAtMs: number[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    let text = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        visitsAtMs.push(Date.now());
        answer(socket, text.slice(0, end), web);
        text = text.slice(end + 4);
      }
    });
  });
  server.listen(web.port, "0.0.0.0", 4096, () => process.send?.("open"));
  process.on("message", ({ fromMs }: TreeWebQuestion) => {
    const first = visitsAtMs.findIndex((atMs) => atMs >= fromMs);
    const visits = first < 0 ? 0 : visitsAtMs.length - first;
    process.send?.({ visits, firstAtMs: visitsAtMs[first] ?? null } satisfies TreeWebSeen);
  });
  process.on("disconnect", () => process.exit());
}

const given = process.argv[1] === TREE_WEB ? process.argv[2] : undefined;
if (given !== undefined) serve(JSON.parse(given) as TreeWeb);
