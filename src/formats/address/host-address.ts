/** Hosts that are addresses. The URL parser has already undone every disguise. */
import type { HostName } from "../url/index.ts";
import { parseAddress } from "./parse-address.ts";

/** `::1` for `[::1]`, `127.0.0.1` for itself, null for a name. */
export function hostAddress(host: HostName): string | null {
  const text = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  // A name never has a colon, and IPv6 is never written without its brackets.
  if (text.includes(":") === (text === host)) return null;
  return parseAddress(text) === null ? null : text;
}
