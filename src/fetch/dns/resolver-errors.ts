/** Errors of resolving. */
import { CrawlError } from "../../base/errors/index.ts";

export function notFoundError(host: string): CrawlError {
  return new CrawlError(
    "DNS_NOT_FOUND",
    `The name servers say that the host ${host} does not exist or has no address. ` +
      "Check its spelling in the seed or link.",
    { host },
  );
}

export function serverError(host: string, reason: string): CrawlError {
  return new CrawlError(
    "DNS_SERVER_FAILED",
    `The name servers failed to resolve ${host} (${reason}). ` +
      "If other hosts fail too, check dns.servers and the network.",
    { host, reason },
  );
}

export function timeoutError(host: string, timeoutMs: number): CrawlError {
  return new CrawlError(
    "DNS_TIMED_OUT",
    `No name server answered for ${host} within ${timeoutMs} ms. ` +
      "Raise dns.timeout if they are slow; if other hosts fail too, check dns.servers.",
    { host, timeoutMs },
  );
}

export function overloadError(host: string, waiting: number): CrawlError {
  return new CrawlError(
    "DNS_OVERLOADED",
    `The host ${host} was not resolved because ${waiting} others were already waiting. ` +
      "Try again later; faster servers in dns.servers help.",
    { host, waiting },
  );
}

export function closedError(host: string): CrawlError {
  return new CrawlError(
    "DNS_CLOSED",
    `The host ${host} was not resolved because the agent was stopping. Continue the crawl later.`,
    { host },
  );
}
