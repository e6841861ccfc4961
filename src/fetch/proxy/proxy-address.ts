/**
 * The HTTP proxy of the configuration. It is asked for http pages with the whole URL, and for a
 * tunnel (`CONNECT`) to https pages. The proxy resolves the names, so we cannot check the addresses
 * that are connected to; that is up to the proxy. Its own address is the user's choice and is not
 * checked either.
 */
import assert from "node:assert/strict";
import { basicAuthorization } from "../../formats/http/index.ts";

export interface ProxyAddress {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
  /** Value of `Proxy-Authorization`, when the URL has a user and password. */
  readonly authorization: string | null;
}

/** Of a URL that the configuration has already checked. */
export function proxyOf(url: string): ProxyAddress {
  const { protocol, hostname, port, username, password } = new URL(url);
  assert(protocol === "http:" || protocol === "https:", "a proxy is reached by http or https");
  const isSecure = protocol === "https:";
  return {
    isSecure,
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (isSecure ? 443 : 80) : Number(port),
    authorization:
      username === "" ? null : basicAuthorization(decoded(username), decoded(password)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
