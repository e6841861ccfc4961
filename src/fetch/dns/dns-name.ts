/** Names as they are asked for, and those that nobody is asked about. */
import { type HostName, registrableDomain } from "../../formats/url/index.ts";

const NAME_LENGTH_MAX = 253;
const LABEL = /^[^.]{1,63}$/;

/** A host without the dot of the root, which leads to the same place. */
export function nameOf(host: HostName): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

/** `localhost` and all below it are this machine, whatever servers say (RFC 6761). */
export function isLocalhost(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}

/** Whether a question can hold the name. */
export function isAskable(name: string): boolean {
  return name.length <= NAME_LENGTH_MAX && name.split(".").every((label) => LABEL.test(label));
}

/** The part of a name that somebody registered; the name itself where that is not known. */
export function domainOf(name: string): string {
  return registrableDomain(name as HostName) ?? name;
}
