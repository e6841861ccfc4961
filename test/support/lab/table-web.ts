/** A synthetic web written down by hand: a few hosts and pages in a table. */
import type {
  DnsConduct,
  Oddity,
  SyntheticWeb,
  WebHost,
  WebRequest,
  WebResponse,
} from "../../../src/lab/simweb/web/synthetic-web.ts";

export interface TablePage extends Partial<Omit<WebResponse, "body">> {
  readonly body?: Uint8Array | string;
  /** What the first tries get instead. */
  readonly first?: readonly TablePage[];
}

export interface TableHost {
  readonly addresses?: readonly string[];
  readonly dns?: Partial<DnsConduct>;
  readonly pages?: Readonly<Record<string, TablePage>>;
}

const DNS: DnsConduct = {
  ttlSeconds: 60,
  aliases: [],
  failure: "none",
  failingTries: 0,
  delayMs: 0,
};

export class TableWeb implements SyntheticWeb {
  readonly #hosts: ReadonlyMap<string, TableHost>;

  constructor(hosts: Readonly<Record<string, TableHost>>) {
    this.#hosts = new Map(Object.entries(hosts));
  }

  get hostCount(): number {
    return this.#hosts.size;
  }

  hostAt(index: number): WebHost {
    const name = [...this.#hosts.keys()][index];
    const host = name === undefined ? null : this.hostNamed(name);
    if (host === null) throw new Error(`There is no host ${index}.`);
    return host;
  }

  hostNamed(name: string): WebHost | null {
    const host = this.#hosts.get(name);
    if (host === undefined) return null;
    return { name, addresses: host.addresses ?? ["127.0.0.1"], dns: { ...DNS, ...host.dns } };
  }

  respond({ host, target, earlierTries }: WebRequest): WebResponse {
    const page = this.#hosts.get(host)?.pages?.[target];
    if (page === undefined)
      return responseOf({ status: 404, reason: "Not Found", body: "nothing" });
    return responseOf(page.first?.[earlierTries] ?? page);
  }
}

/** The same hosts, whose answers take a while. */
export function slowed(
  hosts: Readonly<Record<string, TableHost>>,
  delayMs: number,
): Record<string, TableHost> {
  const slow = ([path, page]: [string, TablePage]) => [path, { delayMs, ...page }] as const;
  const entries = Object.entries(hosts).map(([name, { pages = {}, ...host }]) => {
    return [name, { ...host, pages: Object.fromEntries(Object.entries(pages).map(slow)) }] as const;
  });
  return Object.fromEntries(entries);
}

export function responseOf(page: TablePage): WebResponse {
  const { body = "" } = page;
  return {
    status: page.status ?? 200,
    reason: page.reason ?? "OK",
    headers: page.headers ?? [["Content-Type", "text/html"]],
    body: typeof body === "string" ? Buffer.from(body) : body,
    delayMs: page.delayMs ?? 0,
    bytesPerSecond: page.bytesPerSecond ?? 0,
    oddity: page.oddity ?? null,
  };
}

export const ODDITIES: readonly Oddity[] = [
  "reset-before-head",
  "close-before-head",
  "close-mid-body",
  "length-too-large",
  "length-too-small",
  "chunked",
  "chunked-broken",
  "no-length-close",
  "endless-body",
  "stall-mid-body",
  "huge-header",
  "garbage",
  "http-0.9",
  "many-interim",
  "folded-header",
  "bare-newlines",
];
