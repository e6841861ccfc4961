/**
 * A URL split into what a request needs. The URL comes from our own parser, but it is checked again
 * here, since a stray byte would be written to a socket: the form below admits no white space,
 * control characters, second host or credentials.
 */
import type { HostName } from "../../../formats/url/index.ts";

/** Where connections lead; those to equal places are interchangeable. */
export interface Place {
  readonly isSecure: boolean;
  /** Of the URL; an IPv6 address is in brackets. */
  readonly host: HostName;
  readonly port: number;
  /** What is connected to; never resolved again. Null only if a proxy is connected to instead. */
  readonly address: string | null;
}

export interface HttpTarget {
  readonly place: Place;
  /** The host, with its port unless it is the scheme's default: the value of `Host`. */
  readonly authority: string;
  /** Path and query. */
  readonly target: string;
}

const FORM =
  /^http(s?):\/\/(\[[0-9a-f:.]+\]|[!"$&-.0-9;=_`a-z{}~]+)(?::([0-9]{1,5}))?(\/[!"$-~]*)(?:#.*)?$/i;

/** Null for what is not an absolute http or https URL as parsers write it. */
export function httpTarget(url: string, address: string | null): HttpTarget | null {
  const parts = FORM.exec(url);
  if (parts === null) return null;
  const [, s, host = "", portText, target = "/"] = parts;
  const isSecure = s !== "";
  const ownPort = isSecure ? 443 : 80;
  const port = portText === undefined ? ownPort : Number(portText);
  if (port < 1 || port > 65535) return null;
  const authority = port === ownPort ? host : `${host}:${port}`;
  return { place: { isSecure, host: host as HostName, port, address }, authority, target };
}

export function isSamePlace(one: Place, other: Place): boolean {
  return (
    one.port === other.port &&
    one.address === other.address &&
    one.isSecure === other.isSecure &&
    one.host === other.host
  );
}
