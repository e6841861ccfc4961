/**
 * Who may ask what. In this order: the request names us as its host, so that a page on a rebound DNS
 * name cannot reach us; it was not made by a page of another site; it has a token, and the token allows
 * what is asked for; a change says that its body is JSON, which a form of another site cannot.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { MINUTE_MS } from "../../base/units/index.ts";
import { parseAddress, unmapped } from "../../formats/address/index.ts";
import type { Route } from "../routes/route.ts";
import type { Role, Tokens } from "./tokens.ts";

/** What is looked at of a request. */
export interface Caller {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The address it came from. */
  readonly address: string;
}

export interface AccessOptions {
  readonly clock: Clock;
  readonly tokens: Tokens;
  /** The host at which the API listens; other names than this and `localhost` are refused. */
  readonly host: string;
  readonly scheme: "http" | "https";
}

/** Wrong tokens from one address within a minute. */
const TRIES_MAX = 10;
/** Beyond this many addresses with wrong tokens all are forgotten, so that memory is bounded. */
const ADDRESSES_MAX = 1000;

interface Tries {
  readonly untilMs: number;
  count: number;
}

export class Access {
  readonly #options: AccessOptions;
  readonly #tries = new Map<string, Tries>();

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /**
   * The role of a caller for this route; null if the route needs none. Throws why it is refused. As soon
   * as it is known who asks, `visit` says so.
   */
  check(
    caller: Caller,
    { access, body }: Pick<Route, "access" | "body">,
    visit: { who: Role | null } = { who: null },
  ): Role | null {
    this.checkSite(caller);
    const role = access === "open" ? null : this.#roleOf(caller);
    visit.who = role;
    if (access === "write" && role === "read") {
      throw new CrawlError("API_FORBIDDEN", "This token may only read, and this is a change.");
    }
    const type = one(caller.headers["content-type"]) ?? "";
    if (body !== undefined && !/^application\/json *(?:; *charset=utf-8 *)?$/i.test(type)) {
      throw new CrawlError("API_MEDIA_TYPE", "The body must be application/json.");
    }
    return role;
  }

  /** For every request, also those that lead nowhere. */
  checkSite({ headers }: Caller): void {
    const { host: own, scheme } = this.#options;
    const host = one(headers["host"]) ?? "";
    const name = host.replace(/:\d*$/, "").toLowerCase();
    // An address cannot be rebound, and a browser sends it only for a page of that address.
    const isOurs = name === own || name === "localhost" || isAddress(name);
    if (!isOurs) throw new CrawlError("API_BAD_HOST", "This is not the host that was asked for.");
    const origin = one(headers["origin"]);
    if (origin !== undefined && origin.toLowerCase() !== `${scheme}://${host.toLowerCase()}`) {
      throw new CrawlError("API_BAD_ORIGIN", "Pages of other sites may not use the API.");
    }
    const site = one(headers["sec-fetch-site"]);
    if (site === "cross-site" || site === "same-site") {
      throw new CrawlError("API_BAD_ORIGIN", "Pages of other sites may not use the API.");
    }
  }

  #roleOf({ headers, address }: Caller): Role {
    const { clock, tokens } = this.#options;
    const nowMs = clock.nowMs();
    const before = this.#tries.get(address);
    const tries = before !== undefined && before.untilMs > nowMs ? before : null;
    const isBarred = tries !== null && tries.count >= TRIES_MAX;
    // All users of a machine have its loopback address: none of them may lock the others out.
    if (isBarred && !isLoopback(address)) throw tooMany();
    const role = tokens.roleOf(one(headers["authorization"]));
    if (role !== null) return role;
    if (isBarred) throw tooMany();
    if (this.#tries.size >= ADDRESSES_MAX) this.#tries.clear();
    if (tries === null) this.#tries.set(address, { untilMs: nowMs + MINUTE_MS, count: 1 });
    else tries.count += 1;
    throw new CrawlError("API_UNAUTHORIZED", "The token is missing or wrong.");
  }
}

/** Whether an address, or the name of a host to listen at, can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const bytes = parseAddress(host.replace(/^\[(.*)\]$/, "$1"));
  if (bytes === null) return false;
  const plain = unmapped(bytes);
  if (plain.length === 4) return plain[0] === 127;
  return plain.every((byte, at) => byte === (at === 15 ? 1 : 0));
}

function isAddress(name: string): boolean {
  return parseAddress(name.replace(/^\[(.*)\]$/, "$1")) !== null;
}

function tooMany(): CrawlError {
  return new CrawlError("API_TOO_MANY_TRIES", "Too many wrong tokens came from this address.");
}

/** A header that may be there once. */
function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(",") : value;
}
