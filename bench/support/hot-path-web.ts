/**
 * The web that the hot path is measured on, in a process of its own, on another core where the
 * machine has one. Two makes of pages, of about 25 kB each:
 * - `prose`: the synthetic web's own pages: nearly all text, of made-up words, with few links;
 * - `markup`: pages as programs write them (`sample-pages.ts`), with much markup and many links.
 * The real web lies between the two. Servers, names and URLs are the synthetic web's for both.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { SystemClock } from "../../src/base/time/index.ts";
import {
  changedProfile,
  DEFAULT_RULES,
  GeneratedWeb,
  PROFILES,
  ServedWeb,
  type SyntheticWeb,
  type WebRequest,
  type WebResponse,
} from "../../src/lab/simweb/index.ts";
import type { WebHost } from "../../src/lab/simweb/web/synthetic-web.ts";
import { samplePages } from "./sample-pages.ts";

export const MAKES = ["prose", "markup"] as const;
export type Make = (typeof MAKES)[number];

export interface ToldWeb {
  readonly port: number;
  readonly dnsPort: number;
  /** Visits: a host, and some of its pages, one after the other. */
  readonly visits: readonly Visit[];
}

export interface Visit {
  readonly host: string;
  readonly urls: readonly string[];
}

const PAGE_BYTES = 25_000;
const HOSTS = 200;

/** Of a synthetic web the hosts and URLs, with pages of another make. */
class MarkupWeb implements SyntheticWeb {
  readonly generated: GeneratedWeb;
  readonly #pages = samplePages(64, PAGE_BYTES);

  constructor(generated: GeneratedWeb) {
    this.generated = generated;
  }

  get hostCount(): number {
    return this.generated.hostCount;
  }

  hostAt(index: number): WebHost {
    return this.generated.hostAt(index);
  }

  hostNamed(name: string): WebHost | null {
    return this.generated.hostNamed(name);
  }

  respond(request: WebRequest): WebResponse {
    const response = this.generated.respond(request);
    let number = 0;
    for (const unit of Buffer.from(request.host + request.target)) {
      number = (Math.imul(number, 31) + unit) >>> 0;
    }
    const body = this.#pages[number % this.#pages.length] as Buffer;
    return response.status === 200 ? { ...response, body } : response;
  }
}

export function makeWeb(make: Make, port: number): SyntheticWeb & { generated: GeneratedWeb } {
  const profile = changedProfile(PROFILES.plain, {
    hosts: { count: HOSTS, pages: 20_000, slow: 0, dead: 0 },
    pages: { medianBytes: PAGE_BYTES, spread: 0 },
    text: { compressed: 0 },
  });
  const generated = new GeneratedWeb({ profile, seed: "hot path", port });
  return make === "markup" ? new MarkupWeb(generated) : Object.assign(generated, { generated });
}

/** A fixed list of visits of some pages each, all of which answer with a page. */
export function visitsOf(web: GeneratedWeb, count: number, pagesEach: number): Visit[] {
  const visits: Visit[] = [];
  for (let index = 0; visits.length < count; index += 1) {
    const host = (index * 7919) % web.hostCount;
    const urls: string[] = [];
    const slots = web.model.hosts.size(host);
    for (let slot = index % 7; slot < slots && urls.length < pagesEach; slot += 1) {
      const url = web.model.url(host, slot);
      if (isPage(web, url)) urls.push(url);
    }
    if (urls.length === pagesEach) visits.push({ host: new URL(urls[0] as string).hostname, urls });
  }
  return visits;
}

function isPage(web: GeneratedWeb, url: string): boolean {
  const { hostname, pathname, search } = new URL(url);
  const target = pathname + search;
  const request = { host: hostname, method: "GET", target, headers: [], earlierTries: 0 };
  const { status, oddity } = web.respond(request);
  return status === 200 && oddity === null;
}

async function serve(make: Make, count: number, pagesEach: number): Promise<void> {
  const served = await ServedWeb.open({
    clock: new SystemClock(),
    port: 0,
    dnsPort: 0,
    controlPort: 0,
    makeWeb: (port) => makeWeb(make, port),
    truthFor: () => {
      throw new Error("Nobody asks for the truth here.");
    },
    rules: DEFAULT_RULES,
  });
  const visits = visitsOf(served.web.generated, count, pagesEach);
  const told: ToldWeb = { port: served.port, dnsPort: served.dnsPort, visits };
  process.send?.(told);
  process.once("disconnect", () => process.exit());
}

/** Starts the server on a core, or anywhere where processes cannot be pinned. */
export async function startWeb(
  make: Make,
  options: { core: number | null; visits: number; pagesEach: number },
): Promise<{ web: ToldWeb; child: ChildProcess }> {
  const pin = options.core === null ? [] : ["taskset", "-c", String(options.core)];
  const counts = [options.visits, options.pagesEach].map(String);
  const command = [...pin, process.execPath, import.meta.filename, make, ...counts];
  const child = spawn(command[0] as string, command.slice(1), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const web = await new Promise<ToldWeb>((resolve, reject) => {
    child.once("message", (message) => resolve(message as ToldWeb));
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  return { web, child };
}

if (process.argv[1] === import.meta.filename) {
  const [make = "prose", visits, pagesEach] = process.argv.slice(2);
  await serve(make as Make, Number(visits), Number(pagesEach));
}
