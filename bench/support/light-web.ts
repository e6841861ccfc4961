/**
 * A web that costs its server next to nothing, in a process of its own: any number of hosts on any number
 * of loopback addresses, and pages of 25 kB that are made before the start. Each differs from all
 * others by a stamp in its text, and leads to pages of its host and to a few others. It notes when each
 * address was visited.
 */
import { createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { openNameServer } from "../../test/support/fetch/name-server.ts";
import { TableWeb } from "../../test/support/lab/table-web.ts";
import { samplePages } from "./sample-pages.ts";

export const LIGHT_WEB: string = fileURLToPath(import.meta.url);

export interface LightWeb {
  readonly hosts: number;
  readonly addresses: number;
}

export interface LightWebOpened {
  readonly port: number;
  readonly dnsPort: number;
}

/** From one instant to another, in milliseconds since 1970; both are the web's own. */
export interface LightWebQuestion {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface LightWebSeen {
  /** Requests that began then, and how long they took on average. */
  readonly visits: number;
  readonly serviceMs: number;
  /** How many addresses were visited at least twice, and the time between their visits, on average. */
  readonly addresses: number;
  readonly gapMs: number;
  /** When the first request ever began. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export function hostAt(number: number): string {
  return `h${number}.light.example`;
}

const PAGES = 200;
const PAGE_BYTES = 25_000;
const STAMP = "stamp-00000000";
const OTHERS = 4;

interface Visit {
  readonly address: string;
  readonly atMs: number;
  readonly tookMs: number;
}

/** The answer, and where its stamp lies. */
function answers({ hosts }: LightWeb, port: number): { bytes: Buffer; stampAt: number }[] {
  return samplePages(PAGES, PAGE_BYTES).map((page, number) => {
    const others = Array.from({ length: OTHERS }, (_none, at) => {
      const host = (number * 7919 + at * 104_729) % hosts;
      return `<a href="http://${hostAt(host)}:${port}/other/${number}">other</a>`;
    });
    const text = page.toString().replace("<main>", `<main><p>${STAMP} ${others.join(" ")}</p>`);
    const body = Buffer.from(text);
    const head = [
      ...["HTTP/1.1 200 OK", "Server: light", "Content-Type: text/html; charset=utf-8"],
      `Content-Length: ${body.length}`,
    ];
    const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]);
    return { bytes, stampAt: bytes.indexOf(STAMP) + "stamp-".length };
  });
}

async function serve(web: LightWeb): Promise<void> {
  const table = new TableWeb({ host: { addresses: ["127.0.0.1"] } });
  const host = table.hostAt(0);
  const names = await openNameServer({
    hostCount: 1,
    hostAt: () => host,
    hostNamed: (name) => ({ ...host, name, addresses: [addressOf(name, web)] }),
    respond: (request) => table.respond(request),
  });
  const visits: Visit[] = [];
  let firstAtMs = Number.NaN;
  let pages: ReturnType<typeof answers> = [];
  const answer = (socket: Socket): void => {
    const atMs = Date.now();
    if (Number.isNaN(firstAtMs)) firstAtMs = atMs;
    const { bytes, stampAt } = pages[visits.length % PAGES] as (typeof pages)[number];
    const copy = Buffer.from(bytes);
    copy.write(String(visits.length).padStart(8, "0"), stampAt, "latin1");
    const visit = { address: socket.localAddress ?? "", atMs, tookMs: 0 };
    visits.push(visit);
    socket.write(copy, () => Object.assign(visit, { tookMs: Date.now() - atMs }));
  };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      if (bytes.includes("\r\n\r\n")) answer(socket);
    });
  });
  server.listen(0, "0.0.0.0", 4096, () => {
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    pages = answers(web, port);
    process.send?.({ port, dnsPort: names.port } satisfies LightWebOpened);
  });
  process.on("message", ({ fromMs, toMs }: LightWebQuestion) => {
    const inside = visits.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    const seen: LightWebSeen = {
      visits: inside.length,
      serviceMs: inside.reduce((sum, { tookMs }) => sum + tookMs, 0) / Math.max(1, inside.length),
      ...gapsOf(inside),
      firstAtMs,
      lastAtMs: visits.at(-1)?.atMs ?? Number.NaN,
    };
    process.send?.(seen);
  });
  process.on("disconnect", () => process.exit());
}

/** Between the beginnings of two visits of one address. */
function gapsOf(visits: readonly Visit[]): { addresses: number; gapMs: number } {
  const byAddress = Map.groupBy(visits, ({ address }) => address);
  const repeated = [...byAddress.values()].filter((each) => each.length > 1);
  const gaps = repeated.reduce((sum, each) => sum + each.length - 1, 0);
  const spanMs = repeated.reduce(
    (sum, each) => sum + (each.at(-1)?.atMs ?? 0) - (each[0]?.atMs ?? 0),
    0,
  );
  return { addresses: repeated.length, gapMs: spanMs / Math.max(1, gaps) };
}

function addressOf(name: string, { addresses }: LightWeb): string {
  const number = Number(/\d+/.exec(name)?.[0] ?? 0) % addresses;
  return `127.77.${number >> 8}.${number & 255}`;
}

const given = process.argv[1] === LIGHT_WEB ? process.argv[2] : undefined;
if (given !== undefined) await serve(JSON.parse(given) as LightWeb);
