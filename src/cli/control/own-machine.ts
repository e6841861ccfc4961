/** Which addresses are those of this machine, and how a name is resolved to nothing but these. */
import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { parseAddress, printAddress, unmapped } from "../../formats/address/index.ts";

/** Why an address is not asked. */
export const ANOTHER_MACHINE: string =
  "it is another machine, to which a token from outside of the crawl directory is sent only if you name " +
  "it with --api URL";

/** Whether a host of a URL is a name, or an address of this machine. */
export function mayBeOwn(host: string): boolean {
  const text = host.replace(/^\[(.*)\]$/, "$1");
  return parseAddress(text) === null || isOwnAddress(text);
}

export function isOwnAddress(text: string): boolean {
  const address = canonical(text);
  if (address === null) return false;
  if (address.startsWith("127.")) return true;
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return own.some((one) => canonical(one.address) === address);
}

/**
 * Gives the addresses of a name only if all of them are this machine's. What it gives is connected to,
 * so a name that resolves to something else a moment later gains nothing.
 */
export const ownAddresses: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, []);
    const isOwn = found.length > 0 && found.every(({ address }) => isOwnAddress(address));
    if (isOwn) done(null, found);
    else done(new Error(ANOTHER_MACHINE), []);
  });
};

/** Null if it is not an address. */
function canonical(text: string): string | null {
  const bytes = parseAddress(text);
  return bytes === null ? null : printAddress(unmapped(bytes));
}
