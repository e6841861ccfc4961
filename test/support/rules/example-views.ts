/**
 * Views made from plain URLs, for tests, benches and the examples of the documentation. The
 * crawler has its own; these show how little an implementation needs, and compute nothing before
 * it is asked for.
 */
import type { AnyView, UrlView } from "../../../src/rules/filter/view.ts";

/** A stand-in for the public suffix list: the last two labels of a name, an address itself. */
export function lastTwoLabels(host: string): string {
  return /[0-9]$|\]$/.test(host) ? host : host.split(".").slice(-2).join(".");
}

export class ExampleUrl implements UrlView {
  readonly #url: URL;
  readonly #domainOf: (host: string) => string;

  /** Throws a TypeError when the text is not an absolute URL. */
  constructor(text: string, domainOf: (host: string) => string = lastTwoLabels) {
    this.#url = new URL(text);
    this.#url.hash = "";
    this.#domainOf = domainOf;
  }

  get href(): string {
    return this.#url.href;
  }
  get scheme(): string {
    return this.#url.protocol.slice(0, -1);
  }
  get host(): string {
    return this.#url.hostname;
  }
  get port(): number {
    const own = this.scheme === "https" ? 443 : this.scheme === "http" ? 80 : 0;
    return this.#url.port === "" ? own : Number(this.#url.port);
  }
  get path(): string {
    return this.#url.pathname;
  }
  get query(): string {
    return this.#url.search.slice(1);
  }
  get domain(): string {
    return this.#domainOf(this.host);
  }
}

/** What an example may say about a page and the link to it; the rest is empty. */
export interface ExampleFacts {
  readonly source?: string;
  readonly depth?: number;
  readonly kind?: string;
  readonly rel?: string;
  readonly nofollow?: boolean;
  readonly anchor?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly language?: string;
  readonly digest?: string;
  readonly isDuplicate?: boolean;
  readonly isNearDuplicate?: boolean;
}

/** Link, response and page in one: every atom can look at it. */
export class ExampleView extends ExampleUrl implements AnyView {
  readonly source: UrlView | undefined;
  readonly depth: number;
  readonly kind: string;
  readonly rel: string;
  readonly nofollow: boolean;
  readonly anchor: string;
  readonly status: number;
  readonly language: string;
  readonly digest: string;
  readonly isDuplicate: boolean;
  readonly isNearDuplicate: boolean;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #body: Uint8Array;

  constructor(url: string, facts: ExampleFacts = {}) {
    super(url);
    this.source = facts.source === undefined ? undefined : new ExampleUrl(facts.source);
    this.depth = facts.depth ?? 0;
    this.kind = facts.kind ?? "a";
    this.rel = facts.rel ?? "";
    this.nofollow = facts.nofollow ?? false;
    this.anchor = facts.anchor ?? "";
    this.status = facts.status ?? 200;
    this.language = facts.language ?? "";
    this.digest = facts.digest ?? "";
    this.isDuplicate = facts.isDuplicate ?? false;
    this.isNearDuplicate = facts.isNearDuplicate ?? false;
    this.#headers = facts.headers ?? {};
    this.#body = Buffer.from(facts.body ?? "");
  }

  get bodyBytes(): number {
    return this.#body.length;
  }
  header(name: string): string | undefined {
    return this.#headers[name];
  }
  bodyPrefix(bytesMax: number): Uint8Array {
    return this.#body.subarray(0, bytesMax);
  }
}
