/** Names as name servers are asked for them, and names that are never asked for. */
import { type HostName, registrableDomain } from "../../formats/url/index.ts";

const NAME_LENGTH_MAX = 253;
const LABEL = /^[^.]{1,63}$/;

/** A host without a final dot, which changes nothing. */
export function nameOf(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

/** `localhost` and all names below it are this machine, whatever servers say (RFC 6761). */
export function isLocalhost(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}

/** Whether the name fits in a question. */
export function isAskable(name: string): boolean {
  return name.length <= NAME_LENGTH_MAX && name.split(".").every((label) => LABEL.test(label));
}

/** The registrable part of a name; the name itself if that is not known. */
export function domainOf(name: string): string {
  return registrableDomain(name as HostName) ?? name;
}
