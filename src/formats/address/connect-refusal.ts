/** Refusals as errors with stable codes, for outcomes, logs and the summary of a crawl. */
import { assertNever, CrawlError } from "../../base/errors/index.ts";
import type { AddressPolicy, AddressRefusal } from "./address-policy.ts";

/** The error of a connection to this address and port; null if it may be made. */
export function connectRefusal(
  policy: AddressPolicy,
  address: string,
  port: number,
): CrawlError | null {
  const refusal = policy.refusal(address, port);
  if (refusal === null) return null;
  const isAboutPort = refusal.reason === "port" || refusal.reason === "own-port";
  const where = isAboutPort ? `port ${port} of ${address}` : address;
  return new CrawlError(
    isAboutPort ? "FETCH_PORT_REFUSED" : "FETCH_ADDRESS_REFUSED",
    `Did not connect to ${where}: ${becauseOf(refusal)}`,
    { address, port, reason: refusal.reason, range: refusal.range },
  );
}

/** The error of a host one of whose addresses is refused, whatever the port. */
export function resolutionRefusal(
  host: string,
  address: string,
  refusal: AddressRefusal,
): CrawlError {
  return new CrawlError(
    "FETCH_ADDRESS_REFUSED",
    `Did not connect to ${host}: its address is ${address}, and ${becauseOf(refusal)}`,
    { host, address, reason: refusal.reason, range: refusal.range },
  );
}

function becauseOf({ reason, range }: AddressRefusal): string {
  switch (reason) {
    case "not-an-address":
      return "that is not an address.";
    case "special":
      return (
        `${range} is not part of the public internet. If it is to be crawled, name the range in ` +
        "fetch.allowAddresses, or use --allow-private."
      );
    case "blocked":
      return `politeness.blockAddresses forbids ${range}.`;
    case "port":
      return `only ports ${range} are crawled. If it is to be crawled, add it to fetch.ports.`;
    case "own-port":
      return "the crawler itself listens there, and never crawls itself.";
    default:
      return assertNever(reason);
  }
}
