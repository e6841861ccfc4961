/**
 * A synthetic web for crawls that wait for politeness, in a process of its own: hosts that are all alike,
 * each at an address of its own, with pages without end, so that every host may be visited at any time and
 * what a crawl achieves is decided by its delays. Page N of a host leads to its pages 2N + 1 and 2N + 2, and to
 * `AWAY` pages of other hosts. It notes when it was visited, until the process that started it ends.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SystemClock } from "../../../src/base/time/index.ts";
import {
  DEFAULT_RULES,
  ServedWeb,
  type SyntheticWeb,
  type WebRequest,
  type WebResponse,
} from "../../../src/lab/simweb/index.ts";
import { responseOf, TableWeb } from "../../../test/support/lab/table-web.ts";
import { samplePages } from "../sample-pages.ts";

export const ENDLESS_WEB: string = fileURLToPath(import.meta.url);

export interface EndlessWebPlan {
  readonly hosts: number;
  readonly pageBytes: number;
  /** How long each answer takes. */
  readonly delayMs: number;
  /** Where the first page of each host is written, one URL a line. */
  readonly seeds: string;
}

export interface EndlessWebOpened {
  readonly dnsPort: number;
}

/** From one instant to another, in milliseconds since 1970. */
export interface EndlessWebQuestion {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface EndlessWebSeen {
  readonly visits: number;
  readonly hosts: number;
}

const AWAY = 4;
const SAMPLES = 100;
/** Pages that others are led to: small numbers, which every host comes to know. */
const LED_TO = 4096;

interface Visit {
  readonly host: string;
  readonly atMs: number;
}

class EndlessWeb implements SyntheticWeb {
  readonly visits: Visit[] = [];
  readonly #plan: EndlessWebPlan;
  readonly #port: number;
  readonly #samples: readonly string[];

  constructor(plan: EndlessWebPlan, port: number) {
    this.#plan = plan;
    this.#port = port;
    this.#samples = samplePages(SAMPLES, plan.pageBytes).map(String);
  }

  get hostCount(): number {
    return this.#plan.hosts;
  }

  hostAt(index: number): NonNullable<ReturnType<TableWeb["hostNamed"]>> {
    const name = `h${index}.endless.example`;
    // Each in a network of its own: hosts of one network share connections when they are slow.
    const address = `127.${78 + (index >> 8)}.${index & 255}.1`;
    const table = new TableWeb({ [name]: { addresses: [address] } });
    return table.hostAt(0);
  }

  hostNamed(name: string): ReturnType<EndlessWeb["hostAt"]> | null {
    const index = Number(/^h(\d+)\.endless\.example$/.exec(name)?.[1] ?? Number.NaN);
    return index < this.#plan.hosts ? this.hostAt(index) : null;
  }

  respond({ host, target }: WebRequest): WebResponse {
    if (target === "/robots.txt") return responseOf({ status: 404, reason: "Not Found" });
    this.visits.push({ host, atMs: Date.now() });
    const { delayMs } = this.#plan;
    return responseOf({ body: this.#page(host, target), delayMs });
  }

  #page(host: string, target: string): string {
    const number = Number(/^\/(\d+)$/.exec(target)?.[1] ?? numberOf(target));
    const own = Number(/\d+/.exec(host)?.[0] ?? 0);
    const sample = this.#samples[number % SAMPLES] ?? "";
    const near = [2 * number + 1, 2 * number + 2].map((page) => `<a href="/${page}">near</a>`);
    const away = Array.from({ length: AWAY }, (_, at) => {
      const drawn = Math.imul(number * AWAY + at + 1, 0x9e3779b1) + Math.imul(own, 0x85ebca6b);
      const other = (drawn >>> 0) % this.#plan.hosts;
      return `<a href="${this.url(other, (drawn >>> 7) % LED_TO)}">away</a>`;
    });
    const stamp = `<p>${host} ${number} ${near.join(" ")} ${away.join(" ")}</p>`;
    return sample.replace("<main>", `<main>${stamp}`);
  }

  url(host: number, page: number): string {
    return `http://h${host}.endless.example:${this.#port}/${page}`;
  }
}

/** Of a page that is led to by the text of others. */
function numberOf(target: string): number {
  let hash = 0;
  for (const letter of target) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return LED_TO + (hash >>> 8);
}

async function serve(plan: EndlessWebPlan): Promise<void> {
  const { web, dnsPort } = await ServedWeb.open({
    ...{ clock: new SystemClock(), port: 0, dnsPort: 0, controlPort: 0, rules: DEFAULT_RULES },
    makeWeb: (port) => new EndlessWeb(plan, port),
    truthFor: () => {
      throw new Error("nobody judges this web");
    },
  });
  const seeds = Array.from({ length: plan.hosts }, (_, host) => web.url(host, 0));
  writeFileSync(plan.seeds, `${seeds.join("\n")}\n`);
  process.on("message", ({ fromMs, toMs }: EndlessWebQuestion) => {
    const inside = web.visits.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    const hosts = new Set(inside.map(({ host }) => host)).size;
    process.send?.({ visits: inside.length, hosts } satisfies EndlessWebSeen);
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ dnsPort } satisfies EndlessWebOpened);
}

const given = process.argv[1] === ENDLESS_WEB ? process.argv[2] : undefined;
if (given !== undefined) await serve(JSON.parse(given) as EndlessWebPlan);
