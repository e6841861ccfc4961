/**
 * The HTTP proxy of the configuration. It is asked for pages in the clear with the whole URL, and
 * for a tunnel (`CONNECT`) to those under TLS. The proxy resolves the names by itself: the address
 * that was checked is then not the one connected to, and the check that matters is the proxy's. Its
 * own address is the user's choice and is not checked either.
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

/** Of a URL that the configuration has checked already. */
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
