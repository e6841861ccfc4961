/** The parts of a URL. Only for strings that are already in fetchable or key form. */
import type { Brand } from "./brand.ts";
import type { FetchableUrl } from "./fetchable-url.ts";
import type { UrlKey } from "./url-key.ts";

/**
 * `example.org`, no port: the host that is contacted, hence the unit of politeness. An IPv6 address
 * keeps its brackets.
 */
export type HostName = Brand<string, "HostName">;

/** The host of a key: what decides the agent and the shard. */
export type KeyHost = Brand<string, "KeyHost">;

/** `https://example.org:8443`: scheme, host, and the port unless it is the default. */
export type Origin = Brand<string, "Origin">;

export interface UrlParts {
  /** Without its colon. */
  readonly scheme: string;
  /** Empty for files. */
  readonly host: string;
  /** Empty for the default port, else with its colon: `:8080`. */
  readonly port: string;
  /** Begins with `/`. */
  readonly path: string;
  /** Empty when there is none, else with its question mark. */
  readonly query: string;
}

export function partsOf(url: FetchableUrl | UrlKey): UrlParts {
  const authorityAt = authorityStart(url);
  const pathAt = url.indexOf("/", authorityAt);
  const portAt = portStart(url, authorityAt, pathAt);
  const questionAt = url.indexOf("?", pathAt);
  const queryAt = questionAt === -1 ? url.length : questionAt;
  return {
    scheme: url.slice(0, authorityAt - "://".length),
    host: url.slice(authorityAt, portAt),
    port: url.slice(portAt, pathAt),
    path: url.slice(pathAt, queryAt),
    query: url.slice(queryAt),
  };
}

export function hostOf(url: FetchableUrl): HostName {
  return hostIn(url) as HostName;
}

export function keyHostOf(key: UrlKey): KeyHost {
  return hostIn(key) as KeyHost;
}

export function originOf(url: FetchableUrl): Origin {
  return url.slice(0, url.indexOf("/", authorityStart(url))) as Origin;
}

function hostIn(url: string): string {
  const authorityAt = authorityStart(url);
  return url.slice(authorityAt, portStart(url, authorityAt, url.indexOf("/", authorityAt)));
}

function authorityStart(url: string): number {
  return url.indexOf(":") + "://".length;
}

/** Where the colon of the port is, or the path if there is no port. */
function portStart(url: string, authorityAt: number, pathAt: number): number {
  const colonAt = url.lastIndexOf(":", pathAt);
  // The colons of an IPv6 address are before its closing bracket.
  const isPort = colonAt >= authorityAt && url.lastIndexOf("]", pathAt) < colonAt;
  return isPort ? colonAt : pathAt;
}
